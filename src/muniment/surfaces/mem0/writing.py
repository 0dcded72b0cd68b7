"""Add, update and delete memories."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from muniment.errors import Conflict, Fault, InvalidInput
from muniment.surfaces.mem0 import shapes
from muniment.surfaces.mem0.asking import Asking
from muniment.surfaces.mem0.filters import ENTITIES, moment, of_entities
from muniment.surfaces.mem0.memories import SESSION, carried, corrected, current, shown

_ROLES = {"system": "external"}
_EVENTS = {"inserted": "ADD", "superseded": "ADD", "reinforced": "NONE"}
_ONLY_USERS = "only a user's: memories here belong to users"


async def add(command: shapes.Add, asking: Asking) -> dict[str, Any]:
    """Raises InvalidInput where no user is named, or what is asked for is not done here."""
    scope = _scope(command)
    if command.infer:
        return await _learned(command, scope, asking)
    results = []
    for message in command.messages:
        made = await asking(
            "memories.remember",
            kind="fact",
            text=message.content,
            user_id=scope["user_id"],
            agent_id=scope.get("agent_id"),
            metadata=_metadata(command, scope),
            valid_from=_said_at(command),
            valid_to=_end_of(command.expiration_date),
        )
        results.append(
            {
                "id": made.id,
                "memory": message.content,
                "event": _EVENTS.get(made.outcome, "NONE"),
                "muniment": {"outcome": made.outcome, "rule": made.rule},
            }
        )
    return {
        "message": "The messages were kept as memories",
        "status": "SUCCEEDED",
        "event_id": None,
        "results": results,
    }


async def _learned(command: shapes.Add, scope: dict[str, str], asking: Asking) -> dict[str, Any]:
    """Turns of a session of their own, which is closed so that it is consolidated."""
    if command.expiration_date is not None:
        fault = Fault("/expiration_date", "only with infer=false: what is learned lives by policy")
        raise InvalidInput(faults=[fault])
    named = {"user_id": scope["user_id"], "session_id": _session(asking)}
    opened = await asking("sessions.open", **named)
    at = _said_at(command) or opened.opened_at.isoformat()
    turns = [
        {
            "turn": number,
            "role": _ROLES.get(message.role, message.role),
            "content": message.content,
            "occurred_at": at,
            "metadata": _metadata(command, scope),
            **({} if message.name is None else {"name": message.name}),
        }
        for number, message in enumerate(command.messages)
    ]
    await asking("events.write", **named, events=turns, agent_id=scope.get("agent_id"))
    closed = await asking("sessions.close", **named)
    if closed.job_id is None:
        return {"message": "Nothing is left to learn", "status": "SUCCEEDED", "event_id": None}
    return {
        "message": "Memory processing has been queued for background execution",
        "status": "PENDING",
        "event_id": UUID(int=closed.job_id),
    }


async def update(command: shapes.Update, asking: Asking) -> dict[str, Any]:
    """Correct a memory: as an operator where the key may speak as one, else as the assistant.

    Raises NotFound, and Conflict where a word of more weight stands against it.
    """
    item = await current(asking, command.memory_id)
    user_id = item.user_id or ""
    beside = (await carried(asking, user_id, [item]))[item.id]
    before = {**beside, **item.metadata}
    metadata = before
    if command.metadata is not None:
        metadata = {n: before[n] for n in ENTITIES if n in before} | command.metadata
    dates = {
        "valid_from": _moment(command.timestamp),
        "valid_to": _end_of(command.expiration_date or None),
    }
    text = command.text or item.text
    if text == item.text and not any(dates.values()):
        if metadata != before:
            fault = Fault("/metadata", "is changed together with the text alone")
            raise InvalidInput(faults=[fault])
        return shown(item, user_id, beside)
    caller = await asking.caller()
    changed = await asking(
        "memories.correct",
        id=item.id,
        text=None if text == item.text else text,
        speaker="operator" if "operator" in caller.roles else "assistant",
        metadata=metadata,
        **dates,
    )
    if changed.id is None or changed.outcome not in ("inserted", "superseded", "reinforced"):
        raise Conflict(
            "What is held comes from a source of more weight, so it stays; what this says is "
            f"{changed.outcome} (rule {changed.rule})."
        )
    item = await asking("memories.get", id=changed.id)
    return shown(item, user_id, (await carried(asking, user_id, [item]))[item.id])


async def delete(command: shapes.Delete, asking: Asking) -> dict[str, Any]:
    """Erase a memory and what it was before its updates. Raises NotFound."""
    item = await current(asking, command.memory_id)
    ids = await corrected(asking, item.id)
    if command.delete_linked:
        lineage = await asking("memories.lineage", id=ids[0])
        ids += [one for one in lineage.supersedes if one not in ids]
    await asking("forget", user_id=item.user_id, ids=[str(one) for one in ids])
    return {"message": "Memory deleted successfully!"}


async def delete_all(command: shapes.DeleteAll, asking: Asking) -> dict[str, Any]:
    """Erase what the named agent, application or run wrote of a user, or all that is held of
    them; never anything of another user.
    """
    named = {name: getattr(command, name) for name in ENTITIES}
    await asking("forget", user_id=command.user_id, filter=of_entities(**named))
    return {"message": "Memories deleted successfully!"}


async def list_entities(_command: shapes.ListEntities, asking: Asking) -> dict[str, Any]:
    """The users of whom something may be held."""
    users = await asking.all_of("users.list")
    results = [
        {"id": one.user_id, "name": one.user_id, "type": "user", "created_at": one.known_since}
        for one in users
    ]
    return {"count": len(results), "next": None, "previous": None, "results": results}


async def delete_entity(command: shapes.DeleteEntity, asking: Asking) -> dict[str, Any]:
    """Erase all memories of a user, who may be told of again."""
    if command.type != "user":
        raise InvalidInput(faults=[Fault("/type", _ONLY_USERS)])
    await asking("forget", user_id=command.name, filter={})
    return {"message": "Entity deleted successfully!"}


def _scope(command: shapes.Add) -> dict[str, str]:
    """Whose it is, and the agent, application and run; beside the messages or in ``filters``."""
    given = {name: getattr(command, name) for name in ("user_id", *ENTITIES)}
    for name, value in (command.filters or {}).items():
        at = f"/filters/{name}"
        if name not in given or not isinstance(value, str):
            raise InvalidInput(faults=[Fault(at, "only who it is of can be said here")])
        if given[name] not in (None, value):
            raise InvalidInput(faults=[Fault(at, "says another than the field beside")])
        given[name] = value
    if given["user_id"] is None:
        raise InvalidInput(faults=[Fault("/user_id", f"is needed; {_ONLY_USERS}")])
    return {name: value for name, value in given.items() if value is not None}


def _metadata(command: shapes.Add, scope: dict[str, str]) -> dict[str, Any]:
    return command.metadata | {name: scope[name] for name in ENTITIES if name in scope}


def _session(asking: Asking) -> str:
    """A session for these messages alone, the same one if the request is sent again."""
    key = asking.key
    return SESSION + (str(asking.ids.new()) if key is None else sha256(key.encode()).hexdigest())


def _said_at(command: shapes.Add) -> str | None:
    return _moment(command.timestamp)


def _moment(given: Any) -> str | None:
    return None if given is None else moment(given, "/timestamp")


def _end_of(date: str | None) -> str | None:
    """The end of a day."""
    return None if date is None else moment(f"{date}T23:59:59Z", "/expiration_date")
