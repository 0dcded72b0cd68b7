"""The session of an OpenAI agent (``pip install 'muniment[openai-agents]'``)."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from muniment.client import AsyncClient
from muniment.client.erasing import forget_items
from muniment.client.models import Event, WrittenTurn
from muniment.client.paging import async_each
from muniment.client.pieces import Role, batches, check_items, joined, piece_of, turns_of
from muniment.errors import Forgotten, NotFound, TurnConflict
from muniment.providers.redactor import SecretRedactor

try:
    from agents import SessionSettings, TResponseInputItem
except ModuleNotFoundError as missing:
    raise ImportError(
        "muniment.openai_agents needs openai-agents: pip install 'muniment[openai-agents]'."
    ) from missing

_MARK = "openai_agents"
_PAGE = 200
_REDACTOR = SecretRedactor()


class MunimentSession:
    """The ``Session`` of one conversation of a user; its turns are remembered like any others.

    An item is given back as it was added, without its secrets, until its time is over or a turn
    that it is kept as was forgotten; what a key of another principal only proposed is not, until it
    is approved. Raises the errors of ``muniment.errors``.

    >>> session = MunimentSession("monday", client, user_id="nora")
    >>> result = await Runner.run(agent, "Where do we deploy?", session=session)
    """

    def __init__(
        self,
        session_id: str,
        client: AsyncClient,
        *,
        user_id: str,
        namespace: str = "default",
        agent_id: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._client, self._agent_id = client, agent_id
        self._user: dict[str, Any] = {"user_id": user_id, "namespace": namespace}
        self._place = self._user | {"session_id": session_id}
        self._free: int | None = None
        self._one_at_a_time = asyncio.Lock()

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Every item in order, or the latest ``limit``."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        return [item for item, _ in await self._held(limit)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items behind those that are there, whoever adds others meanwhile; all are JSON."""
        check_items(items)
        turns = [turn for item in items for turn in turns_of(item, _MARK, *_said(item), _REDACTOR)]
        async with self._one_at_a_time:
            for batch in batches(turns):
                await self._write(batch)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back: it is forgotten, and what was learnt from it."""
        while held := await self._held(1):
            item, ids = held[0]
            if await forget_items(self._client, ids, **self._user):
                return item
        return None

    async def clear_session(self) -> None:
        """Forget every item, and what was learnt from them."""
        ids = [one.event_id for one in await self._turns(None)]
        await forget_items(self._client, ids, **self._user)

    async def _write(self, turns: Sequence[Mapping[str, Any]]) -> None:
        while True:
            first = await self._free_turn() if self._free is None else self._free
            events = [Event(turn=first + at, **turn) for at, turn in enumerate(turns)]
            try:
                await self._client.events.write(
                    events=events, agent_id=self._agent_id, **self._place
                )
            except (TurnConflict, Forgotten) as error:
                self._free = None
                # Somebody else wrote there, or it is forgotten; without a place, all of it is.
                if not error.faults:
                    raise
            else:
                self._free = first + len(events)
                return

    async def _free_turn(self) -> int:
        try:
            page = await self._client.events.list(latest=True, limit=1, **self._place)
        except NotFound:
            return 0
        return page.free_turn

    async def _held(self, limit: int | None) -> list[tuple[TResponseInputItem, list[UUID]]]:
        """Items of which every piece is there, the latest ``limit`` of them, with their turns."""
        if limit is not None and limit <= 0:
            return []
        found = list(joined(turns := await self._turns(limit), _MARK))
        if limit is not None and len(found) < limit <= len(turns):  # Some cannot be read.
            return (await self._held(None))[-limit:]
        return found if limit is None else found[-limit:]

    async def _turns(self, limit: int | None) -> list[WrittenTurn]:
        """Turns that items are kept as, in order; of the latest ``limit`` items at least."""
        found: list[WrittenTurn] = []
        left: dict[str, int] = {}
        size = _PAGE if limit is None else min(limit, _PAGE)
        try:
            async for one in async_each(
                self._client.events.list, latest=True, limit=size, **self._place
            ):
                if one.proposed or (piece := piece_of(one, _MARK)) is None:
                    continue
                found.append(one)
                left[piece.item] = left.get(piece.item, piece.of) - 1
                if limit is not None and list(left.values()).count(0) >= limit:
                    break
        except NotFound:
            return []
        return found[::-1]


def _said(item: Any) -> tuple[Role, str]:
    """Who said what: the words of users, assistants and tools; of anything else none."""
    if item.get("type") == "function_call_output":
        return "tool", _words(item.get("output"))
    role = item.get("role") if item.get("type", "message") == "message" else None
    words = _words(item.get("content")) if role in ("user", "assistant") else ""
    return "user" if role == "user" else "assistant", words


def _words(content: Any) -> str:
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    texts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))
