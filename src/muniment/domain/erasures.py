"""The erasure ledger: a line for each erasure and each hold, by keyed digests alone.

The file lies outside the database and its backups (RULES 15.4). A line that a database has not
carried out is carried out before it serves.
"""

import hmac
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal, Protocol
from uuid import UUID

Step = Literal["user", "parts", "reopen", "void", "hold", "release"]

_TITLE: Final = "muniment erasure ledger"
_RANGE = re.compile(r"\[(\d+),(\d+)\)")


def digest_of(key: bytes, tenant_id: UUID, kind: str, *names: str) -> str:
    """HMAC-SHA256 of an id or of a name that a caller chose, hexadecimal."""
    said = json.dumps([str(tenant_id), kind, *names]).encode()
    return hmac.new(key, said, sha256).hexdigest()


def header_of(key: bytes) -> str:
    """The first line of the ledger of the installation that has this key."""
    return json.dumps({"title": _TITLE, "installation": _mac(key, "installation")[:32]})


class Ledger(Protocol):
    """The erasure ledger: lines outside the database and its backups, durable once appended."""

    async def append(self, header: str, *lines: str) -> None:
        """Raises Unavailable or StorageFull, with nothing appended. ``header`` begins a new one."""
        ...

    def append_now(self, header: str, *lines: str) -> None:
        """The same without letting other calls go on."""
        ...

    def text(self) -> str:
        """All of it; nothing if there is none. Raises OSError."""
        ...


@dataclass(frozen=True)
class Entry:
    """One erasure, or one reopening. ``name`` is the digest of the user or session that takes no
    writes any more, ``scope`` and ``items`` those of ids. ``void``: the entry named there was taken
    back before it counted.

    Or one hold, which has its id: ``name`` is its user, ``items`` a source or what it covers. Or a
    release: ``name`` is the hold.
    """

    entry_id: UUID
    tenant_id: UUID
    at: datetime
    step: Step
    target: str
    key_id: UUID
    name: str | None = None
    scope: str | None = None
    items: tuple[str, ...] = ()

    @property
    def closes(self) -> str | None:
        """The name that takes no writes any more."""
        return self.name if self.step in ("user", "parts") else None


def line_of(key: bytes, entry: Entry) -> str:
    """An entry as its line, without the line's end; the last field proves that it is whole."""
    told = {
        "entry": str(entry.entry_id),
        "tenant": str(entry.tenant_id),
        "at": entry.at.isoformat(),
        "step": entry.step,
        "target": entry.target,
        "key": str(entry.key_id),
        "name": entry.name,
        "scope": entry.scope,
        "items": list(entry.items),
    }
    return json.dumps(told | {"mac": _mac(key, json.dumps(told))})


@dataclass(frozen=True)
class Reading:
    """What a ledger says: its entries in order, and the numbers of lines that are not whole."""

    entries: tuple[Entry, ...]
    damaged: tuple[int, ...]
    foreign: bool = False


def read_ledger(key: bytes, text: str) -> Reading:
    """The entries of a ledger. A last line without an end does not count: it was never durable."""
    if not text:
        return Reading((), ())
    lines = text.split("\n")[:-1]
    if not lines or lines[0] != header_of(key):
        return Reading((), (), foreign=True)
    entries: list[Entry] = []
    damaged: list[int] = []
    for number, line in enumerate(lines[1:], start=2):
        entry = _entry(key, line)
        if entry is None:
            damaged.append(number)
        else:
            entries.append(entry)
    return Reading(tuple(entries), tuple(damaged))


def pending(entries: Sequence[Entry], known: Collection[UUID]) -> Iterator[Entry]:
    """What a database that carried out ``known`` has to carry out yet, in order, each once."""
    void = {entry.entry_id for entry in entries if entry.step == "void"}
    seen = {*known, *void}
    for entry in entries:
        if entry.entry_id not in seen:
            seen.add(entry.entry_id)
            yield entry


def erased_among(ranges: str, turns: Iterable[int]) -> list[int]:
    """Which of the turns lie in ranges as PostgreSQL writes them: ``{[1,3),[7,8)}``."""
    spans = [(int(first), int(end)) for first, end in _RANGE.findall(ranges)]
    return [turn for turn in turns if any(first <= turn < end for first, end in spans)]


def _mac(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), sha256).hexdigest()


def _entry(key: bytes, line: str) -> Entry | None:
    try:
        told: dict[str, Any] = json.loads(line)
        mac = told.pop("mac")
        if not hmac.compare_digest(mac, _mac(key, json.dumps(told))):
            return None
        return Entry(
            UUID(told["entry"]),
            UUID(told["tenant"]),
            datetime.fromisoformat(told["at"]),
            told["step"],
            told["target"],
            UUID(told["key"]),
            told["name"],
            told["scope"],
            tuple(told["items"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
