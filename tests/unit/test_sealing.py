"""The chain of seals: what is hashed, and what is found wrong with a chain.

| done to a chain | found |
|---|---|
| nothing | nothing |
| a column of an entry | `changed_entry` there |
| an entry removed | `missing_entry` there |
| a column of a seal | `changed_seal` there, and `broken_link` behind it for its hash |
| a seal removed | `gap` there |
| the content of two entries, or two seals, swapped | `swapped` at both |
| a seal made anew with its hash | `broken_link` behind it |
| more than a hundred things | a hundred, and that there are more |

Two entries have one digest only if every text is the same, wherever the bounds between texts are.
"""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.sealing import (
    GENESIS,
    MOST_FINDINGS,
    ChainCheck,
    EntryText,
    Finding,
    Seal,
    chained,
    head_message,
    seconds,
)

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
Pair = tuple[Seal, EntryText | None]


def entry(number: int) -> EntryText:
    return EntryText(
        str(UUID(int=1)), str(UUID(int=100 + number)), seconds(NOW), "forget", "destructive",
        str(UUID(int=2)), "r", "{}", f'{{"counts": {number}}}', "{}",
    )  # fmt: skip


def chain(count: int = 5) -> list[Pair]:
    entries = [entry(number) for number in range(count)]
    return list(zip(chained(entries, 0, GENESIS, NOW), entries, strict=True))


def found(pairs: list[Pair]) -> list[Finding]:
    check = ChainCheck()
    for seal, of in pairs:
        check.see(seal, of)
    return check.findings()


def wrong(pairs: list[Pair]) -> set[tuple[str, int | None]]:
    return {(one.wrong, one.seq) for one in found(pairs)}


def test_what_is_hashed() -> None:
    """The form that the documents promise, worked out by hand."""
    ((seal, of),) = chain(1)
    text = (
        '["muniment entry 1","00000000-0000-0000-0000-000000000001",'
        '"00000000-0000-0000-0000-000000000064","1780304400.000000","forget","destructive",'
        '"00000000-0000-0000-0000-000000000002","r","{}","{\\"counts\\": 0}","{}"]'
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert of is not None
    assert seal.digest.hex() == of.digest().hex() == digest
    text = (
        '["muniment seal 1","00000000-0000-0000-0000-000000000001","1",'
        f'"00000000-0000-0000-0000-000000000064","{digest}","{"0" * 64}","1780304400.000000"]'
    )
    assert seal.hash == hashlib.sha256(text.encode()).digest()
    assert head_message("t", 0, GENESIS, None) == (
        b'["muniment head 1","t","0","' + b"0" * 64 + b'",""]'
    )


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (None, ""),
        (NOW, "1780304400.000000"),
        (NOW + timedelta(microseconds=1), "1780304400.000001"),
        (datetime(1970, 1, 1, tzinfo=UTC), "0.000000"),
    ],
)
def test_an_instant_as_text(moment: datetime | None, text: str) -> None:
    assert seconds(moment) == text


def test_a_whole_chain() -> None:
    assert found(chain()) == []
    later = chain()[2:]
    check = ChainCheck(2, chain()[1][0].hash)
    for seal, of in later:
        check.see(seal, of)
    assert (check.findings(), check.seq, check.seen) == ([], 5, 3)


@pytest.mark.parametrize("column", list(EntryText.__slots__))
def test_a_changed_entry(column: str) -> None:
    pairs = chain()
    seal, of = pairs[2]
    assert of is not None
    pairs[2] = seal, replace(of, **{column: getattr(of, column) + "x"})
    assert wrong(pairs) == {("changed_entry", 3)}


def test_a_missing_entry() -> None:
    pairs = chain()
    pairs[0] = pairs[0][0], None
    assert wrong(pairs) == {("missing_entry", 1)}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"tenant_id": "x"}, {("changed_seal", 3)}),
        ({"sealed_at": "0.000000"}, {("changed_seal", 3)}),
        ({"entry_id": "x"}, {("changed_seal", 3)}),
        ({"digest": GENESIS}, {("changed_seal", 3), ("changed_entry", 3)}),
        ({"previous": GENESIS}, {("changed_seal", 3), ("broken_link", 3)}),
        ({"hash": GENESIS}, {("changed_seal", 3), ("broken_link", 4)}),
    ],
)
def test_a_changed_seal(change: dict[str, str], expected: set[tuple[str, int]]) -> None:
    pairs = chain()
    pairs[2] = replace(pairs[2][0], **change), pairs[2][1]  # type: ignore[arg-type]
    assert wrong(pairs) == expected


def test_a_gap() -> None:
    pairs = chain()
    del pairs[1:3]
    assert wrong(pairs) == {("gap", 2)}


def test_swapped_entries() -> None:
    pairs = chain()
    (first, one), (second, other) = pairs[1], pairs[3]
    assert one is not None
    assert other is not None
    pairs[1] = first, replace(other, entry_id=one.entry_id)
    pairs[3] = second, replace(one, entry_id=other.entry_id)
    assert wrong(pairs) == {("swapped", 2), ("swapped", 4)}


def test_swapped_seals() -> None:
    pairs = chain()
    (first, one), (second, other) = pairs[1], pairs[3]
    pairs[1] = replace(second, seq=2), other
    pairs[3] = replace(first, seq=4), one
    assert {("swapped", 2), ("swapped", 4)} <= wrong(pairs)
    assert not {("changed_seal", 2), ("changed_seal", 4)} & wrong(pairs)


def test_a_seal_made_anew() -> None:
    pairs = chain()
    forged = replace(entry(2), operation="nothing")
    pairs[2] = chained([forged], 2, pairs[1][0].hash, NOW)[0], forged
    assert wrong(pairs) == {("broken_link", 4)}


def test_a_long_list_is_cut() -> None:
    check = ChainCheck()
    for seal, _ in chain(MOST_FINDINGS + 5):
        check.see(seal, None)
    assert len(check.findings()) == MOST_FINDINGS
    assert check.more


texts = st.text(max_size=5)
entries = st.builds(EntryText, *[texts] * len(EntryText.__slots__))


@given(entries, entries)
def test_a_digest_is_of_one_entry(one: EntryText, other: EntryText) -> None:
    assert (one.digest() == other.digest()) is (one == other)
