"""The family recall. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import (
    Item,
    Watermarks,
)
from muniment.errors import Fault


@dataclass(frozen=True)
class AskedPeriod:
    """The time that ``words`` of the query name, from ``start`` to before ``end``, counted in days
    of ``timezone``. ``use``: ``only`` what the user's record has of then was looked for; ``near``:
    what is of then counts for more, and nothing is left out for it.
    """

    words: str
    start: datetime
    end: datetime
    timezone: str
    use: Literal["only", "near"]


@dataclass(frozen=True)
class MemoryView:
    """Items, best first. ``watermark`` given as ``known_at`` asks for the same set again.

    Where another write was under way, ``watermarks`` do so exactly: ``user`` as ``known_at``,
    ``org`` as ``org_known_at``. ``period``: the time that the query names, as it was understood.
    ``warnings``: that a model was to order the items, and did not.
    """

    items: tuple[Item, ...]
    recall_id: UUID
    abstained: bool
    watermark: datetime
    watermarks: Watermarks
    period: AskedPeriod | None = None
    warnings: tuple[Fault, ...] = ()


_RECALL = Endpoint("recall", "POST", "/v1/recall")


class RecallCalls:
    """Calls of the family recall."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def recall(
        self,
        *,
        user_id: str,
        query: str,
        match: Literal["similar", "named"] = "similar",
        times: Literal["read", "ignore"] = "read",
        timezone: str | None = None,
        k: int = 10,
        tiers: Sequence[Literal["episodic", "semantic", "knowledge"]] | None = None,
        kinds: Sequence[str] | None = None,
        scope: Literal["user", "org"] | None = None,
        namespace: str = "default",
        data_source: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        org_known_at: datetime | None = None,
        filter: Mapping[str, Any] | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        step: int | None = None,
        agent_id: str | None = None,
    ) -> MemoryView:
        """Recall what answers a question about a user.

        A question about a user. ``session_id``, ``run_id``, ``step``, ``agent_id`` say for
        whom; an open run is told when an item of the answer does not hold any more.

        ``as_of`` asks about the world then, ``known_at`` about the record then;
        ``org_known_at`` about the organisation's record where that is another moment.
        ``tiers``: those that the key reaches, unless it says which; ``knowledge`` are the
        documents of stewards. ``scope``: what is the user's alone, or the organisation's alone.
        ``match``: ``named`` answers with what holds of the entities that the query names, and
        one hop around them, alone. ``times``: a time in the query ("on 3 May", "last month") is
        kept to where it is that of the talk, and preferred elsewhere, in days of ``timezone``,
        unless it is to ``ignore`` them.

        >>> client.recall(user_id="nora", query="Where does Nora live?")
        """
        return self._call(
            _RECALL, {'user_id': user_id, 'query': query, 'match': match, 'times': times,
            'timezone': timezone, 'k': k, 'tiers': tiers, 'kinds': kinds, 'scope': scope,
            'namespace': namespace, 'data_source': data_source, 'as_of': as_of,
            'known_at': known_at, 'org_known_at': org_known_at, 'filter': filter,
            'session_id': session_id, 'run_id': run_id, 'step': step, 'agent_id': agent_id},
            MemoryView
        )  # fmt: skip


class AsyncRecallCalls:
    """Calls of the family recall."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def recall(
        self,
        *,
        user_id: str,
        query: str,
        match: Literal["similar", "named"] = "similar",
        times: Literal["read", "ignore"] = "read",
        timezone: str | None = None,
        k: int = 10,
        tiers: Sequence[Literal["episodic", "semantic", "knowledge"]] | None = None,
        kinds: Sequence[str] | None = None,
        scope: Literal["user", "org"] | None = None,
        namespace: str = "default",
        data_source: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        org_known_at: datetime | None = None,
        filter: Mapping[str, Any] | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        step: int | None = None,
        agent_id: str | None = None,
    ) -> MemoryView:
        """Recall what answers a question about a user.

        A question about a user. ``session_id``, ``run_id``, ``step``, ``agent_id`` say for
        whom; an open run is told when an item of the answer does not hold any more.

        ``as_of`` asks about the world then, ``known_at`` about the record then;
        ``org_known_at`` about the organisation's record where that is another moment.
        ``tiers``: those that the key reaches, unless it says which; ``knowledge`` are the
        documents of stewards. ``scope``: what is the user's alone, or the organisation's alone.
        ``match``: ``named`` answers with what holds of the entities that the query names, and
        one hop around them, alone. ``times``: a time in the query ("on 3 May", "last month") is
        kept to where it is that of the talk, and preferred elsewhere, in days of ``timezone``,
        unless it is to ``ignore`` them.

        >>> await client.recall(user_id="nora", query="Where does Nora live?")
        """
        return await self._call(
            _RECALL, {'user_id': user_id, 'query': query, 'match': match, 'times': times,
            'timezone': timezone, 'k': k, 'tiers': tiers, 'kinds': kinds, 'scope': scope,
            'namespace': namespace, 'data_source': data_source, 'as_of': as_of,
            'known_at': known_at, 'org_known_at': org_known_at, 'filter': filter,
            'session_id': session_id, 'run_id': run_id, 'step': step, 'agent_id': agent_id},
            MemoryView
        )  # fmt: skip
