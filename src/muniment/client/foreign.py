"""What other memories export, read into what can be written here: memories, or conversations.

mem0: a list of JSON, an object with ``results``, or a line each. LangGraph: rows of ``store``
(prefix, key, value, created_at), as JSON or a line each. Lines: ``{"text": ..., "user_id"?,
"kind"?, "at"?, "metadata"?}``. Every fault names its place, and a file with one imports nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from muniment.errors import Fault, InvalidInput

_MOST_FAULTS = 20
_MOST_BYTES = 64 * 1024
_MOST_NAME = 256
_TEXTS = ("text", "content", "memory", "data")


@dataclass(frozen=True)
class ForeignMemory:
    """A memory of another system: the place in its file, whose it is, and since when."""

    place: int
    user_id: str
    text: str
    kind: str = "fact"
    at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Unfit(ValueError):
    """A record is not in the format; the message says why, without its content."""


def read_mem0(path: Path, user: str | None) -> list[ForeignMemory]:
    """Memories of a mem0 export; ``user`` stands in for whoever they name."""
    return _read(path, lambda place, one: _mem0(place, one, user), "results")


def read_langgraph(path: Path, user: str | None) -> list[ForeignMemory]:
    """Items of a LangGraph store; the last part of the prefix is the user, unless one is named."""
    return _read(path, lambda place, one: _langgraph(place, one, user), "items")


def read_lines(path: Path, user: str | None) -> list[ForeignMemory]:
    """Memories, one object a line."""
    return _read(path, lambda place, one: _plain(place, one, user), "memories")


def _mem0(place: int, one: Mapping[str, Any], user: str | None) -> ForeignMemory:
    beside = {
        "mem0_id": one.get("id"),
        "agent_id": one.get("agent_id"),
        "run_id": one.get("run_id"),
    }
    beside["categories"] = one.get("categories") or None
    metadata = one.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise Unfit("metadata is not an object")
    return ForeignMemory(
        place=place,
        user_id=_user(user, one.get("user_id")),
        text=_text(one.get("memory")),
        at=moment(one.get("created_at")),
        metadata=metadata | {name: value for name, value in beside.items() if value is not None},
    )


def _langgraph(place: int, one: Mapping[str, Any], user: str | None) -> ForeignMemory:
    prefix, key, value = one.get("prefix", one.get("namespace")), one.get("key"), one.get("value")
    parts = prefix.split(".") if isinstance(prefix, str) else prefix
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise Unfit("prefix is neither a text nor a list of texts")
    if isinstance(value, str):
        value = _decoded(value)
    if not isinstance(key, str) or not isinstance(value, dict):
        raise Unfit("key is no text, or value is no object")
    said = [value[name] for name in _TEXTS if isinstance(value.get(name), str)]
    # What has no text of its own is told as it stands.
    text = said[0] if said else f"{key}: {json.dumps(value, ensure_ascii=False)}"
    return ForeignMemory(
        place=place,
        user_id=_user(user, parts[-1] if parts else None),
        text=_text(text),
        at=moment(one.get("created_at")),
        metadata={"prefix": ".".join(parts), "key": key},
    )


def _plain(place: int, one: Mapping[str, Any], user: str | None) -> ForeignMemory:
    unknown = sorted(set(one) - {"text", "user_id", "kind", "at", "metadata"})
    if unknown:
        raise Unfit(f"has {len(unknown)} members that are none of this format")
    metadata, kind = one.get("metadata", {}), one.get("kind", "fact")
    if not isinstance(metadata, dict) or not isinstance(kind, str):
        raise Unfit("metadata is no object, or kind no text")
    at = moment(one.get("at"))
    return ForeignMemory(
        place, _user(user, one.get("user_id")), _text(one.get("text")), kind, at, metadata
    )


def _user(named: str | None, found: object) -> str:
    user = named or found
    if not isinstance(user, str) or not user.strip() or len(user.encode()) > _MOST_NAME:
        raise Unfit("names no user; say which with --user")
    return user


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Unfit("has no text")
    if len(value.encode("utf-8", "replace")) > _MOST_BYTES:
        raise Unfit("has a text of more than 64 KiB")
    return value


def moment(value: object) -> datetime | None:
    """An instant from ISO 8601 (without an offset: UTC) or seconds since 1970. Raises Unfit."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise Unfit("has a time that is none")


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unfit("is not JSON") from None


def read_text(path: Path) -> str:
    """The text of a file. Raises InvalidInput."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InvalidInput(f"{path}: {reason}.") from None


def _records(text: str, name: str) -> Iterator[tuple[int, Any, bool]]:
    """Each record with its place: its number in a list, its line in lines; True if that is JSON."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and isinstance(whole.get(name), list):
        whole = whole[name]
    if isinstance(whole, list):
        for number, one in enumerate(whole, 1):
            yield number, one, True
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, json.loads(line), True
            except (ValueError, RecursionError):
                yield number, None, False


def _read(
    path: Path, made: Callable[[int, Mapping[str, Any]], ForeignMemory], name: str
) -> list[ForeignMemory]:
    found: list[ForeignMemory] = []
    faults: list[Fault] = []
    for place, one, is_json in _records(read_text(path), name):
        if not is_json:
            faults.append(Fault(f"/{place}", "is not JSON"))
        elif not isinstance(one, dict):
            faults.append(Fault(f"/{place}", "is not an object"))
        else:
            try:
                found.append(made(place, one))
            except Unfit as error:
                faults.append(Fault(f"/{place}", str(error)))
    refuse(faults)
    return found


def refuse(faults: list[Fault]) -> None:
    """Raises InvalidInput if there is a fault, naming the first ones."""
    if faults:
        what = f"{len(faults)} of the records are not in the format; nothing was imported."
        raise InvalidInput(what, faults=faults[:_MOST_FAULTS])
