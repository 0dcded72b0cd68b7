"""The family context. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import (
    DocumentPlace,
    DroppedItem,
    Watermarks,
)


@dataclass(frozen=True)
class ContextItem:
    """An item of a context, as it stands in the text. Of the tier ``run``: what a run holds; the
    id of a fact or a request, else that of the run.
    """

    id: UUID
    tier: Literal["episodic", "semantic", "knowledge", "run"]
    kind: str
    scope: Literal["user", "org"]
    text: str
    as_of: datetime
    trust: Literal["user_stated", "operator", "tool_verified", "agent_inferred", "external_content"]
    stale: bool = False
    is_durative: bool = False
    unconfirmed: bool = False
    contested_by: tuple[UUID, ...] = ()
    score: float | None = None
    document: DocumentPlace | None = None


@dataclass(frozen=True)
class ContextSection:
    """Items of one kind, in the order of the text."""

    name: Literal[
        "required_workarounds",
        "run_state",
        "profile",
        "facts",
        "findings",
        "interactions",
        "knowledge",
    ]
    label: str
    items: tuple[ContextItem, ...]


@dataclass(frozen=True)
class AssembledContext:
    """``text`` is for a prompt: sections that there is something for, items as data between marks.

    ``tokens`` is what the text takes, as ``counter`` counts. ``dropped`` might have been in, each
    with the reason why it is not. ``abstained``: it was looked for what answers the query, and
    nothing does. Of ``watermarks`` the user's as ``known_at``, the organisation's as
    ``org_known_at`` ask about the same set again.
    """

    context_id: UUID
    text: str
    tokens: int
    budget: int
    counter: str
    sections: tuple[ContextSection, ...]
    dropped: tuple[DroppedItem, ...]
    abstained: bool
    watermark: datetime
    watermarks: Watermarks


@dataclass(frozen=True)
class LoggedItem:
    """An item that was in a context, and where."""

    id: UUID
    tier: Literal["episodic", "semantic", "knowledge", "run"]
    section: Literal[
        "required_workarounds",
        "run_state",
        "profile",
        "facts",
        "findings",
        "interactions",
        "knowledge",
    ]
    score: float | None


@dataclass(frozen=True)
class ContextRecord:
    """What is kept of a context: which ids were in it, in the order of its text, and which were
    not, and why, as far as the layers of the key reach. The text is not kept.
    """

    context_id: UUID
    at: datetime
    session_id: str | None
    run_id: str | None
    step: int | None
    agent_id: str | None
    as_of: datetime
    known_at: datetime
    watermark: datetime
    budget: int
    tokens: int
    counter: str
    items: tuple[LoggedItem, ...]
    dropped: tuple[DroppedItem, ...]


_ASSEMBLE = Endpoint("context.assemble", "POST", "/v1/context")
_GET = Endpoint("context.get", "GET", "/v1/users/{user_id}/contexts/{context_id}")


class ContextCalls:
    """Calls of the family context."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def assemble(
        self,
        *,
        user_id: str,
        query: str,
        budget: int | None = None,
        k: int = 10,
        namespace: str = "default",
        data_source: str | None = None,
        mode: Literal["fresh", "extend", "revalidate", "re-run"] | None = None,
        leave_out: Sequence[
            Literal["run_state", "profile", "facts", "findings", "interactions", "knowledge"]
        ] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        org_known_at: datetime | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        step: int | None = None,
        agent_id: str | None = None,
    ) -> AssembledContext:
        """Assemble what a model is to know, within a budget of tokens.

        What a model is to know of a user for one step, within ``budget`` tokens (by default
        what the policy says). ``leave_out`` names sections that are not wanted.

        ``data_source``, by any of its names: what binds on it is required; ``mode`` says what
        becomes of findings, which are those of the source. ``run_id``: what the run holds is
        in, for the present, and it is told when an item does not hold any more. ``k``: so many
        answers of each scope are considered. Times are those of ``recall``.

        >>> client.context.assemble(user_id="nora", query="Where does Nora live?")
        """
        return self._call(
            _ASSEMBLE, {'user_id': user_id, 'query': query, 'budget': budget, 'k': k,
            'namespace': namespace, 'data_source': data_source, 'mode': mode,
            'leave_out': leave_out, 'as_of': as_of, 'known_at': known_at,
            'org_known_at': org_known_at, 'session_id': session_id, 'run_id': run_id,
            'step': step, 'agent_id': agent_id}, AssembledContext
        )  # fmt: skip

    def get(self, *, user_id: str, context_id: UUID) -> ContextRecord:
        """Show what was in a context, and what was left out.

        A context that was assembled for a user.

        >>> client.context.get(user_id="nora", context_id=context_id)
        """
        return self._call(
            _GET, {'user_id': user_id, 'context_id': context_id}, ContextRecord
        )  # fmt: skip


class AsyncContextCalls:
    """Calls of the family context."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def assemble(
        self,
        *,
        user_id: str,
        query: str,
        budget: int | None = None,
        k: int = 10,
        namespace: str = "default",
        data_source: str | None = None,
        mode: Literal["fresh", "extend", "revalidate", "re-run"] | None = None,
        leave_out: Sequence[
            Literal["run_state", "profile", "facts", "findings", "interactions", "knowledge"]
        ] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        org_known_at: datetime | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        step: int | None = None,
        agent_id: str | None = None,
    ) -> AssembledContext:
        """Assemble what a model is to know, within a budget of tokens.

        What a model is to know of a user for one step, within ``budget`` tokens (by default
        what the policy says). ``leave_out`` names sections that are not wanted.

        ``data_source``, by any of its names: what binds on it is required; ``mode`` says what
        becomes of findings, which are those of the source. ``run_id``: what the run holds is
        in, for the present, and it is told when an item does not hold any more. ``k``: so many
        answers of each scope are considered. Times are those of ``recall``.

        >>> await client.context.assemble(user_id="nora", query="Where does Nora live?")
        """
        return await self._call(
            _ASSEMBLE, {'user_id': user_id, 'query': query, 'budget': budget, 'k': k,
            'namespace': namespace, 'data_source': data_source, 'mode': mode,
            'leave_out': leave_out, 'as_of': as_of, 'known_at': known_at,
            'org_known_at': org_known_at, 'session_id': session_id, 'run_id': run_id,
            'step': step, 'agent_id': agent_id}, AssembledContext
        )  # fmt: skip

    async def get(self, *, user_id: str, context_id: UUID) -> ContextRecord:
        """Show what was in a context, and what was left out.

        A context that was assembled for a user.

        >>> await client.context.get(user_id="nora", context_id=context_id)
        """
        return await self._call(
            _GET, {'user_id': user_id, 'context_id': context_id}, ContextRecord
        )  # fmt: skip
