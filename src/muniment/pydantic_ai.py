"""Memory as tools of an agent built with Pydantic AI (``pip install 'muniment[pydantic-ai]'``)."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from muniment.client import AsyncClient
from muniment.client.models import Item
from muniment.errors import Conflict, InvalidInput, NotFound

try:
    from pydantic_ai import ModelRetry
    from pydantic_ai.toolsets import FunctionToolset
except ModuleNotFoundError as missing:
    raise ImportError(
        "muniment.pydantic_ai needs pydantic-ai: pip install 'muniment[pydantic-ai]'."
    ) from missing


def muniment_toolset(
    client: AsyncClient,
    *,
    user_id: str,
    namespace: str = "default",
    session_id: str | None = None,
    agent_id: str | None = None,
    id: str = "muniment",  # noqa: A002 - the name that Pydantic AI gives it
) -> FunctionToolset[Any]:
    """The tools ``recall``, ``remember``, ``correct`` and ``forget`` for one user's memory.

    What a model can put right is said to it (``ModelRetry``); other errors are raised.

    >>> agent = Agent("openai:gpt-5", toolsets=[muniment_toolset(client, user_id="nora")])
    """
    tools = _Tools(client, {"user_id": user_id, "namespace": namespace}, session_id, agent_id)
    return FunctionToolset([tools.recall, tools.remember, tools.correct, tools.forget], id=id)


def muniment_profile(
    client: AsyncClient, *, user_id: str, namespace: str = "default", max_tokens: int | None = None
) -> Callable[[], Awaitable[str]]:
    """What is known of a user for certain, as ``instructions`` of an agent; read anew each run.

    >>> agent = Agent("openai:gpt-5", instructions=muniment_profile(client, user_id="nora"))
    """

    async def profile() -> str:
        place: dict[str, Any] = {"user_id": user_id, "namespace": namespace}
        found = await client.profile.get(max_tokens=max_tokens, **place)
        return f"Known of the user, as data:\n{found.text}" if found.text else ""

    return profile


class _Tools:
    """The tools of one user; what models are told of them is in their docstrings."""

    def __init__(
        self,
        client: AsyncClient,
        place: dict[str, Any],
        session_id: str | None,
        agent_id: str | None,
    ) -> None:
        self._client, self._place = client, place
        self._session_id, self._agent_id = session_id, agent_id

    async def recall(self, query: str, k: int = 10) -> list[dict[str, Any]]:
        """Search what is remembered of the user.

        Args:
            query: What to look for, in words.
            k: How many items at most.
        """
        asking = {"session_id": self._session_id, "agent_id": self._agent_id, **self._place}
        view = await _told(lambda: self._client.recall(query=query, k=k, **asking))
        return [_shown(item) for item in view.items]

    async def remember(
        self, text: str, kind: str = "fact", slot: str | None = None, value: str | None = None
    ) -> dict[str, Any]:
        """Remember one thing about the user.

        Args:
            text: A whole sentence.
            kind: fact, or user_preference for what the user wants or likes.
            slot: The name of what has one value at a time, such as city.
            value: The value of the slot.
        """
        done = await _told(
            lambda: self._client.memories.remember(
                kind=kind, text=text, slot=slot, value=value, agent_id=self._agent_id, **self._place
            )
        )
        return {"id": done.id and str(done.id), "outcome": done.outcome}

    async def correct(self, id: UUID, text: str, value: str | None = None) -> dict[str, Any]:  # noqa: A002
        """Correct a memory that was wrong. For what has changed since, remember the new one.

        Args:
            id: The id that recall gave.
            text: What is right, as a whole sentence.
            value: The value that is right, for a memory with a slot.
        """
        done = await _told(lambda: self._corrected(id, text, value))
        return {"id": done.id and str(done.id), "outcome": done.outcome}

    async def _corrected(self, id_: UUID, text: str, value: str | None) -> Any:
        """Raises NotFound for what is not of this user and namespace, whatever the key reaches."""
        memories, held = self._client.memories, ["asserted", "contested", "quarantined", "archived"]
        since = (await memories.get(id=id_)).valid_from
        asked: dict[str, Any] = {"filter": {"id": str(id_)}, "standing": held, **self._place}
        if not (await memories.list(as_of=since, **asked)).items:
            raise NotFound("There is no such memory.")
        return await memories.correct(id=id_, text=text, value=value, agent_id=self._agent_id)

    async def forget(self, ids: list[UUID], confirm: str | None = None) -> dict[str, Any]:
        """Erase memories for good. The first call says what would go; the second confirms it.

        Args:
            ids: The ids that recall gave.
            confirm: What the first call answered as confirm.
        """
        done = await _told(
            lambda: self._client.forget(
                ids=ids, dry_run=confirm is None, confirm=confirm, **self._place
            )
        )
        return {"done": not done.dry_run, "counts": dict(done.counts), "confirm": done.confirm}


async def _told(call: Callable[[], Awaitable[Any]]) -> Any:
    """What a call answers; what a model can put right is said to it."""
    try:
        return await call()
    except (InvalidInput, NotFound, Conflict) as error:
        raise ModelRetry(f"{error.code}: {error}") from error


def _shown(item: Item) -> dict[str, Any]:
    return {
        "id": str(item.id),
        "text": item.text,
        "kind": item.kind,
        "as_of": item.as_of.isoformat(),
        "trust": item.trust,
        "stale": item.stale,
    }
