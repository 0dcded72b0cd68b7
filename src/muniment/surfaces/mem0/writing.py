"""Add and delete memories."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from muniment.errors import Fault, InvalidInput
from muniment.operations.types import Statement
from muniment.surfaces.mem0 import shapes
from muniment.surfaces.mem0.asking import Asking
from muniment.surfaces.mem0.filters import ENTITIES, check_own, end_of, moment, of_entities
from muniment.surfaces.mem0.memories import MARK, SESSION, any_of, corrected, current, of_others_too

_ROLES = {"system": "external"}
_EVENTS = {"inserted": "ADD", "superseded": "ADD", "reinforced": "NONE"}
_KEPT = "The messages were kept as memories"
_STATEMENTS: TypeAdapter[str] = TypeAdapter(Statement)
_ONLY_USERS = "only a user's: memories here belong to users"


async def add(command: shapes.Add, asking: Asking) -> dict[str, Any]:
    """Raises InvalidInput where no user is named, or what is asked for is not done here."""
    scope = _scope(command)
    check_own(command.metadata, scope)
    if command.infer:
        return await _learned(command, scope, asking)
    _each_says(command.messages)
    written_by = scope.keys() & {*ENTITIES}
    marked = await _marked(command, scope, asking) if written_by else None
    results = []
    for number, message in enumerate(command.messages):
        made = await asking.about(
            f"/messages/{number}/content",
            "memories.remember",
            kind="fact",
            text=message.content,
            user_id=scope["user_id"],
            agent_id=scope.get("agent_id"),
            evidence=marked if written_by else None,
            metadata=_metadata(command, scope),
            valid_from=_said_at(command),
            valid_to=end_of(command.expiration_date),
        )
        if made.outcome == "reinforced" and not written_by:
            # Some run may have said it first: this is to outlive a delete of what that wrote.
            marked = marked or await _marked(command, scope, asking)
            if marked is not None:
                await asking("memories.confirm", id=made.id, evidence=marked)
        results.append(
            {
                "id": made.id,
                "memory": message.content,
                "event": _EVENTS.get(made.outcome, "NONE"),
                "muniment": {"outcome": made.outcome, "rule": made.rule},
            }
        )
    waits = any(one["muniment"]["outcome"] == "quarantined" for one in results)
    return {
        "message": "What is quarantined waits for a review" if waits else _KEPT,
        "status": "SUCCEEDED",
        "event_id": None,
        "results": results,
    }


def _each_says(messages: Iterable[shapes.Message]) -> None:
    """Nothing is kept unless every message can be a memory."""
    faults = []
    for number, message in enumerate(messages):
        try:
            _STATEMENTS.validate_python(message.content)
        except ValidationError as error:
            said = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            faults.append(Fault(f"/messages/{number}/content", said))
    if faults:
        raise InvalidInput(faults=faults)


async def _marked(
    command: shapes.Add, scope: dict[str, str], asking: Asking
) -> list[dict[str, Any]] | None:
    """A turn of a session of its own for the memories to rest on: the same text of two runs is one
    memory, which goes when what both wrote is deleted. None for a key that writes no turns.
    """
    if not await asking.may("sessions.open", "events.write"):
        return None
    written_by = {name: scope[name] for name in ENTITIES if name in scope}
    named = {"user_id": scope["user_id"], "session_id": _session(asking)}
    opened = await asking("sessions.open", **named)
    at = _said_at(command) or opened.opened_at.isoformat()
    mark = {"role": "assistant", "content": MARK, "occurred_at": at, "metadata": written_by}
    turns = [mark | {"turn": 0}]
    await asking("events.write", **named, events=turns, agent_id=scope.get("agent_id"))
    return [{"session_id": named["session_id"], "turn": 0}]


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
    """Erase what the named agent, application or run alone wrote of a user, or all that is held
    of them; never anything of another user.
    """
    given = {name: getattr(command, name) for name in ENTITIES}
    named = {name: one for name, one in given.items() if one is not None}
    wanted = of_entities(**named)
    others = await of_others_too(asking, command.user_id, named) if named else []
    if others:
        wanted = {"$and": [wanted, {"$not": any_of(others)}]}
    await asking("forget", user_id=command.user_id, filter=wanted)
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
        if value == "*":
            raise InvalidInput(faults=[Fault(at, "stands for everything; name one")])
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
    return None if command.timestamp is None else moment(command.timestamp, "/timestamp")
