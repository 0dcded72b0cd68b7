"""The lines of the erasure ledger, and its file.

| text | read |
|---|---|
| none | nothing |
| whole lines | their entries, in order |
| a last line without an end that the title does not count | not counted: it was never durable |
| cut anywhere, a line taken out, two that changed places | how many are missing, or that it is broken |
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
| none, a folder that is not there | begun, for its owner alone, with the title |
| none any more, cut, an older one in its place | LedgerLostError; written again, whole, before it goes on |
| a torn end | cut, then appended |
| another installation's, a link, no folder to make | Unavailable, as it was |
| several at once | every line whole |
"""

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from muniment.domain.erasures import (
    Entry,
    LedgerLostError,
    digest_of,
    erased_among,
    header_of,
    ledger_of,
    line_of,
    pending,
    read_ledger,
    standing_in,
    with_lines,
)
from muniment.errors import Unavailable
from muniment.providers.erasure_ledger import FileLedger, LedgerWatch

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
    return ledger_of(key, entries)


def test_what_was_written_is_read() -> None:
    assert read_ledger(KEY, "").entries == ()
    reading = read_ledger(KEY, text_of(*ENTRIES))
    assert (reading.entries, reading.damaged, reading.foreign) == (ENTRIES, (), False)


def test_a_line_without_an_end_does_not_count() -> None:
    """A crash: the title does not count it yet."""
    torn = ledger_of(KEY, ENTRIES).splitlines(keepends=True)[-1]
    before = text_of(*ENTRIES[:-1])
    for end in range(1, len(torn)):
        reading = read_ledger(KEY, before + torn[:end])
        assert (reading.entries, reading.whole) == (ENTRIES[:-1], True)


def test_what_was_cut_off_or_taken_out_is_told() -> None:
    whole = text_of(*ENTRIES)
    for cut in range(1, len(whole) - len(header_of(KEY))):
        reading = read_ledger(KEY, whole[:-cut])
        assert reading.missing >= 1, cut
        assert reading.missing == len(ENTRIES) - len(reading.entries)
    void = entry(2, step="void", name=None)
    rows = text_of(*ENTRIES, void, entry(4), entry(5)).splitlines(keepends=True)
    for start in range(1, len(rows)):
        for end in range(start + 1, len(rows) + 1):
            assert not read_ledger(KEY, "".join(rows[:start] + rows[end:])).whole, (start, end)
        if start > 1:
            swapped = [*rows[: start - 1], rows[start], rows[start - 1], *rows[start + 1 :]]
            assert read_ledger(KEY, "".join(swapped)).broken, start
    told = read_ledger(KEY, "".join(rows))
    assert (told.whole, len(told.standing)) == (True, 4)


def test_a_title_is_not_made_by_others() -> None:
    assert standing_in(KEY, header_of(KEY, 12)) == 12
    title = header_of(KEY, 12)
    for wrong in (header_of(OTHER, 12), title.replace("12", "11"), title[:-1], "", "{}"):
        assert standing_in(KEY, wrong) is None, wrong


def test_lost_lines_come_before_what_came_after_them() -> None:
    lines = [line_of(KEY, one) for one in ENTRIES]
    for count in range(4):
        for kept in itertools.combinations(ENTRIES, count):
            found = with_lines(KEY, read_ledger(KEY, text_of(*kept)), lines)
            assert tuple(found) == ENTRIES
    late = read_ledger(KEY, text_of(ENTRIES[2], ENTRIES[0]))
    assert with_lines(KEY, late, lines) == [ENTRIES[1], ENTRIES[2], ENTRIES[0]]
    other = read_ledger(KEY, text_of(entry(9), ENTRIES[1]))
    assert with_lines(KEY, other, lines) == [entry(9), *ENTRIES]


def test_a_changed_line_is_told() -> None:
    lines = text_of(*ENTRIES).splitlines()
    chance = random.Random(3)
    for _ in range(200):
        at = chance.randrange(len(lines[2]))
        changed = lines[2][:at] + chr(ord(lines[2][at]) ^ 1) + lines[2][at + 1 :]
        reading = read_ledger(KEY, "\n".join([*lines[:2], changed, lines[3], ""]))
        assert not reading.whole, changed
        assert reading.entries[:1] == ENTRIES[:1]
        if reading.damaged:
            assert (reading.entries, reading.damaged) == ((ENTRIES[0], ENTRIES[2]), (3,)), changed
    link = lines[2].partition("{")[0]
    wrongs = ("", "{}", "[]", "null", '{"mac": 1}', line_of(OTHER, ENTRIES[1]))
    for wrong in (*wrongs, *(link + one for one in wrongs), link.replace(" ", "  ") + lines[2]):
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


LINES = [line_of(KEY, one) for one in ENTRIES]


def written(file: Path) -> FileLedger:
    """A ledger with the entries in it."""
    ledger = FileLedger(file)
    ledger.begin_now(KEY)
    ledger.append_now(KEY, *LINES)
    return ledger


def test_the_file(tmp_path: Path) -> None:
    ledger = FileLedger(tmp_path / "new" / "ledger")
    assert ledger.text() == ""
    for _ in range(2):
        ledger.begin_now(KEY)
        assert ledger.text() == text_of()
    ledger.append_now(KEY, *LINES[:2])
    with ledger.file.open("a") as file:
        file.write(LINES[2][:40])
    assert read_ledger(KEY, ledger.text()).entries == ENTRIES[:2]
    ledger.append_now(KEY, LINES[2])
    assert ledger.text() == text_of(*ENTRIES)
    assert ledger.file.stat().st_mode & 0o777 == 0o600
    void = entry(3, step="void", name=None)
    ledger.retract(KEY, line_of(KEY, void))
    assert ledger.text() == text_of(*ENTRIES, void)


@pytest.mark.parametrize("others", [False, True], ids=["who wrote it", "another process"])
@pytest.mark.parametrize("left", [None, 0, 1, 2, 3], ids=str)
def test_a_ledger_that_lost_lines_is_not_gone_on_with(
    tmp_path: Path, left: int | None, others: bool
) -> None:
    """Gone, empty, cut to its title, to a line, to two: written again, in the order it had."""
    ledger = written(tmp_path / "ledger")
    rows = ledger.text().splitlines(keepends=True)
    ledger.file.unlink()
    if left is not None:
        ledger.file.write_text("".join(rows[:left]))
    again, more = FileLedger(ledger.file) if others else ledger, line_of(KEY, entry(4))
    with pytest.raises(LedgerLostError):
        again.append_now(KEY, more)
    again.retract(KEY, line_of(KEY, entry(9, step="void", name=None)))
    assert again.mend_now(KEY, LINES) == len(ENTRIES) - max(0, (left or 1) - 1)
    again.append_now(KEY, more)
    reading = read_ledger(KEY, again.text())
    assert [one for one in reading.entries if one.step != "void"] == [*ENTRIES, entry(4)]
    assert reading.whole
    assert ledger.file.stat().st_mode & 0o777 == 0o600
    assert [*tmp_path.iterdir()] == [ledger.file]


def test_an_older_ledger_in_its_place(tmp_path: Path) -> None:
    """It is whole by itself: who wrote more into it knows, and readiness by the database."""
    ledger, watch = written(tmp_path / "ledger"), LedgerWatch(tmp_path / "ledger")
    assert watch.problem(KEY, 3) is None
    ledger.file.write_text(text_of(*ENTRIES[:2]))
    assert "less than the database" in (watch.problem(KEY, 3) or "")
    with pytest.raises(LedgerLostError):
        ledger.append_now(KEY, line_of(KEY, entry(4)))
    ledger.mend_now(KEY, LINES)
    assert watch.problem(KEY, 3) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no erasure ledger"),
        (text_of(*ENTRIES)[:-2], "damaged"),
        (text_of(*ENTRIES, key=OTHER), "another installation"),
        (text_of(*ENTRIES[:2]), "less than"),
    ],
    ids=["gone", "torn", "another's", "behind"],
)
def test_what_readiness_says(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "ledger"
    if text is not None:
        file.write_text(text)
    assert said in (LedgerWatch(file).problem(KEY, 3) or "")
    file.unlink(missing_ok=True)
    (tmp_path / "other").write_text("")
    file.symlink_to(tmp_path / "other")
    assert "cannot be written" in (LedgerWatch(file).problem(KEY, 3) or "")


def test_a_file_that_is_not_ours_stays(tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    file.write_text(text_of(*ENTRIES, key=OTHER))
    (tmp_path / "link").symlink_to(file)
    for place in (file, tmp_path / "link", file / "below"):
        with pytest.raises(Unavailable):
            FileLedger(place).append_now(KEY, LINES[0])
        with pytest.raises(Unavailable):
            FileLedger(place).mend_now(KEY, LINES)
    assert file.read_text() == text_of(*ENTRIES, key=OTHER)


def test_writers_at_once(tmp_path: Path) -> None:
    entries = [entry(number) for number in range(60)]

    FileLedger(tmp_path / "ledger").begin_now(KEY)

    def write(one: Entry) -> None:
        """One in five writes the whole again instead, and loses nobody's line."""
        ledger = FileLedger(tmp_path / "ledger")
        if one.entry_id.int % 5:
            ledger.append_now(KEY, line_of(KEY, one))
        else:
            ledger.mend_now(KEY, [line_of(KEY, one)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, entries))
    reading = read_ledger(KEY, FileLedger(tmp_path / "ledger").text())
    assert sorted(reading.entries, key=lambda one: one.entry_id.int) == entries
    assert reading.whole
