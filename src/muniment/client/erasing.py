"""Forgetting items for an adapter, whatever the policy asks for."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from muniment.client.client import AsyncClient
from muniment.client.models import Forgotten
from muniment.errors import Changed, InvalidInput

_MOST = 1000


async def forget_items(
    client: AsyncClient, ids: Sequence[UUID], *, user_id: str, namespace: str
) -> int:
    """Forget items of a user for good; how many turns went, or are kept back by a hold alone.

    Where the policy asks for a dry run first, one is made and confirmed.
    """
    went = 0
    for start in range(0, len(ids), _MOST):
        what: dict[str, Any] = {"user_id": user_id, "namespace": namespace}
        some = ids[start : start + _MOST]
        try:
            done = await client.forget(ids=some, **what)
        except InvalidInput as error:
            if [fault.pointer for fault in error.faults] != ["/confirm"]:
                raise
            done = await _confirmed(client, some, what)
        went += done.counts.get("event", 0) + done.held.get("event", 0)
    return went


async def _confirmed(client: AsyncClient, ids: Sequence[UUID], what: dict[str, Any]) -> Forgotten:
    while True:
        tried = await client.forget(ids=ids, dry_run=True, **what)
        try:
            return await client.forget(ids=ids, confirm=tried.confirm, **what)
        except Changed:
            continue  # Something came between; what goes is named by its ids all the same.
