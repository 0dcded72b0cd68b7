"""Muniment: a self-hosted memory service for AI agents.

``Client`` and ``AsyncClient`` speak to a running service, ``each`` goes through its lists;
``muniment serve`` is one.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from muniment.client import AsyncClient, Client, async_each, each

__all__ = ["AsyncClient", "Client", "async_each", "each"]


def __getattr__(name: str) -> Any:
    # At its first use: the processes of the service start without the client's models.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from muniment import client  # noqa: PLC0415

    return getattr(client, name)
