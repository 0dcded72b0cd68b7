"""The erasure ledger: a line for each erasure and each hold, by keyed digests alone.

The file lies outside the database and its backups (RULES 15.4). A line that a database has not
carried out is carried out before it serves. Each line has how many entries stand so far and a MAC
over all lines before it, and the title how many stand in all: what was cut off or taken out misses.
"""

import hmac
import json
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal, Protocol
from uuid import UUID

Step = Literal["user", "parts", "reopen", "void", "hold", "widen", "release"]

_MAC: Final = 64
_TITLE: Final = "muniment erasure ledger"
_STANDING: Final = re.compile(r'"standing": "(\d{12})"', re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,12}", re.ASCII)
_RANGE = re.compile(r"\[(\d+),(\d+)\)")


def digest_of(key: bytes, tenant_id: UUID, kind: str, *names: str) -> str:
    """HMAC-SHA256 of an id or of a name that a caller chose, hexadecimal."""
    said = json.dumps([str(tenant_id), kind, *names]).encode()
    return hmac.new(key, said, sha256).hexdigest()


class LedgerLostError(Exception):
    """There is no ledger, or it has less than it had: it is written again before it goes on."""


def header_of(key: bytes, standing: int = 0) -> str:
    """The first line of the ledger of the installation that has this key, always as long."""
    told = {
        "title": _TITLE,
        "installation": _mac(key, "installation")[:32],
        "standing": f"{standing:012d}",
    }
    return json.dumps(told | {"mac": _mac(key, json.dumps(told))})


def standing_in(key: bytes, header: str) -> int | None:
    """How many entries stand below a first line; None if that is not this installation's."""
    found = _STANDING.search(header)
    if found is None or not hmac.compare_digest(header, header_of(key, int(found[1]))):
        return None
    return int(found[1])


class Ledger(Protocol):
    """The erasure ledger: lines outside the database and its backups, durable once appended.

    Every method raises Unavailable or StorageFull, with nothing changed.
    """

    async def begin(self, key: bytes) -> None:
        """Begin one if there is none."""
        ...

    async def append(self, key: bytes, *lines: str) -> None:
        """Raises LedgerLostError, with nothing appended, where there is none or it lost lines."""
        ...

    def retract(self, key: bytes, line: str) -> None:
        """Append to what there is, without letting other calls go on; nothing where none is."""
        ...

    async def mend(self, key: bytes, lines: Sequence[str]) -> int:
        """Write it again with these lines, in their order; how many it had not."""
        ...

    def text(self) -> str:
        """All of it; nothing if there is none. Raises OSError."""
        ...


@dataclass(frozen=True)
class Entry:
    """One erasure, or one reopening. ``name`` is the digest of the user or session that takes no
    writes any more, ``scope`` and ``items`` those of ids. ``void``: the entry named there was taken
    back before it counted.

    Or one hold, which has its id: ``name`` is its user, ``items`` the names of a source or what it
    covers. Or a release, or names that a held source got: ``name`` is the hold.
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
class Link:
    """Where a ledger is: how many entries stand, and a MAC over every line so far."""

    standing: int
    mac: str

    @classmethod
    def first(cls, key: bytes) -> "Link":
        """Below the title."""
        return cls(0, _mac(key, "first"))

    @classmethod
    def of(cls, row: str) -> "Link | None":
        """Behind a row of the ledger; None if it is not whole."""
        standing, _, rest = row.partition(" ")
        mac, _, line = rest.partition(" ")
        whole = _NUMBER.fullmatch(standing) and len(mac) == _MAC and line
        return cls(int(standing), mac) if whole else None

    def then(self, key: bytes, line: str) -> "Link":
        """Behind one more line."""
        step = -1 if json.loads(line)["step"] == "void" else 1
        standing = max(0, self.standing + step)
        return Link(standing, _mac(key, f"{self.mac} {standing} {line}"))

    def row(self, line: str) -> str:
        """The line as it is in the ledger, with this behind it."""
        return f"{self.standing} {self.mac} {line}"


@dataclass(frozen=True)
class Reading:
    """What a ledger says: its entries in order, and the numbers of lines that are not whole.

    ``missing``: how many entries it had and has not. ``broken``: a line does not follow the one
    before it. A last line without an end does not count where the title does not count it: then it
    never was durable.
    """

    entries: tuple[Entry, ...] = ()
    damaged: tuple[int, ...] = ()
    foreign: bool = False
    missing: int = 0
    broken: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing was changed, cut off or taken out."""
        return not (self.damaged or self.foreign or self.missing or self.broken)

    @property
    def standing(self) -> frozenset[UUID]:
        """Entries that were not taken back."""
        void = {entry.entry_id for entry in self.entries if entry.step == "void"}
        return frozenset(entry.entry_id for entry in self.entries) - void


def read_ledger(key: bytes, text: str) -> Reading:
    """The entries of a ledger, and what is wrong with it."""
    if not text:
        return Reading()
    rows = text.split("\n")[:-1]
    told = standing_in(key, rows[0]) if rows else None
    if told is None:
        return Reading(foreign=True)
    entries: list[Entry] = []
    damaged: list[int] = []
    broken, at = False, Link.first(key)
    for number, row in enumerate(rows[1:], start=2):
        line, link = row.partition("{"), Link.of(row)
        entry = None if link is None else _entry(key, line[1] + line[2])
        if entry is None or link is None:
            damaged.append(number)
            continue
        entries.append(entry)
        broken |= link != at.then(key, line[1] + line[2])
        at = link
    reading = Reading(tuple(entries), tuple(damaged), broken=broken)
    return replace(reading, missing=max(0, told - len(reading.standing)))


def ledger_of(key: bytes, entries: Iterable[Entry]) -> str:
    """The text of a ledger with these entries."""
    at, rows = Link.first(key), list[str]()
    for entry in entries:
        line = line_of(key, entry)
        at = at.then(key, line)
        rows.append(at.row(line))
    return "".join(f"{row}\n" for row in (header_of(key, at.standing), *rows))


def with_lines(key: bytes, reading: Reading, lines: Iterable[str]) -> list[Entry]:
    """The entries of a ledger with those of lines that it lost, each before what came after it in
    the lines: what was forgotten under a hold comes behind the hold.
    """
    found = [entry for line in lines if (entry := _entry(key, line)) is not None]
    rank = {entry.entry_id: place for place, entry in enumerate(found)}
    told = {entry.entry_id for entry in reading.entries}
    lost = deque(entry for entry in found if entry.entry_id not in told)
    entries: list[Entry] = []
    for entry in reading.entries:
        while lost and rank[lost[0].entry_id] < rank.get(entry.entry_id, -1):
            entries.append(lost.popleft())
        entries.append(entry)
    return [*entries, *lost]


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
