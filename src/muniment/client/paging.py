"""Every item of a list, page after page."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)


class Page(Protocol[T_co]):
    """What a list answers with; ``next`` is the ``cursor`` of the following page."""

    @property
    def items(self) -> Sequence[T_co]: ...

    @property
    def next(self) -> str | None: ...


def each(call: Callable[P, Page[T_co]], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T_co]:
    """Every item of a list, fetched a page at a time as they are asked for.

    >>> for memory in each(client.memories.list, user_id="nora", limit=200):
    ...     print(memory.text)
    """
    more: dict[str, Any] = dict(kwargs)
    while True:
        page = cast("Callable[..., Page[T_co]]", call)(*args, **more)
        yield from page.items
        if page.next is None:
            return
        more["cursor"] = page.next


async def async_each(
    call: Callable[P, Awaitable[Page[T_co]]], /, *args: P.args, **kwargs: P.kwargs
) -> AsyncIterator[T_co]:
    """The same for asyncio.

    >>> async for memory in async_each(client.memories.list, user_id="nora"):
    ...     print(memory.text)
    """
    more: dict[str, Any] = dict(kwargs)
    while True:
        page = await cast("Callable[..., Awaitable[Page[T_co]]]", call)(*args, **more)
        for item in page.items:
            yield item
        if page.next is None:
            return
        more["cursor"] = page.next
