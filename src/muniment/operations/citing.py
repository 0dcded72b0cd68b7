"""On whose word: the turns that a command cites, and what follows from them (RULES 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from annotated_types import MaxLen

from muniment.errors import Fault, Forbidden, InvalidInput, WritesRefused
from muniment.operations.types import Identifier, Turn, command
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.scopes import find_scope, hold_scopes
from muniment.records.secrets import Cleaner
from muniment.records.sessions import find_session
from muniment.records.versions import Cited

C = TypeVar("C")
Speaker = Literal["assistant", "operator"]


@command
class Citation:
    """A turn that supports what is remembered. ``user_id`` says whose it is where the memory is
    the organisation's; a user's memory rests on that user's turns alone.
    """

    session_id: Identifier
    turn: Turn
    user_id: Identifier | None = None


Citations = Annotated[tuple[Citation, ...], MaxLen(100)]


@dataclass(frozen=True)
class Citing:
    """What a command cites for a memory of a user, or of the organisation (``user_id`` None)."""

    user_id: str | None
    namespace: str
    evidence: Sequence[Citation]

    @property
    def faults(self) -> list[Fault]:
        """A user's memory rests on turns of that user; one of the organisation says whose."""
        faults = []
        for at, turn in enumerate(self.evidence):
            if self.user_id is None and turn.user_id is None:
                faults.append(Fault(f"/evidence/{at}/user_id", "is needed: the memory has no user"))
            if self.user_id is not None and turn.user_id not in (None, self.user_id):
                faults.append(Fault(f"/evidence/{at}/user_id", "is not the memory's user"))
        return faults

    async def sources(self, ctx: Context) -> dict[str, UUID]:
        """The scopes of the users whose turns are cited.

        Those of others than the memory's own user are held until it is written, so that a forget
        does not miss what rests on them.
        """
        users = {citation.user_id or self.user_id for citation in self.evidence}
        found: dict[str, UUID] = {}
        for user_id in users - {None}:
            if user_id is not None and ctx.caller.user_id in (None, user_id):
                scope = await find_scope(ctx, user_id, self.namespace)
                if scope is not None:
                    found[user_id] = scope.scope_id
        await hold_scopes(ctx, (scope for user, scope in found.items() if user != self.user_id))
        return found

    async def turns(self, ctx: Context, sources: Mapping[str, UUID]) -> list[Cited]:
        """The cited turns; raises InvalidInput for one that is not there, WritesRefused for one of
        a session that stores nothing.
        """
        found: list[Cited] = []
        for at, citation in enumerate(self.evidence):
            scope_id = sources.get(citation.user_id or self.user_id or "")
            turns = (
                []
                if scope_id is None
                else await ctx.unit.rows(
                    Cited,
                    "turns_cited",
                    scope_id=scope_id,
                    sessions=[citation.session_id],
                    turns=[citation.turn],
                    now=ctx.now,
                )
            )
            if not turns or turns[0].no_store:
                await _refuse_unstored(ctx, scope_id, citation)
                raise InvalidInput(faults=[Fault(f"/evidence/{at}", "there is no such turn")])
            found += turns
        return found


async def _refuse_unstored(ctx: Context, scope_id: UUID | None, citation: Citation) -> None:
    session = None
    if scope_id is not None:
        session = await find_session(ctx, scope_id, citation.session_id)
    if session is not None and session.no_store:
        raise WritesRefused("That session stores nothing.")


def check_speaker(ctx: Context, speaker: Speaker, kind: str) -> None:
    """Raises Forbidden for who may not speak as an operator, or not write this kind."""
    writers = ctx.policy.kinds[kind].writers
    if speaker == "operator" and "operator" not in ctx.caller.roles:
        raise Forbidden("This key may not speak as an operator.")
    if writers and speaker not in writers:
        raise Forbidden(f"Only {' or '.join(writers)} may write this kind.")


async def without_secrets(
    command: C, ctx: Context, names: Sequence[str]
) -> tuple[C, tuple[Fault, ...]]:
    """The command without the secrets in these fields, and where there were some."""
    size = sum(len(text) for name in names if isinstance(text := getattr(command, name), str))
    return await worked_out(size, partial(_without_secrets, command, ctx, names))


def _without_secrets(command: C, ctx: Context, names: Sequence[str]) -> tuple[C, tuple[Fault, ...]]:
    clean: dict[str, Any] = {}
    found = []
    for name in names:
        given, cleaner = getattr(command, name), Cleaner(ctx.redactor)
        if given is not None:
            clean[name] = cleaner.metadata(given) if name == "metadata" else cleaner.text(given)
        if cleaner.kinds:
            kinds = ", ".join(cleaner.kinds)
            found.append(Fault(f"/{name}", f"held a secret ({kinds}), which is not stored"))
    return replace(command, **clean), tuple(found)  # type: ignore[type-var]
