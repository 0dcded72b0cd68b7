"""Search, list and look at memories."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from muniment.operations.items import Item
from muniment.operations.memories import MemoryVersion
from muniment.surfaces.mem0 import shapes
from muniment.surfaces.mem0.asking import Asking
from muniment.surfaces.mem0.filters import conditions, moment
from muniment.surfaces.mem0.memories import carried, corrected, current, filter_of, only, shown

_JOB_BITS = 63
_STATES = {"todo": "PENDING", "doing": "RUNNING", "succeeded": "SUCCEEDED"}


async def ping(_command: shapes.Ping, asking: Asking) -> dict[str, Any]:
    """The tenant stands for organisation and project. Raises Unauthenticated."""
    tenant = (await asking.caller()).tenant_id
    return {"status": "ok", "org_id": tenant, "project_id": tenant, "user_email": None}


async def search(command: shapes.Search, asking: Asking) -> dict[str, Any]:
    """Raises InvalidInput where the filters do not name one user."""
    wanted = conditions(_narrowed(command))
    at = command.reference_date
    view = await asking(
        "recall",
        user_id=wanted.user_id,
        query=command.query,
        k=command.top_k,
        scope="user",
        tiers=["semantic"],
        filter=await filter_of(asking, wanted) or None,
        as_of=None if at is None else moment(at, "/reference_date"),
    )
    floor = command.threshold or 0.0
    found = [one for one in view.items if (one.score or 0.0) >= floor]
    beside = await carried(asking, wanted.user_id, found)
    told = [shown(one, wanted.user_id, beside[one.id], scored=True) for one in found]
    return {"results": [only(one, command.fields) for one in told]}


async def list_all(command: shapes.ListAll, asking: Asking) -> dict[str, Any]:
    """Raises InvalidInput where the filters do not name one user."""
    wanted = conditions(_narrowed(command))
    items: list[Item] = await asking.all_of(
        "memories.list", user_id=wanted.user_id, filter=await filter_of(asking, wanted) or None
    )
    items.reverse()
    start = (command.page - 1) * command.page_size
    page = items[start : start + command.page_size]
    beside = await carried(asking, wanted.user_id, page)
    told = [shown(one, wanted.user_id, beside[one.id]) for one in page]
    return {
        "count": len(items),
        "next": _page(command, command.page + 1) if start + len(page) < len(items) else None,
        "previous": _page(command, command.page - 1) if command.page > 1 else None,
        "results": [only(one, command.fields) for one in told],
    }


async def get(command: shapes.OneMemory, asking: Asking) -> dict[str, Any]:
    """Raises NotFound. An id from before an update finds what the memory is now."""
    item = await current(asking, command.memory_id)
    return shown(item, item.user_id, (await carried(asking, item.user_id or "", [item]))[item.id])


async def history(command: shapes.OneMemory, asking: Asking) -> list[dict[str, Any]]:
    """What a memory said, from its first words on, over all its updates. Raises NotFound."""
    item = await current(asking, command.memory_id)
    chain = await corrected(asking, item.id)
    versions: dict[UUID, MemoryVersion] = {}
    for one in chain:
        told = await asking("memories.history", id=one)
        versions |= {version.version_id: version for version in told.versions}
    events: list[dict[str, Any]] = []
    before: str | None = None
    for version in sorted(versions.values(), key=lambda one: (one.recorded_at, one.version_id)):
        if version.id not in chain or version.text == before:
            continue
        events.append(
            {
                "id": version.version_id,
                "memory_id": item.id,
                "old_memory": before,
                "new_memory": version.text,
                "event": "ADD" if before is None else "UPDATE",
                "user_id": item.user_id,
                "created_at": events[0]["created_at"] if events else version.recorded_at,
                "updated_at": version.recorded_at,
            }
        )
        before = version.text
    return events


async def event(command: shapes.GetEvent, asking: Asking) -> dict[str, Any]:
    """How far an ``add`` has come. Raises NotFound."""
    number = command.event_id.int
    job = await asking("jobs.get", job_id=number if 0 < number < 2**_JOB_BITS else 2**_JOB_BITS - 1)
    return {
        "id": command.event_id,
        "event_type": "ADD",
        "status": _STATES.get(job.state, "FAILED"),
        "created_at": job.created_at,
        "updated_at": job.updated_at,
    }


def _narrowed(command: shapes.Search | shapes.ListAll) -> dict[str, Any]:
    """The filters, and what stands beside them that narrows too."""
    more: list[dict[str, Any]] = []
    if command.categories is not None:
        more.append({"categories": {"in": list(command.categories)}})
    if isinstance(command, shapes.ListAll):
        if command.start_date is not None:
            more.append({"created_at": {"gte": moment(command.start_date, "/start_date")}})
        if command.end_date is not None:
            more.append({"created_at": {"lte": moment(command.end_date, "/end_date")}})
    return {"AND": [command.filters, *more]} if more else command.filters


def _page(command: shapes.ListAll, page: int) -> str:
    return "/compat/mem0/v3/memories/?" + urlencode({"page": page, "page_size": command.page_size})
