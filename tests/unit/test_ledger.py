"""The tool ledger, purely (RULES 14.2).

| held | claim | answer |
|---|---|---|
| nothing | | execute, the first attempt |
| anything, other arguments | | refused |
| succeeded, settled as done | | replay |
| failed | without retry, with | replay, execute |
| settled as not done | | execute |
| claimed and held | | in_flight |
| in doubt, or claimed and lapsed | reads or idempotent; writes | execute; in_doubt |
| the same, of a tool that was defined otherwise since | | execute only where both definitions let it |

| held | record | then |
|---|---|---|
| nothing, or fewer attempts | | refused: not claimed |
| claimed, in doubt | of the last attempt | stored |
| claimed, in doubt | of an earlier one: succeeded; else | stored; refused |
| the same | | the same |
| failed | an earlier attempt succeeded after all | stored |
| settled as not done | it succeeded after all | stored |
| succeeded, failed, settled | anything else | refused |
"""

from typing import Any

import pytest

from muniment.domain import ledger
from muniment.domain.ledger import Call, CallState, ResultStatus

A, B = b"a", b"b"


def call(state: CallState, attempt: int = 2, *, effect: str = "write", **more: object) -> Call:
    return Call(state, attempt, A, effect, **({"idempotent": False} | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("held", "retry", "answer"),
    [
        (None, False, ("execute", 1)),
        (call("succeeded"), False, ("replay", 2)),
        (call("succeeded"), True, ("replay", 2)),
        (call("failed"), False, ("replay", 2)),
        (call("failed"), True, ("execute", 3)),
        (call("settled", happened=True), True, ("replay", 2)),
        (call("settled", happened=False), False, ("execute", 3)),
        (call("claimed"), True, ("in_flight", 2)),
        (call("claimed", effect="read"), False, ("in_flight", 2)),
        (call("claimed", lapsed=True), True, ("in_doubt", 2)),
        (call("in_doubt"), True, ("in_doubt", 2)),
        (call("claimed", lapsed=True, effect="read"), False, ("execute", 3)),
        (call("claimed", lapsed=True, idempotent=True), False, ("execute", 3)),
        (call("in_doubt", idempotent=True), False, ("execute", 3)),
    ],
)
def test_claims(held: Call | None, retry: bool, answer: tuple[str, int]) -> None:
    claim = ledger.claim(held, A, retry=retry)
    assert (claim.answer, claim.attempt) == answer
    if held is not None:
        with pytest.raises(ledger.OtherArgumentsError):
            ledger.claim(held, B, retry=retry)


STORED, SAME = "stored", "same"
NONE, OTHER = ledger.NoSuchClaimError, ledger.AnotherResultError


@pytest.mark.parametrize(
    ("held", "attempt", "status", "result", "then"),
    [
        (None, 1, "succeeded", None, NONE),
        (call("claimed"), 3, "succeeded", None, NONE),
        (call("claimed"), 2, "succeeded", A, STORED),
        (call("claimed"), 2, "failed", None, STORED),
        (call("claimed", lapsed=True), 2, "failed", None, STORED),
        (call("claimed"), 1, "succeeded", A, STORED),
        (call("claimed"), 1, "failed", None, OTHER),
        (call("claimed"), 1, "in_doubt", None, OTHER),
        (call("claimed"), 2, "in_doubt", None, STORED),
        (call("in_doubt"), 2, "in_doubt", None, SAME),
        (call("in_doubt"), 2, "failed", None, STORED),
        (call("succeeded", result=A), 2, "succeeded", A, SAME),
        (call("succeeded", result=A), 1, "succeeded", A, SAME),
        (call("succeeded", result=A), 2, "succeeded", B, OTHER),
        (call("succeeded", result=A), 1, "succeeded", B, OTHER),
        (call("succeeded", result=A), 2, "failed", A, OTHER),
        (call("succeeded", result=A), 2, "in_doubt", None, OTHER),
        (call("failed", result=A), 2, "failed", A, SAME),
        (call("failed", result=A), 2, "succeeded", A, OTHER),
        (call("failed", result=A), 1, "succeeded", A, STORED),
        (call("failed", result=A), 1, "in_doubt", None, OTHER),
        (call("settled", happened=True, result=A), 2, "succeeded", A, SAME),
        (call("settled", happened=True, result=A), 2, "succeeded", B, OTHER),
        (call("settled", happened=True), 2, "failed", None, OTHER),
        (call("settled", happened=False), 2, "succeeded", A, STORED),
        (call("settled", happened=False), 2, "failed", None, OTHER),
    ],
)
def test_records(
    held: Call | None, attempt: int, status: ResultStatus, result: bytes | None, then: object
) -> None:
    if isinstance(then, str):
        assert ledger.record(held, attempt, status, result) == then
    else:
        with pytest.raises(then):  # type: ignore[call-overload]
            ledger.record(held, attempt, status, result)


@pytest.mark.parametrize(
    ("held", "happened", "then"),
    [
        (None, True, NONE),
        (call("claimed"), True, ledger.NotInDoubtError),
        (call("succeeded"), False, ledger.NotInDoubtError),
        (call("failed"), True, ledger.NotInDoubtError),
        (call("claimed", lapsed=True), True, STORED),
        (call("in_doubt"), False, STORED),
        (call("settled", happened=True), True, SAME),
        (call("settled", happened=True), False, ledger.NotInDoubtError),
    ],
)
def test_settling(held: Call | None, happened: bool, then: object) -> None:
    if isinstance(then, str):
        assert ledger.settle(held, happened=happened, result=None) == then
    else:
        with pytest.raises(then):  # type: ignore[call-overload]
            ledger.settle(held, happened=happened, result=None)


@pytest.mark.parametrize(
    ("held", "status"),
    [
        (call("claimed"), "claimed"), (call("claimed", lapsed=True), "in_doubt"),
        (call("settled", happened=True), "settled"), (call("settled", happened=False), "not_attempted"),
        (call("failed"), "failed"),
    ],
)  # fmt: skip
def test_as_people_see_it(held: Call, status: str) -> None:
    assert held.status == status


DEFINED: list[tuple[Any, bool]] = [
    (one, twice) for one in ("read", "write") for twice in (False, True)
]


@pytest.mark.parametrize("was", DEFINED)
@pytest.mark.parametrize("now", DEFINED)
def test_a_tool_that_was_defined_otherwise_since(was: Any, now: Any) -> None:
    held = call("in_doubt", effect=was[0], idempotent=was[1]).of_tool(now[0], idempotent=now[1])
    harmless = ("write", False) not in {was, now}
    assert held.effect == max(was[0], now[0])
    assert ledger.claim(held, A).answer == ("execute" if harmless else "in_doubt")
