"""Trajectories without a service: names, paths, expectations, differences, files."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from muniment.errors import BadSetting, InvalidInput
from muniment.replay.comparing import class_of, compare, differences
from muniment.replay.expecting import failure, found_at
from muniment.replay.gate import Verdict, files_in, made_embedder
from muniment.replay.loopback import Asked, operation_of, served
from muniment.replay.names import Names, ids_in, pruned, timeless
from muniment.replay.playing import Answered, play
from muniment.replay.recording import Heard, Recorder, trajectory_of, without_keys
from muniment.replay.rehearsal import Rehearsal
from muniment.replay.trajectory import (
    Call,
    Expect,
    Trajectory,
    Work,
    read_trajectory,
    write_trajectory,
)

AT = datetime(2026, 6, 1, 9, tzinfo=UTC)
ONE, TWO = "019e8263-7740-7000-a9b5-2f38ad3dfc27", "019e8263-7740-7001-a9b5-2f38ad3dfc27"
HEADER = '{"trajectory": 1, "at": "2026-06-01T09:00:00Z"}\n'


def test_names_are_those_of_the_first_step_and_lead_back() -> None:
    names = Names()
    names.bind("city", ONE)
    names.learn(3, {"id": ONE, "items": [{"id": TWO, "next": "abc"}], "job_id": 7, "turn": 7})
    told = names.symbolic({"id": ONE, "of": f"see {TWO}", "next": "abc", "job_id": 7, "turn": 7})
    assert told == {"id": "@city", "of": "see @3.1", "next": "@3.2", "job_id": "@3.3", "turn": 7}
    assert names.concrete(["@city", "@3.1", "@3.3", "@@home", "a@b"]) == [
        ONE,
        TWO,
        7,
        "@home",
        "a@b",
    ]
    with pytest.raises(InvalidInput, match="@9"):
        names.concrete({"id": "@9.1"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\u27e612345678\u27e7 data \u27e6/12345678\u27e7", "\u27e6@fence\u27e7 data \u27e6/@fence\u27e7"),
        ("\u27e6123\u27e7", "\u27e6123\u27e7"),
        ("0f" * 32, "@digest"),
        ("0f" * 33, "0f" * 33),
    ],
)  # fmt: skip
def test_chance_in_a_text_has_a_name(text: str, told: str) -> None:
    assert Names().symbolic(text) == told


def test_what_is_empty_or_follows_from_chance_is_not_kept() -> None:
    assert pruned({"a": False, "b": None, "c": [], "score": 1, "d": [{"e": False, "f": "x"}]}) == {
        "d": [{"f": "x"}],
    }  # fmt: skip
    assert timeless(["2026-06-01T09:00:00.5Z", 1]) == ["@time", 1]
    assert ids_in({"items": [{"id": "@b"}, {"id": "@a"}], "more": {"event_id": "@b"}}) == [
        "@b",
        "@a",
    ]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("", {"items": [{"a": 1}, {"a": 2}]}),
        ("/items/1/a", 2),
        ("/items/*/a", [1, 2]),
        ("/items/2/a", None),
        ("/nothing/*", []),
        ("/items/*/b", [None, None]),
    ],
)
def test_paths(path: str, found: Any) -> None:
    assert found_at({"items": [{"a": 1}, {"a": 2}]}, path) == found


@pytest.mark.parametrize(
    ("check", "wanted", "answer", "met"),
    [
        ("is", [1], {"x": [1]}, True),
        ("is", [1], {"x": [2]}, False),
        ("has", "b", {"x": ["abc", "d"]}, True),
        ("has", "b", {"x": "abc"}, True),
        ("has", 2, {"x": [1, 2]}, True),
        ("has", "z", {"x": None}, False),
        ("lacks", "z", {"x": None}, True),
        ("lacks", "b", {"x": ["abc"]}, False),
        ("count", 0, {}, True),
        ("count", 1, {"x": [1, 2]}, False),
    ],
)
def test_expectations(check: str, wanted: Any, answer: Any, met: bool) -> None:
    expected = Expect("recall", {}, "/x", check, wanted)
    assert (failure(expected, answer, None) is None) == met
    assert failure(expected, None, "not_found") is not None
    refused = replace(expected, check="refused", wanted="not_found")
    assert failure(refused, None, "not_found") is None
    assert failure(refused, answer, None) is not None


EVENT = {"turn": 0, "role": "user", "content": "Hi.", "occurred_at": "2026-06-01T09:00:00Z"}
KEPT = {"verdicts": [{"turn": 0, "kept": True}]}
VERSION: dict[str, Any] = {"text": "Lives in Berlin.", "standing": "asserted"}
HELD = {"id": "@1", "versions": [VERSION]}
OTHER = {"id": "@2", "versions": [{"text": "Lives in Vienna.", "standing": "asserted"}]}


@pytest.mark.parametrize(
    ("before", "now", "kind"),
    [
        (Call("events.write", {}, gives=KEPT), Call("events.write", {}, gives={}), "write"),
        (Call("events.write", {}, gives=KEPT), Call("events.write", {}, refused="x"), "refusal"),
        (Call("memories.remember", {}, gives={"outcome": "superseded"}), Call("memories.remember", {}, gives={"outcome": "contested"}), "supersession"),
        (Call("runs.claim_tool", {}, gives={"answer": "replay"}), Call("runs.claim_tool", {}, gives={"answer": "execute"}), "claim"),
        (Call("recall", {}, gives={"items": [{"id": "@1"}, {"id": "@2"}]}), Call("recall", {}, gives={"items": [{"id": "@2"}, {"id": "@1"}]}), "recall"),
        (Call("recall", {}, gives={"items": [{"id": "@1", "text": "a"}]}), Call("recall", {}, gives={"items": [{"id": "@1", "text": "b"}]}), "answer"),
        (Work(("curate",), holds=[HELD]), Work(("curate",), holds=[HELD, OTHER]), "promotion"),
        (Work(("curate",), holds=[HELD]), Work(("curate",), holds=[]), "promotion"),
        (Work(("decay",), holds=[HELD]), Work(("decay",), holds=[{"id": "@1", "versions": [VERSION | {"archived": True}]}]), "supersession"),
        (Work(("decay",)), Work(("decay",), holds=[HELD]), None),
        (Call("recall", {}, gives={"items": []}), Call("recall", {}, gives={"items": []}), None),
    ],
)  # fmt: skip
def test_a_difference_has_a_class(before: Any, now: Any, kind: str | None) -> None:
    found = compare("t", [before], [now])
    assert [one.kind for one in found.divergences] == ([] if kind is None else [kind])
    assert found.rate == (0.0 if kind is None else 1.0)


def test_differences_are_told_in_a_line() -> None:
    assert differences({"a": [1, 2], "b": 1}, {"a": [1, 3], "c": 1}) == "/a/1: 2 -> 3; /b: 1 -> null; /c: null -> 1"  # fmt: skip
    assert class_of("jobs.list") == "answer"


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    whole = Trajectory(
        "t", AT,
        [
            Call("recall", {"user_id": "u", "query": "q"}, "bob", "k", {"r": "/recall_id"}, AT, {}, None),
            Work(("curate", "decay"), AT, [HELD]),
            Expect("recall", {"user_id": "u"}, "/items", "count", 0, "bob", "RULES 11"),
            Call("recall", {}, refused="invalid_input"),
        ],
        "about", ["11"],
    )  # fmt: skip
    write_trajectory(tmp_path / "t.jsonl", whole)
    assert read_trajectory(tmp_path / "t.jsonl") == whole


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "nothing"),
        ('{"trajectory": 2}', "the first line"),
        ("not json", "line 1"),
        (HEADER + "\n" + '{"call": "no.such"}', "line 3: .*no operation"),
        (HEADER + '{"call": "recall", "wiht": {}}', "unknown: wiht"),
        (HEADER + '{"work": ["sleep"]}', "no duty"),
        (HEADER + '{"expect": "recall", "path": "/x"}', "one of is"),
        (HEADER + "[]", "line 2"),
        ("[]", "line 1"),
        ('{"trajectory": 1}', "at: is missing"),
        ('{"trajectory": 1, "at": "2026-06-01T09:00:00"}', "offset"),
        ('{"trajectory": 1, "at": "9999-12-31T23:59:59Z"}', "year"),
        ('{"trajectory": 1, "at": "0001-01-01T00:00:00Z"}', "year"),
        ('{"trajectory": 1, "at": 1}', "at: has to be a text"),
        ('{"trajectory": 1, "at": "2026-06-01T09:00:00Z", "name": {}}', "name"),
        (HEADER + '{"call": "recall", "with": [1]}', "line 2: .*with: has to be an object"),
        (HEADER + '{"call": "recall", "as": 1}', "as: has to be a text"),
        (HEADER + '{"call": "recall", "name": "a"}', "name"),
        (HEADER + '{"call": ["recall"]}', "call: has to be a text"),
        (HEADER + '{"work": "seal"}', "a list of texts"),
        (HEADER + '{"work": [1]}', "a list of texts"),
        (HEADER + '{"work": ["seal"], "holds": [{"id": "@1", "versions": []}]}', "holds"),
        (HEADER + '{"call": "recall", "expect": "recall"}', "one of call"),
        (HEADER + '{"call": "recall", "at": "2020-01-01T00:00:00Z"}', "line 2: .*backwards"),
        (HEADER + '{"call": "recall", "with": {"a": ' + "[" * 200 + "]" * 200 + "}}", "deeply"),
        (
            HEADER + '{"call": "recall", "with": {"a": ' + "[" * 99_999 + "]" * 99_999 + "}}",
            "deeply",
        ),
    ],
)
def test_what_is_no_trajectory_is_named_by_its_line(tmp_path: Path, text: str, wrong: str) -> None:
    (tmp_path / "t.jsonl").write_text(text)
    with pytest.raises(InvalidInput, match=wrong) as refused:
        read_trajectory(tmp_path / "t.jsonl")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("method", "target", "body", "found"),
    [
        ("GET", "/v1/users/a%2Fb/profile?max_tokens=5", b"", ("profile.get", {"user_id": "a/b", "max_tokens": 5})),
        ("POST", "/v1/recall", b'{"user_id": "u", "query": "q"}', ("recall", {"user_id": "u", "query": "q"})),
        ("GET", "/v1/memories?tiers=episodic,semantic", b"", ("memories.list", {"tiers": ["episodic", "semantic"]})),
        ("GET", "/v1/runs/x/checkpoints", b"", ("runs.history", {"run_id": "x"})),
        ("DELETE", "/v1/recall", b"", None),
        ("GET", "/healthz", b"", None),
    ],
)  # fmt: skip
def test_a_request_is_an_operation(method: str, target: str, body: bytes, found: Any) -> None:
    assert operation_of(Asked(method, target, {}, body)) == found


def test_an_agent_is_answered_as_it_was_then() -> None:
    written = Call(
        "events.write", {"user_id": "u", "session_id": "s", "events": [EVENT]}, gives=KEPT
    )
    closed = Call("sessions.close", {"user_id": "u", "session_id": "s"}, gives={"job_id": "@2.1"})
    asked = Call("memories.get", {"id": "@1.1"}, refused="not_found")
    rehearsal = Rehearsal(Trajectory("t", AT, [written, closed, asked]))
    body = json.dumps({"events": [EVENT]}).encode()
    told = rehearsal.answer(Asked("POST", "/v1/users/u/sessions/s/events", {}, body))
    assert json.loads(told.body)["obeyed"] == []
    told = rehearsal.answer(Asked("POST", "/v1/users/u/sessions/s/close", {}, b""))
    assert isinstance(json.loads(told.body)["job_id"], int)
    again = rehearsal.answer(Asked("POST", "/v1/users/u/sessions/s/close", {}, b""))
    assert (again.status, json.loads(again.body)["code"]) == (409, "conflict")
    assert rehearsal.answer(Asked("GET", "/nothing", {}, b"")).status == 404
    assert rehearsal.answer(Asked("POST", "/v1/recall", {}, b"[]")).status == 422
    found = rehearsal.finished()
    assert [(one.what, one.said) for one in found.divergences] == [
        ("sessions.close", "was not asked then"),
        ("memories.get", "is not asked any more"),
    ]


async def test_what_was_heard_becomes_a_trajectory() -> None:
    later = AT + timedelta(seconds=5)
    heard = [
        Heard("keys.create", {"principal": "bob"}, "first", None, AT, {"key_id": ONE, "principal": "bob", "secret": "hush"}),
        Heard("sessions.close", {"user_id": "@u", "session_id": "s"}, "hush", "k", AT, {"job_id": 7}),
        Heard("jobs.get", {"job_id": 7}, "hush", None, AT, {"job_id": 7, "state": "succeeded"}),
        Heard("memories.get", {"id": ONE}, "other", None, later, None, "not_found"),
    ]  # fmt: skip
    found = await trajectory_of("t", heard, Nowhere())
    told = [replace(one, at=None) if isinstance(one, Call | Work) else one for one in found.steps]
    assert told == [
        Call("keys.create", {"principal": "bob"}, gives={"key_id": "@1.1", "principal": "bob", "secret": "@key:bob"}),
        Call("sessions.close", {"user_id": "@@u", "session_id": "s"}, "bob", "k", gives={"job_id": "@2.1"}),
        Work(("consolidate",)),
        Call("memories.get", {"id": "@1.1"}, refused="not_found"),
        Work(("consolidate",), holds=[]),
    ]  # fmt: skip
    assert not found.timed
    with pytest.raises(InvalidInput):
        await trajectory_of("t", [], Nowhere())


class Nowhere:
    """Implements ``playing.Place``: nothing is held there."""

    holds_the_clock = False

    async def begin(self, name: str, at: datetime) -> str:
        return f"{name} {at}"

    def move(self, to: datetime) -> None:
        """Nothing moves."""

    async def call(self, operation: str, arguments: Any, key: str, once: str | None) -> Answered:
        del operation, arguments, key, once
        return Answered(refused="not_found")

    async def work(self, duties: Any) -> None:
        """There is nothing to do."""


def test_time_that_passes_needs_a_clock_that_is_held() -> None:
    still = Trajectory(
        "t",
        AT,
        [
            Call("recall", {}),
            Work(("consolidate",)),
            Call("recall", {}, at=AT + timedelta(minutes=5)),
        ],
    )
    assert not still.needs_the_clock
    assert replace(still, steps=[Work(("decay",))]).needs_the_clock
    assert replace(still, steps=[Call("recall", {}, at=AT + timedelta(days=1))]).needs_the_clock


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        files_in([tmp_path])
    with pytest.raises(BadSetting, match="no_such_module"):
        made_embedder("no_such_module:Thing")
    assert Verdict().rate == 0.0


KEY = f"mnm_{'a2' * 26}_{'b3' * 26}"


def test_what_was_recorded_is_whole_its_owners_and_without_keys(tmp_path: Path) -> None:
    file, other = tmp_path / "t.jsonl", f"mnm_{'c4' * 26}_{'d5' * 26}"
    arguments = {
        "text": f"keys {KEY}, x{other.upper()} and plain-key-1", "metadata": {KEY: [other]},
        "query": "half \ud800 \u2028",
    }  # fmt: skip
    heard = [
        Heard("recall", arguments, "plain-key-1", KEY, AT, {}),
        Heard("recall", arguments, "k", None, AT, {"items": [{"text": KEY}]}),
    ]
    steps = [Call("recall", one.arguments, "admin", one.once, gives=one.gives) for one in heard]
    write_trajectory(file, Trajectory("t", AT, steps), without=without_keys(heard))
    text = file.read_text()
    assert not [one for one in ("mnm_", "MNM_", "plain-key-1") if one in text]
    found = read_trajectory(file).steps[0]
    assert isinstance(found, Call)
    assert found.arguments["query"] == arguments["query"]
    assert (file.stat().st_mode & 0o777, [*tmp_path.iterdir()]) == (0o600, [file])
    file.chmod(0o644)
    write_trajectory(file, Trajectory("t", AT, steps[:0]))
    assert (file.stat().st_mode & 0o777, len(file.read_text().splitlines())) == (0o644, 1)
    with pytest.raises(InvalidInput, match="No such"):
        write_trajectory(tmp_path / "no" / "t.jsonl", Trajectory("t", AT, []))


HTML = b"<html>503</html>"


@pytest.mark.parametrize(
    ("sent", "status", "answered", "noted"),
    [
        ({"json": {"user_id": "u", "query": "q"}}, 200, b'{"items": []}', 1),
        ({"content": iter([b'{"user_id": "u", ', b'"query": "q"}'])}, 200, b'{"items": []}', 1),
        ({"json": {"user_id": "u"}}, 422, b'{"code": "invalid_input"}', 1),
        ({"json": {"user_id": "u"}}, 503, HTML, 0),
        ({"json": {"user_id": "u"}}, 200, HTML, 0),
        ({"json": {"user_id": "u"}}, 503, b"[]", 0),
        ({"json": {"user_id": "u"}}, 204, b"", 0),
        ({"content": b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}"}, 422, b'{"code": "x"}', 0),
        ({"content": b'{"a": ' + b"[" * 9999 + b"]" * 9999 + b"}"}, 422, b'{"code": "x"}', 0),
        ({"content": b"no json"}, 422, b'{"code": "x"}', 0),
    ],
)  # fmt: skip
def test_everything_passes_through(sent: Any, status: int, answered: bytes, noted: int) -> None:
    seen: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(status, content=answered, headers={"mcp-session-id": "7"})

    transport = httpx.MockTransport(service)
    with httpx.Client(base_url="http://service", transport=transport) as http:
        recorder = Recorder(http)
        with served(recorder.answer) as url, httpx.Client(base_url=url, trust_env=False) as client:
            told = client.post(
                "/v1/recall", headers={b"x-name": "\u00e9".encode("latin-1")}, **sent
            )
    assert (told.status_code, told.content) == (status, answered)
    assert told.headers["mcp-session-id"] == "7"
    assert seen[0].headers["x-name"] == "\u00e9"
    assert len(recorder.heard) == noted
    if noted:
        assert recorder.heard[0].arguments["user_id"] == "u"


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Call("recall", {"user_id": "@9.9"}), "step 1: recall cannot be played: Nothing is called @9.9"),
        (Call("recall", {}, "nobody"), "step 1: recall cannot be played: nobody is called nobody"),
    ],
)  # fmt: skip
async def test_what_cannot_be_played_is_a_failure(step: Call, said: str) -> None:
    (failed,) = (await play(Trajectory("t", AT, [step]), Nowhere())).failures
    assert failed.startswith(said)
    assert not (await play(Trajectory("t", AT, [replace(step, refused="x")]), Nowhere())).failures
