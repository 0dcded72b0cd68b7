"""What calls of mem0's client carry, read as strictly as every body.

Options that only order results or that are always so here are taken and have no effect; whatever
else mem0 knows and Muniment does not is refused: an option that is ignored misleads.
"""

from dataclasses import field
from typing import Annotated, Any, Literal
from uuid import UUID

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import AfterValidator, Field

from muniment.operations.types import (
    MAX_EVENTS,
    Content,
    Identifier,
    Metadata,
    Page,
    Statement,
    command,
)


def _one(name: str) -> str:
    if name == "*":
        raise ValueError("stands for everything; name one")
    return name


def _moment(given: Any) -> Any:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise ValueError("is not a date, a time or seconds since 1970")
    if isinstance(given, str) and len(given) > _LONGEST_MOMENT:
        raise ValueError("is too long for a time")
    return given


_LONGEST_MOMENT = 64
Named = Annotated[Identifier, AfterValidator(_one)]
"""Somebody or something by name, never everything."""
Date = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Moment = Annotated[Any, AfterValidator(_moment)]
Fields = Annotated[tuple[Annotated[str, MaxLen(64)], ...], MaxLen(50)]
Filters = dict[str, Any]
MOST_FOUND = 100


@command
class Message:
    """One message of a conversation; parts that are no text are not taken."""

    role: Literal["user", "assistant", "system", "tool"]
    content: Content
    name: Identifier | None = None


@command
class Ping:
    """Whether the key is one."""


@command
class Add:
    """Messages to learn from; with ``infer`` false, each is a memory as it stands."""

    messages: Annotated[tuple[Message, ...], MinLen(1), MaxLen(MAX_EVENTS)]
    user_id: Named | None = None
    agent_id: Named | None = None
    app_id: Named | None = None
    run_id: Named | None = None
    filters: Filters | None = None
    metadata: Metadata = field(default_factory=dict)
    infer: bool = True
    timestamp: int | None = None
    expiration_date: Date | None = None


@command
class GetEvent:
    """How far the memories of an ``add`` have come."""

    event_id: UUID


@command
class Search:
    """Memories of a user that answer a query, the best first."""

    query: Statement
    filters: Filters
    top_k: Annotated[int, Ge(1), Le(MOST_FOUND)] = 10
    threshold: Annotated[float, Ge(0), Le(1)] | None = None
    fields: Fields | None = None
    categories: Fields | None = None
    reference_date: Moment | None = None
    rerank: bool = False
    keyword_search: bool = False
    latest_only: Literal[True] = True
    show_expired: Literal[False] = False


@command
class ListAll:
    """Every memory of a user, the newest first."""

    filters: Filters
    start_date: Moment | None = None
    end_date: Moment | None = None
    categories: Fields | None = None
    fields: Fields | None = None
    latest_only: Literal[True] = True
    show_expired: Literal[False] = False
    page: Annotated[int, Ge(1), Le(10_000)] = 1
    page_size: Page = 100


@command
class OneMemory:
    """A memory by its id."""

    memory_id: UUID


@command
class Update:
    """What a memory is to say instead; what is left out stays. ``expiration_date`` is "" where it
    is left out.
    """

    memory_id: UUID
    text: Statement | None = None
    metadata: Metadata | None = None
    timestamp: Moment | None = None
    expiration_date: Date | None = ""


@command
class Delete:
    """Erase a memory; ``delete_linked``: what it replaced too."""

    memory_id: UUID
    delete_linked: bool = False


@command
class DeleteAll:
    """Erase a user's memories, or those of an agent, application or run among them."""

    user_id: Named
    agent_id: Named | None = None
    app_id: Named | None = None
    run_id: Named | None = None


@command
class ListEntities:
    """Whose memories there are."""


@command
class DeleteEntity:
    """Erase all memories of a user."""

    type: Literal["user", "agent", "app", "run"]
    name: Named
