"""The memory of agents built with Google ADK (``pip install 'muniment[adk]'``)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from muniment.client import AsyncClient
from muniment.client.erasing import forget_items
from muniment.client.models import Item
from muniment.client.once import write_once
from muniment.client.placing import NamedTurn, instant_of, mark_of
from muniment.errors import Fault, InvalidInput

try:
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai import types
except ModuleNotFoundError as missing:
    raise ImportError("muniment.adk needs google-adk: pip install 'muniment[adk]'.") from missing

_MARK = "adk_event"
_NO_SESSION = "events"


class MunimentMemory(BaseMemoryService):
    """ADK's memory, kept by Muniment: an app is a namespace, a session's events are its turns.

    An event is written once, by its id, and not again once it was forgotten or withdrawn. Raises
    the errors of ``muniment.errors``.

    >>> memory = MunimentMemory(client)
    >>> runner = Runner(app=app, session_service=sessions, memory_service=memory)
    """

    def __init__(self, client: AsyncClient, *, k: int = 10) -> None:
        self._client, self._k = client, k

    async def add_session_to_memory(self, session: Session) -> None:
        """Write what is new of a session, or of its latest events; what was forgotten of it stays
        forgotten, and what was withdrawn stays withdrawn.
        """
        events = [_turn(event, at) for at, event in enumerate(session.events)]
        await self._add(session.app_name, session.user_id, session.id, events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - ADK's signature
    ) -> None:
        """Write events behind those of the session that are there."""
        turns = [_turn(event, None) for event in events]
        await self._add(app_name, user_id, session_id or _NO_SESSION, turns)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remember each as a fact, with the metadata of both."""
        for entry in memories:
            await self._client.memories.remember(
                kind="fact",
                text=_text(entry.content),
                user_id=user_id,
                namespace=app_name,
                metadata={**(custom_metadata or {}), **entry.custom_metadata},
            )

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """What recall answers, best first; nothing where it abstains, or is asked nothing."""
        if not query.strip():
            return SearchMemoryResponse(memories=[])
        view = await self._client.recall(
            user_id=user_id, query=query, namespace=app_name, k=self._k
        )
        return SearchMemoryResponse(memories=[_entry(item) for item in view.items])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Forget an item that a search returned, for good."""
        if memory_id is None:
            return
        try:
            ids = [UUID(memory_id)]
        except (ValueError, AttributeError, TypeError):  # UUID takes any text, and nothing else.
            raise InvalidInput(faults=[Fault("/memory_id", "expected a UUID")]) from None
        await forget_items(self._client, ids, user_id=user_id, namespace=app_name)

    async def _add(
        self, app_name: str, user_id: str, session_id: str, turns: Sequence[NamedTurn]
    ) -> None:
        place = {"namespace": app_name, "user_id": user_id, "session_id": session_id}
        await write_once(self._client, place, _MARK, [one for one in turns if one.content])


def _turn(event: Event, at: int | None) -> NamedTurn:
    """What an event says; nothing, where it is a part of one that is to come, or only a call."""
    text = "" if event.partial or event.content is None else _text(event.content)
    role: Literal["user", "assistant"] = "user" if event.author == "user" else "assistant"
    name = None if role == "user" else event.author
    mark, former = mark_of(event.id)
    return NamedTurn(mark, at, role, text, instant_of(event.timestamp), name, former)


def _text(content: types.Content) -> str:
    parts = content.parts or []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(item: Item) -> MemoryEntry:
    known: dict[str, Any] = {"kind": item.kind, "trust": item.trust, "stale": item.stale}
    return MemoryEntry(
        id=str(item.id),
        content=types.Content(role="user", parts=[types.Part(text=item.text)]),
        author=item.name,
        timestamp=item.as_of.isoformat(),
        custom_metadata=item.metadata | known,
    )
