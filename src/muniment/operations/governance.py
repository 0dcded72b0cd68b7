"""governance.report: every table and kind with layer, owner, class, driver, and how it goes."""

from dataclasses import dataclass, fields

from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Instant, command
from muniment.ports import Context
from muniment.records.governance import Line, governance_report


@command
class ReportGovernance:
    """The report of the tenant."""


@dataclass(frozen=True)
class GovernanceLine:
    """A table or a kind. ``driver`` is why it is kept, ``ends`` until when, ``deletion`` how a
    forget reaches it; ``held``: a legal hold keeps it. ``overdue`` rows are past their time and not
    removed yet; no read shows them.
    """

    name: str
    what: str
    layer: str
    owner: str
    retention_class: str
    driver: str
    ends: str
    locked: bool
    deletion: str
    held: bool
    rows: Count
    oldest: Instant | None
    overdue: Count


@dataclass(frozen=True)
class GovernanceReport:
    """Read from the schema and the policy as they are. ``unregistered`` tables say nothing of
    themselves, or have rows that no forget reaches: there should be none.
    """

    generated_at: Instant
    tables: tuple[GovernanceLine, ...]
    kinds: tuple[GovernanceLine, ...]
    unregistered: tuple[str, ...]


async def report(_command: ReportGovernance, ctx: Context) -> GovernanceReport:
    """Counts every table of the tenant: it takes as long as that."""
    found = await governance_report(ctx)
    return GovernanceReport(
        generated_at=ctx.now,
        tables=tuple(_line(one) for one in found.tables),
        kinds=tuple(_line(one) for one in found.kinds),
        unregistered=found.unregistered,
    )


def _line(line: Line) -> GovernanceLine:
    return GovernanceLine(**{one.name: getattr(line, one.name) for one in fields(GovernanceLine)})


OPERATIONS = (
    Operation(
        name="governance.report",
        summary="Report every table and kind: whose, for how long, and how it goes",
        command=ReportGovernance,
        result=GovernanceReport,
        handler=report,
        effect=Effect.READ,
        verb="operate",
        layer="governance",
        http=Http("GET", "/v1/governance"),
        columns=(
            "tables.name",
            "tables.layer",
            "tables.owner",
            "tables.retention_class",
            "tables.driver",
            "tables.ends",
            "tables.deletion",
            "tables.rows",
            "tables.oldest",
            "tables.overdue",
        ),
    ),
)
