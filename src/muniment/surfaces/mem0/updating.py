"""Update a memory: a correction on the word of the key."""

from typing import Any

from muniment.errors import Conflict, Fault, InvalidInput
from muniment.operations.changes import says, value_instead
from muniment.operations.items import Item
from muniment.surfaces.mem0 import shapes
from muniment.surfaces.mem0.asking import Asking
from muniment.surfaces.mem0.filters import ENTITIES, check_own, end_of, moment
from muniment.surfaces.mem0.memories import carried, current, marks, shown


async def update(command: shapes.Update, asking: Asking) -> dict[str, Any]:
    """Correct a memory: as an operator where the key may speak as one, else as the assistant. Of a
    key that may only propose, the answer is what is held still, and that the update waits.

    Raises NotFound, and Conflict unless the memory, and no other, says it from now on.
    """
    item = await current(asking, command.memory_id)
    user_id = item.user_id or ""
    beside = (await carried(asking, user_id, [item]))[item.id]
    before = {**beside, **item.metadata}
    metadata = before
    if command.metadata is not None:
        check_own(command.metadata, before)
        metadata = {n: before[n] for n in ENTITIES if n in before} | command.metadata
    dates = _dates(command, item)
    text = command.text or item.text
    if text == item.text and not any(dates.values()):
        if metadata != before:
            fault = Fault("/metadata", "is changed together with the text alone")
            raise InvalidInput(faults=[fault])
        return shown(item, user_id, beside)
    marked = await marks(asking, user_id, item)
    own = {name: metadata[name] for name in ENTITIES if name in metadata}
    if any(one.metadata != own for one in marked):
        # What several wrote is told by their turns alone, and goes with the last of them.
        metadata = {name: one for name, one in metadata.items() if name not in own}
    caller = await asking.caller()
    changed = await asking(
        "memories.correct",
        id=item.id,
        text=None if text == item.text else text,
        value=_value(item, text),
        speaker="operator" if "operator" in caller.roles else "assistant",
        evidence=[_cited(one) for one in marked] or None,
        metadata=metadata,
        **dates,
    )
    if changed.outcome == "quarantined":
        return _waits(shown(item, user_id, beside), changed.rule)
    if changed.id is None or changed.outcome != "superseded":
        raise _stands()
    if {*changed.superseded} - {item.id}:
        # It would be one memory with another, and go with the run, agent or application of either.
        await asking("memories.undo", id=changed.id)
        raise _said_already()
    now = await asking("memories.get", id=changed.id)
    if now.status == "contested" or not (changed.warnings or _says(now, text)):
        raise _stands()
    return shown(now, user_id, (await carried(asking, user_id, [now]))[now.id])


def _dates(command: shapes.Update, item: Item) -> dict[str, str | None]:
    if command.expiration_date is None and (item.valid_to or item.expires_at) is not None:
        fault = Fault("/expiration_date", "an end that was given is moved, and not taken away")
        raise InvalidInput(faults=[fault])
    at = command.timestamp
    return {
        "valid_from": None if at is None else moment(at, "/timestamp"),
        "valid_to": end_of(command.expiration_date or None),
    }


def _cited(turn: Item) -> dict[str, Any]:
    (place,) = turn.evidence
    return {"session_id": place.session_id, "turn": place.turn}


def _value(item: Item, text: str) -> str | None:
    """The new value, where the text says it in the place of the old one."""
    if item.value is None or says(text, item.value):
        return None
    value = value_instead(item, text)
    if value is None:
        told = (
            f"says another {item.slot} in other words; put it where the memory says "
            f"{item.value!r} ({item.text!r}), or delete the memory and add the text"
        )
        raise InvalidInput(faults=[Fault("/text", told)])
    return value


def _says(item: Item, text: str) -> bool:
    return item.text == text or (item.value is not None and says(text, item.value))


def _stands() -> Conflict:
    return Conflict(
        "What is held comes from a source of more weight, so it stays, and the update is kept "
        "beside it as contested. What the user said is replaced by what the user says: add it as "
        "their message. Or delete the memory and add the text with infer=false."
    )


def _said_already() -> Conflict:
    return Conflict(
        "Another memory of the user says that already, so this one stays as it is. Delete it, and "
        "add the text with infer=false: one memory then rests on both."
    )


def _waits(told: dict[str, Any], rule: str) -> dict[str, Any]:
    waits = {"outcome": "quarantined", "rule": rule}
    message = "The update waits for a review; until then the memory says what it said"
    return told | {"message": message, "muniment": told["muniment"] | waits}
