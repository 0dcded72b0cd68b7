"""The lines of the erasure ledger, and its file.

| text | read |
|---|---|
| none | nothing |
| whole lines | their entries, in order |
| a last line without an end | not counted: it was never durable |
| a line changed in any place, cut, of another key | its number; the others are read |
| another first line, or another installation's | foreign |

| entries | to carry out |
|---|---|
| known | not |
| void, whatever the order | not |
| twice | once |
| the others | in order |

| file | append |
|---|---|
| none, a folder that is not there | made, for its owner alone, with the title |
| a torn end | cut, then appended |
| another installation's, a link, no folder to make | Unavailable, as it was |
| several at once | every line whole |
"""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from muniment.domain.erasures import (
    Entry,
    digest_of,
    erased_among,
    header_of,
    line_of,
    pending,
    read_ledger,
)
from muniment.errors import Unavailable
from muniment.providers.erasure_ledger import FileLedger

KEY, OTHER = b"k" * 32, b"o" * 32
TENANT = UUID(int=7)
AT = datetime(2026, 6, 1, 9, 0, 0, 123, tzinfo=UTC)


def entry(number: int, **more: object) -> Entry:
    """A forget of a user."""
    made = Entry(UUID(int=number), TENANT, AT, "user", "user", UUID(int=1), name=f"n{number}")
    return replace(made, **more)  # type: ignore[arg-type]


ENTRIES = (
    entry(1),
    entry(2, step="parts", target="items", name=None, scope="s", items=("a", "b")),
    entry(3, step="reopen"),
)


def text_of(*entries: Entry, key: bytes = KEY) -> str:
    return "".join(
        f"{line}\n" for line in (header_of(key), *(line_of(key, one) for one in entries))
    )


def test_what_was_written_is_read() -> None:
    assert read_ledger(KEY, "").entries == ()
    reading = read_ledger(KEY, text_of(*ENTRIES))
    assert (reading.entries, reading.damaged, reading.foreign) == (ENTRIES, (), False)


def test_a_line_without_an_end_does_not_count() -> None:
    whole = text_of(*ENTRIES)
    last = len(line_of(KEY, ENTRIES[-1])) + 1
    for cut in range(1, last + 1):
        reading = read_ledger(KEY, whole[:-cut])
        assert (reading.entries, reading.damaged) == (ENTRIES[:-1], ())


def test_a_changed_line_is_told() -> None:
    lines = text_of(*ENTRIES).splitlines()
    chance = random.Random(3)
    for _ in range(200):
        at = chance.randrange(len(lines[2]))
        changed = lines[2][:at] + chr(ord(lines[2][at]) ^ 1) + lines[2][at + 1 :]
        reading = read_ledger(KEY, "\n".join([*lines[:2], changed, lines[3], ""]))
        assert (reading.entries, reading.damaged) == ((ENTRIES[0], ENTRIES[2]), (3,)), changed
    for wrong in ("", "{}", "[]", "null", '{"mac": 1}', line_of(OTHER, ENTRIES[1])):
        assert read_ledger(KEY, "\n".join([*lines[:2], wrong, ""])).damaged == (3,), wrong


@pytest.mark.parametrize("text", [text_of(*ENTRIES, key=OTHER), "\n", "anything\n", "torn"])
def test_a_ledger_of_others_is_foreign(text: str) -> None:
    reading = read_ledger(KEY, text)
    assert (reading.entries, reading.foreign) == ((), True)


def test_what_is_to_be_carried_out() -> None:
    void = entry(2, step="void", name=None)
    told = [ENTRIES[0], ENTRIES[1], void, ENTRIES[2], ENTRIES[2]]
    assert [*pending(told, ())] == [ENTRIES[0], ENTRIES[2]]
    assert [*pending(told, {UUID(int=1)})] == [ENTRIES[2]]
    assert [*pending([void, ENTRIES[1]], ())] == []


def test_digests_tell_names_apart() -> None:
    told = [
        ("user", "a"),
        ("user", "b"),
        ("session", "a"),
        ("session", "a", "b"),
        ("session", "ab"),
    ]
    found = {
        digest_of(key, tenant, *one)
        for one in told
        for key in (KEY, OTHER)
        for tenant in (TENANT, UUID(int=8))
    }
    assert len(found) == 4 * len(told)


def test_turns_that_were_erased() -> None:
    assert erased_among("{[1,3),[7,8)}", range(10)) == [1, 2, 7]
    assert erased_among("{}", range(10)) == []


def test_the_file(tmp_path: Path) -> None:
    ledger = FileLedger(tmp_path / "new" / "ledger")
    assert ledger.text() == ""
    lines = [line_of(KEY, one) for one in ENTRIES]
    ledger.append_now(header_of(KEY))
    ledger.append_now(header_of(KEY), *lines[:2])
    with ledger.file.open("a") as file:
        file.write(lines[2][:40])
    assert read_ledger(KEY, ledger.text()).entries == ENTRIES[:2]
    ledger.append_now(header_of(KEY), lines[2])
    assert ledger.text() == text_of(*ENTRIES)
    assert ledger.file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_not_ours_stays(tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    file.write_text(text_of(*ENTRIES, key=OTHER))
    (tmp_path / "link").symlink_to(file)
    for place in (file, tmp_path / "link", file / "below"):
        with pytest.raises(Unavailable):
            FileLedger(place).append_now(header_of(KEY), line_of(KEY, ENTRIES[0]))
    assert file.read_text() == text_of(*ENTRIES, key=OTHER)


def test_writers_at_once(tmp_path: Path) -> None:
    entries = [entry(number) for number in range(60)]

    def write(one: Entry) -> None:
        FileLedger(tmp_path / "ledger").append_now(header_of(KEY), line_of(KEY, one))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, entries))
    reading = read_ledger(KEY, FileLedger(tmp_path / "ledger").text())
    assert sorted(reading.entries, key=lambda one: one.entry_id.int) == entries
    assert reading.damaged == ()
