"""What there is, table by table and kind by kind: whose, for how long, and how it goes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.governance import Registered, deletion_path, ends, registered, unregistered
from muniment.ports import Context
from muniment.records.expiry import graces

BY_STATEMENT: Mapping[str, str] = {
    "api_key": "forget ends those of the user and takes their names",
    "erasure": "forget writes it: digests alone, without which nothing would stay erased",
    "hold": "forget takes the names of holds that are over",
    "idempotency": "forget of the user, or of what an answer names",
    "kept_row": "holds.release",
    "transfer": "forget of the user or of a part of theirs",
}
"""How a forget reaches what no cascade does."""

_FORGET = "forget of the user, session, source, item or filter"
_FORGETS: Mapping[str, str] = {"knowledge": "forget of the source, item or filter"}


@dataclass(frozen=True)
class TableFigures:
    """A table as the schema has it, and what the tenant has in it."""

    name: str
    comment: str | None
    columns: list[str]
    parents: list[str]
    held: bool
    rows: int
    oldest: datetime | None
    overdue: int


@dataclass(frozen=True)
class KindFigures:
    """What the tenant has of a kind, in every version."""

    kind: str
    rows: int
    oldest: datetime | None
    overdue: int


@dataclass(frozen=True)
class Line:
    """A table or a kind in the report; ``held``: a hold keeps its rows."""

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
    rows: int
    oldest: datetime | None
    overdue: int


@dataclass(frozen=True)
class Report:
    """Every table and every kind; ``unregistered`` tables have rows that no forget reaches, or say
    nothing of themselves.
    """

    tables: tuple[Line, ...]
    kinds: tuple[Line, ...]
    unregistered: tuple[str, ...]


async def governance_report(ctx: Context) -> Report:
    """The report, of the schema as it is and the policy as it holds."""
    classes = {name: one for name, one in ctx.policy.retention.items() if one.ends == "recorded"}
    tables = await ctx.unit.rows(
        TableFigures,
        "report_tables",
        now=ctx.now,
        classes=list(classes),
        days=[(one.days or {})["personal"] for one in classes.values()],
        **graces(ctx),
    )
    kinds = await ctx.unit.rows(KindFigures, "report_kinds", now=ctx.now, **graces(ctx))
    columns = {one.name: one.columns for one in tables}
    parents = {one.name: one.parents for one in tables}
    said = {one.name: registered(one.comment) for one in tables}
    missing = {*unregistered(columns, parents, BY_STATEMENT), *_without_class(ctx, said)}
    return Report(
        tables=tuple(
            _of_table(ctx, one, told, deletion_path(one.name, parents, BY_STATEMENT))
            for one in tables
            if (told := said[one.name]) is not None and told.retention in ctx.policy.retention
        ),
        kinds=tuple(_of_kind(ctx, kinds)),
        unregistered=tuple(sorted(missing)),
    )


def _without_class(ctx: Context, said: Mapping[str, Registered | None]) -> list[str]:
    return [
        name
        for name, one in said.items()
        if one is None or one.retention not in ctx.policy.retention
    ]


def _of_table(ctx: Context, one: TableFigures, told: Registered, deletion: str | None) -> Line:
    retention = ctx.policy.retention[told.retention]
    return Line(
        name=one.name,
        what=told.what,
        layer=told.layer,
        owner=told.owner,
        retention_class=told.retention,
        driver=retention.driver,
        ends=ends(retention),
        locked=retention.locked,
        deletion=deletion or "not by a forget: nobody's",
        held=one.held,
        rows=one.rows,
        oldest=one.oldest,
        overdue=one.overdue,
    )


def _of_kind(ctx: Context, found: list[KindFigures]) -> list[Line]:
    figures = {one.kind: one for one in found}
    lines = []
    for name, kind in sorted(ctx.policy.kinds.items()):
        retention = ctx.policy.retention[kind.retention_class]
        one = figures.get(name, KindFigures(name, 0, None, 0))
        life = (
            ends(retention) if kind.ttl is None else f"expires after {kind.ttl + kind.grace} days"
        )
        if kind.ttl is None and kind.decays:
            life = f"{life}; fades when it is not used"
        lines.append(
            Line(
                name=name,
                what=f"of {'a user' if kind.scope == 'user' else 'the organisation'}",
                layer=kind.layer,
                owner=kind.owner,
                retention_class=kind.retention_class,
                driver=retention.driver,
                ends=life,
                locked=retention.locked,
                deletion=_FORGETS.get(kind.layer, _FORGET),
                held=True,
                rows=one.rows,
                oldest=one.oldest,
                overdue=one.overdue,
            )
        )
    return lines
