"""Values that break a rule, and values that only look as if they did: over HTTP and the SDK.

| value | answer |
|---|---|
| NUL, lone surrogates | U+FFFD with a warning in content, 422 in names |
| NaN, infinities, integers of more than 1,000 digits | refused: 400, by the SDK itself where JSON has no word |
| nested 65 deep | 400; 10,000 deep the SDK refuses by itself |
| 2^53+1 and its like | intact |
| naive, no day, a leap second, outside the years 1 to 9999, with a zone's name, words, numbers | 422 there |
| an hour that the clocks leave out or have twice, with its offset | that instant |
| the first and the last instant there is, anywhere | taken, and every read answers |
| ``valid_to <= valid_from`` | 422 there |
| 200,000 distinct words | 422 in one text; found when spread over turns |
| names in NFC and NFD | one identity |
"""

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import InvalidInput, MalformedBody
from muniment.operations.registry import REGISTRY
from tests.faults.input_calls import Answer, over_http, over_sdk
from tests.faults.input_fields import EVENT, NEEDED, NOON, Field, fields
from tests.unit.test_timeline import NOT_INSTANTS

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
surfaces = pytest.mark.parametrize("surface", ["http", "sdk"])
INSTANTS = [field for field in fields() if field.form == "instant"]
FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"


@pytest.fixture
def ask(surface: str, http: httpx.Client, sdk: Client) -> Any:
    """Asks an operation over one of the surfaces."""

    def asked(name: str, /, **command: Any) -> Answer:
        operation = REGISTRY[name]
        if surface == "http":
            return over_http(http, operation, command)
        return over_sdk(sdk, operation, command)

    return asked


def part(answer: Answer, *path: Any) -> Any:
    """Something inside a result, whether it is a document or a model."""
    found = answer.result
    assert answer.code is None, answer
    for one in path:
        found = (
            getattr(found, one)
            if isinstance(one, str) and not isinstance(found, dict)
            else found[one]
        )
    return found


# Text ---------------------------------------------------------------------------------------------


@surfaces
@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("I live in Gou\x00da.", "I live in Gou\ufffdda."),
        ("I live in Gou\ud800da.", "I live in Gou\ufffdda."),
        ("I live in \udc00\ud800Gouda.", "I live in \ufffd\ufffdGouda."),
    ],
)
def test_broken_content_is_kept_repaired(ask: Any, sdk: Client, content: str, kept: str) -> None:
    answer = ask("events.write", user_id="u", session_id="s", events=[EVENT | {"content": content}])
    assert [part(answer, "warnings", 0, "pointer")] == ["/events/0/content"]
    (item,) = sdk.memories.list(user_id="u", tiers=["episodic"]).items
    assert item.text == kept


@surfaces
def test_whole_content_has_no_warning(ask: Any) -> None:
    answer = ask(
        "events.write", user_id="u", session_id="s", events=[EVENT | {"content": "\ufffd😀"}]
    )
    assert list(part(answer, "warnings")) == []


@surfaces
@pytest.mark.parametrize(
    ("first", "second"), [("Zürich", "Zu\u0308rich"), ("\u212b", "A\u030a"), ("각", "각")]
)
def test_normal_forms_of_a_name_are_one(ask: Any, first: str, second: str) -> None:
    said = EVENT | {"data_source": first, "name": first}
    ask("events.write", user_id=first, session_id=first, namespace=first, events=[said])
    place = {"user_id": second, "namespace": second}
    again = said | {"data_source": second, "name": second}
    answer = ask("events.write", session_id=second, events=[again], **place)
    assert part(answer, "stored") == 0
    assert part(ask("sessions.get", session_id=second, **place), "events") == 1
    ask("working.put", session_id=first, key=first, value=1, **place)
    assert part(ask("working.get", session_id=second, key=second, **place), "value") == 1
    for more in ({"data_source": second}, {"filter": {"name": second, "session_id": second}}):
        answer = ask("memories.list", tiers=["episodic"], **place, **more)
        assert len(part(answer, "items")) == 1


@surfaces
def test_other_letters_are_other_names(ask: Any) -> None:
    """Compatibility forms, case and look-alikes are not folded."""
    for name in ("a", "ａ", "A", "а"):
        ask("working.put", user_id=name, session_id="s", key="k", value=name)
    for name in ("a", "ａ", "A", "а"):
        assert part(ask("working.get", user_id=name, session_id="s", key="k"), "value") == name


# Numbers ------------------------------------------------------------------------------------------

INTACT = [
    2**53 + 1,
    -(2**53) - 1,
    2**63,
    2**64 + 1,
    2**200 + 1,
    10**999,
    0.1,
    5e-324,
    1.7976931348623157e308,
]


@surfaces
def test_numbers_are_intact(ask: Any) -> None:
    value = {"list": INTACT, "deep": {"one": INTACT[0]}}
    ask("working.put", user_id="u", session_id="s", key="k", value=value)
    assert_same(part(ask("working.get", user_id="u", session_id="s", key="k"), "value"), value)
    ask("memories.remember", kind="fact", user_id="u", text="A fact.", metadata=value)
    assert_same(part(ask("memories.list", user_id="u"), "items", 0, "metadata"), value)
    found = ask("memories.list", user_id="u", filter={"metadata.deep.one": INTACT[0]})
    assert len(part(found, "items")) == 1
    found = ask("memories.list", user_id="u", filter={"metadata.deep.one": 2**53})
    assert len(part(found, "items")) == 0


def assert_same(found: Any, value: Any) -> None:
    """The same decimal numbers; a large float may come back as the integer that it is."""
    assert found["deep"] == value["deep"]
    decimals = [[Decimal(repr(one)) for one in each["list"]] for each in (found, value)]
    assert decimals[0] == decimals[1]


@surfaces
@pytest.mark.parametrize(
    "number",
    [float("nan"), float("inf"), float("-inf"), 10**1001, -(10**4000)],
    ids=lambda n: f"{n:.1e}"[:12] if isinstance(n, float) else "integer",
)
def test_numbers_that_are_none(ask: Any, surface: str, number: float) -> None:
    for name, command in (
        ("working.put", {"user_id": "u", "session_id": "s", "key": "k", "value": [number]}),
        ("memories.remember", NEEDED["memories.remember"] | {"metadata": {"k": number}}),
        ("recall", NEEDED["recall"] | {"filter": {"metadata.k": number}}),
        ("recall", NEEDED["recall"] | {"k": number}),
    ):
        answer = ask(name, **command)
        expected = {"malformed_body"}
        if surface == "sdk" and isinstance(number, float):
            # There is no word for it in JSON.
            expected = {"invalid_input"}
        assert answer.code in expected, (name, answer)


def nested(depth: int) -> Any:
    """Lists in lists."""
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


def test_nesting_over_the_sdk(sdk: Client) -> None:
    place: dict[str, Any] = {"user_id": "u", "session_id": "s", "key": "k"}
    sdk.working.put(**place, value=nested(63))
    assert sdk.working.get(**place).value == nested(63)
    with pytest.raises(MalformedBody):
        sdk.working.put(**place, value=nested(64))
    for depth in (300, 10_000, 200_000):
        with pytest.raises((MalformedBody, InvalidInput)):
            sdk.working.put(**place, value=nested(depth))


# Times --------------------------------------------------------------------------------------------


@surfaces
@pytest.mark.parametrize("field", INSTANTS, ids=str)
def test_what_is_no_instant(ask: Any, field: Field) -> None:
    for value in [*NOT_INSTANTS, 0, 1780000000, 1780000000.5, True, [NOON], {"at": NOON}]:
        answer = ask(field.operation.name, **field.with_value(value))
        assert answer.refuses(field.pointer), f"{field}: {value!r}: {answer}"


def test_a_naive_time_over_the_sdk(sdk: Client) -> None:
    naive = datetime(2026, 5, 26, 12)  # noqa: DTZ001 - what is tried
    with pytest.raises(InvalidInput) as caught:
        sdk.events.write(user_id="u", session_id="s", events=[Event(0, "user", "I moved.", naive)])
    assert [fault.pointer for fault in caught.value.faults] == ["/events/0/occurred_at"]
    with pytest.raises(InvalidInput):
        sdk.recall(user_id="u", query="Where?", as_of=naive)


AMSTERDAM = ZoneInfo("Europe/Amsterdam")
# An hour that is not there, and one that is there twice.
GAP = datetime(2026, 3, 29, 2, 30, tzinfo=AMSTERDAM)
FOLD = datetime(2026, 10, 25, 2, 30, tzinfo=AMSTERDAM)


@pytest.mark.parametrize("moment", [GAP, GAP.replace(fold=1), FOLD, FOLD.replace(fold=1)])
def test_hours_that_clocks_leave_out_or_have_twice(sdk: Client, moment: datetime) -> None:
    """A zone is sent as its offset; the fold of an hour decides which one."""
    sdk.memories.remember(kind="fact", user_id="u", text="A fact.", valid_from=moment)
    instant = moment.astimezone(UTC)
    (item,) = sdk.memories.list(user_id="u", as_of=instant).items
    assert item.valid_from == instant
    assert not sdk.memories.list(user_id="u", as_of=instant - timedelta(seconds=1)).items


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00Z"),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00Z"),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00Z"),
        ("2026-05-26t12:00:00.5z", "2026-05-26T12:00:00.500000Z"),
        ("2026-05-26 12:00+23:59", "2026-05-25T12:01:00Z"),
        (FIRST, FIRST),
        (LAST, LAST),
    ],
)
def test_instants_that_look_odd(http: httpx.Client, written: str, instant: str) -> None:
    body = {"kind": "fact", "user_id": "u", "text": "A fact.", "valid_from": written}
    assert http.post("/v1/memories", json=body).status_code == 200
    listed = http.get("/v1/memories", params={"user_id": "u", "as_of": LAST}).json()["items"]
    assert [item["valid_from"] for item in listed] == [instant]


RELATIVE = ("Where did she move last month?", "And last year, or 999 years ago?")


@surfaces
@pytest.mark.parametrize("moment", [FIRST, LAST, "9999-01-01T00:00:00Z"])
def test_the_ends_of_time(ask: Any, moment: str) -> None:
    """Whatever is stored there, and from wherever it is looked at: nothing runs over."""
    user, place = {"user_id": "u"}, {"user_id": "u", "session_id": "s"}
    turns = [EVENT | {"turn": at, "occurred_at": moment} for at in range(2)]
    answers = [ask("events.write", **place, events=turns)]
    cited = {"evidence": [{"session_id": "s", "turn": 0}], **user}
    kinds = ("fact", "user_preference", "finding", "domain_pattern")
    answers += [ask("memories.remember", kind=one, text=f"A {one}.", **cited) for one in kinds]
    for slot in ("city", "pet", "account_tier", "role", "timezone"):
        stated = {"kind": "fact", "text": f"A {slot}.", "slot": slot, "value": "Gouda"}
        answers.append(ask("memories.remember", **stated, **cited))
    answers.append(ask("memories.remember", kind="fact", text="From.", valid_from=moment, **user))
    for axes in ({}, *({axis: end} for axis in ("as_of", "known_at") for end in (FIRST, LAST))):
        answers += [ask("recall", query=query, **user, **axes) for query in RELATIVE]
        answers.append(ask("profile.get", **user, **axes))
        answers.append(ask("memories.list", tiers=["episodic", "semantic"], **user, **axes))
    answers.append(ask("sessions.close", **place))
    assert [answer for answer in answers if answer.code is not None] == []


@surfaces
@pytest.mark.parametrize(
    ("start", "end"), [(NOON, NOON), (NOON, "2026-05-26T11:59:59.999999Z"), (NOON, FIRST), (LAST, LAST),
                       (NOON, "2026-05-26T13:00:00+01:00")]
)  # fmt: skip
def test_a_window_that_ends_before_it_starts(ask: Any, start: str, end: str) -> None:
    command = NEEDED["memories.remember"] | {"valid_from": start, "valid_to": end}
    assert ask("memories.remember", **command).pointers == ("/valid_to",)
    command = NEEDED["memories.remember"] | {"valid_to": FIRST}
    assert ask("memories.remember", **command).pointers == ("/valid_to",)


# Size ---------------------------------------------------------------------------------------------

WORDS = [f"{number:05x}" for number in random.Random(1).sample(range(16**5), 200_000)]


@surfaces
def test_200_000_distinct_words_in_one_text(ask: Any) -> None:
    text = " ".join(WORDS)
    for name, pointer, command in (
        ("recall", "/query", {"query": text}),
        ("memories.remember", "/text", {"text": text}),
        ("memories.remember", "/detail", {"detail": text}),
        ("memories.remember", "/metadata", {"metadata": {"k": WORDS}}),
        ("events.write", "/events/0/content", {"events": [EVENT | {"content": text}]}),
        ("events.write", "/events/0/metadata", {"events": [EVENT | {"metadata": {"k": WORDS}}]}),
    ):
        assert ask(name, **(NEEDED[name] | command)).pointers == (pointer,)
    longest = text[: 64 * 1024]
    assert ask("recall", user_id="u", query=longest).code is None
    ask("working.put", user_id="u", session_id="s", key="k", value=WORDS)
    assert part(ask("working.get", user_id="u", session_id="s", key="k"), "value") == WORDS


@surfaces
def test_200_000_distinct_words_over_turns(ask: Any) -> None:
    size = 10_000
    turns = [
        EVENT | {"turn": at, "content": " ".join(WORDS[at * size : (at + 1) * size])}
        for at in range(len(WORDS) // size)
    ]
    answer = ask("events.write", user_id="u", session_id="s", events=turns)
    assert part(answer, "stored") == len(turns)
    answer = ask("recall", user_id="u", query=f"{WORDS[150_001]} {WORDS[150_002]}", k=1)
    assert part(answer, "items", 0, "evidence", 0, "turn") == 15


@surfaces
@pytest.mark.parametrize("number", [10**30, -1, 0, 2**63])
def test_numbers_in_paths_out_of_range(ask: Any, number: int) -> None:
    assert ask("jobs.get", job_id=number).pointers == ("/job_id",)
