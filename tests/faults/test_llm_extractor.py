"""The extractor that asks a model, against a server that answers well, badly and slowly.

| the server | asked | then |
|---|---|---|
| answers well | once | candidates, tokens counted |
| answers badly, then well | twice | candidates, the tokens of both |
| no JSON, cut JSON, empty, "delete everything", an unknown field, a foreign turn, an unknown slot, a naive day, a reversed window | twice | ModelOutputInvalid |
| only an assistant's turn is cited | once | no candidate |
| ends at its limit of tokens | once | ModelOutputInvalid |
| 10 MB, claimed or not, compressed | once | ModelOutputInvalid, and little of it read |
| JSON of another kind | once | ModelOutputInvalid |
| no body, HTML, half a body, half a stream, nothing, no connection | once | ModelUnavailable |
| silent, one byte now and then | once | ModelUnavailable after the time-out |
| 429, 503 with Retry-After | once | ModelUnavailable with the seconds |
| 500, 502, 529 | once | ModelUnavailable |
| 400, 401, 403, 404, 422 | once | ModelRefused |
| a redirect | once | an error; nobody else is asked |

No error says anything of what was sent or answered.
"""

import asyncio
import gzip
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from muniment.domain.extraction import SaidTurn
from muniment.errors import (
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
)
from muniment.providers.llm_extractor import LlmExtractor
from tests.support.asking_model import AT, GOOD, TURNS, failure, made
from tests.support.model_server import (
    Behaviour,
    ModelServer,
    answering,
    candidate,
    completion,
    drip,
    half,
    half_stream,
    hang_up,
    hold,
    huge,
    model_server,
    proposing,
    saying,
)
from tests.support.waiting import until
from tests.unit.extraction import SLOTS

DAY = "2026-05-26T00:00:00Z"


@pytest_asyncio.fixture
async def extractor(server: ModelServer) -> AsyncIterator[LlmExtractor]:
    extractor = made(server.url)
    yield extractor
    await extractor.close()


async def test_a_good_answer(server: ModelServer, extractor: LlmExtractor) -> None:
    server.will(proposing(GOOD, candidate(kind="user_preference", text="Nora wants weekly grain.")))
    found = await extractor.propose(TURNS, SLOTS, "Nora")
    assert [(one.kind, one.text, one.value) for one in found.candidates] == [
        ("fact", "Nora lives in Gouda.", "Gouda"),
        ("user_preference", "Nora wants weekly grain.", None),
    ]
    assert (found.tokens, found.unsupported_language) == (120, False)
    assert extractor.name == "llm:stub"


async def test_what_is_asked(server: ModelServer, extractor: LlmExtractor) -> None:
    await extractor.propose(TURNS, SLOTS, "Nora")
    (asked,) = server.requests
    assert (asked.path, asked.headers["authorization"]) == (
        "/v1/chat/completions",
        "Bearer hush-key",
    )
    body = asked.body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("stub", 0.0, 4000)
    assert not {"tools", "tool_choice", "functions", "store", "user"} & set(body)
    schema = body["response_format"]["json_schema"]
    proposal = schema["schema"]["$defs"]["Proposal"]
    assert set(proposal["required"]) == {"kind", "text", "cited"}
    assert (proposal["properties"]["cited"]["maxItems"], proposal["additionalProperties"]) == (
        20,
        False,
    )
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert '"text": "I live in Gouda."' in body["messages"][1]["content"]
    assert "Gouda" not in body["messages"][0]["content"].replace("Nora lives in Gouda.", "")


async def test_a_second_try(server: ModelServer, extractor: LlmExtractor) -> None:
    server.will(proposing(candidate(text="x", cited=[7])), proposing(GOOD))
    found = await extractor.propose(TURNS, SLOTS, "Nora")
    assert [one.value for one in found.candidates] == ["Gouda"]
    assert found.tokens == 240
    assert "names a turn that is not there" in server.requests[1].said


@pytest.mark.parametrize(
    "behaviour",
    [
        saying("nonsense"),
        saying('{"candidates": [{"kind": "fact", "text": "Nora li'),
        saying(""),
        saying("{}"),
        saying("Certainly! I will delete everything."),
        saying('{"action": "delete everything"}'),
        saying('{"candidates": [], "delete": "everything"}'),
        proposing(GOOD | {"delete": "everything"}),
        proposing(GOOD | {"kind": "procedure"}),
        proposing(GOOD, candidate(text="x", cited=[3])),
        proposing(GOOD, candidate(text="x", cited=[])),
        proposing(GOOD | {"slot": "galaxy"}),
        proposing(GOOD | {"valid_from": "2026-05-26T00:00:00"}),
        proposing(GOOD | {"valid_from": DAY, "valid_to": DAY}),
        proposing(GOOD | {"text": "x" * 1001}),
        proposing(*[GOOD] * 101),
    ],
)
async def test_an_output_that_breaks_a_rule(server: ModelServer, behaviour: Behaviour) -> None:
    error = await failure(server, behaviour)
    assert type(error) is ModelOutputInvalid
    assert len(server.requests) == 2
    assert error.extra == {"tokens": 240}


async def test_a_claim_of_the_assistant_alone(server: ModelServer, extractor: LlmExtractor) -> None:
    server.will(proposing(GOOD, candidate(text="Nora likes cheese.", cited=[2])))
    found = await extractor.propose(TURNS, SLOTS, "Nora")
    assert [one.text for one in found.candidates] == ["Nora lives in Gouda."]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        saying('{"candidates": [', finish="length"),
        answering("200 OK", b"[]"),
        answering("200 OK", b'{"choices": []}'),
        answering("200 OK", b'{"choices": [{"message": {"content": 7}}]}'),
        huge(10_000_000),
        huge(10_000_000, claimed=False),
        answering("200 OK", gzip.compress(completion("x" * 10_000_000)), "Content-Encoding: gzip"),
    ],
)
async def test_an_answer_that_is_none(server: ModelServer, behaviour: Behaviour) -> None:
    assert type(await failure(server, behaviour)) is ModelOutputInvalid
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        answering("200 OK", b""),
        answering("200 OK", b"<html>Bad gateway</html>"),
        half,
        half_stream,
        hang_up,
        answering("500 Internal Server Error"),
        answering("502 Bad Gateway", b"<html>"),
        answering("503 Service Unavailable"),
        answering("529 Overloaded"),
        answering("429 Too Many Requests"),
        answering("408 Request Timeout"),
    ],
)
async def test_a_server_that_fails(server: ModelServer, behaviour: Behaviour) -> None:
    error = await failure(server, behaviour)
    assert type(error) is ModelUnavailable
    assert "retry_after" not in error.extra
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("0", 1), ("86400", 86400), ("soon", None), ("-3", None)],
)
@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
async def test_it_says_when(
    server: ModelServer, status: str, header: str, seconds: int | None
) -> None:
    error = await failure(server, answering(status, b"{}", f"Retry-After: {header}"))
    assert type(error) is ModelUnavailable
    assert error.extra.get("retry_after") == seconds
    assert error.extra["tokens"] == 0


@pytest.mark.parametrize(
    "status",
    ["400 Bad Request", "401 Unauthorized", "402 Payment Required", "403 Forbidden", "404 Not Found",
     "422 Unprocessable Content"],
)  # fmt: skip
async def test_a_server_that_refuses(server: ModelServer, status: str) -> None:
    error = await failure(server, answering(status, b'{"error": {"message": "I live in Gouda."}}'))
    assert type(error) is ModelRefused
    assert error.extra == {"tokens": 0}
    assert len(server.requests) == 1


async def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    with model_server(proposing(GOOD)) as elsewhere:
        moved = f"Location: {elsewhere.url}/chat/completions"
        await failure(server, answering("307 Temporary Redirect", b"{}", moved))
        assert elsewhere.requests == []


@pytest.mark.parametrize("behaviour", [hold, drip])
async def test_a_server_that_is_too_slow(server: ModelServer, behaviour: Behaviour) -> None:
    began = time.monotonic()
    error = await failure(server, behaviour, extractor=made(server.url, timeout_seconds=0.5))
    assert time.monotonic() - began < 20
    assert type(error) is ModelUnavailable
    # What it may have read counts.
    assert error.extra["tokens"] > 500
    server.release()


async def test_a_slow_answer_is_waited_for(server: ModelServer, extractor: LlmExtractor) -> None:
    async def slowly(exchange: Any) -> None:
        await exchange.released.wait()
        await proposing(GOOD)(exchange)

    server.will(slowly)
    asked = asyncio.create_task(extractor.propose(TURNS, SLOTS, "Nora"))
    await asyncio.to_thread(until, lambda: bool(server.requests))
    assert not asked.done()
    server.release()
    assert len((await asked).candidates) == 1


async def test_nobody_listens(server: ModelServer) -> None:
    with model_server(proposing()) as gone:
        url = gone.url
    error = await failure(server, hold, extractor=made(url))
    assert type(error) is ModelUnavailable
    assert error.extra == {"tokens": 0}


async def test_a_failure_leaves_the_next_call_well(
    server: ModelServer, extractor: LlmExtractor
) -> None:
    server.will(half, proposing(GOOD))
    with pytest.raises(ModelUnavailable):
        await extractor.propose(TURNS, SLOTS, "Nora")
    assert len((await extractor.propose(TURNS, SLOTS, "Nora")).candidates) == 1


async def test_a_server_that_counts_nothing(server: ModelServer, extractor: LlmExtractor) -> None:
    server.will(saying(json.dumps({"candidates": [GOOD]}), usage=(0, 0)))
    found = await extractor.propose(TURNS, SLOTS, "Nora")
    sent = extractor.most_tokens(TURNS, SLOTS, "Nora") - 4000
    assert sent < found.tokens < sent + 200


async def test_nothing_to_ask(server: ModelServer, extractor: LlmExtractor) -> None:
    dropped = [replace(turn, echo=True) for turn in TURNS]
    assert (await extractor.propose(dropped, SLOTS, None)).candidates == ()
    assert extractor.most_tokens(dropped, SLOTS, None) == 0
    assert server.requests == []


async def test_a_session_in_several_calls(server: ModelServer) -> None:
    turns = [SaidTurn(at, "user", None, f"{at} {'word ' * 300}", AT) for at in range(12)]
    extractor = made(server.url, context_tokens=5000, output_tokens=300)
    server.will(proposing(candidate(text="Nora lives in Gouda.", cited=[11])))
    with pytest.raises(ModelOutputInvalid):
        # The first call is not sent the last turn.
        await extractor.propose(turns, SLOTS, None)

    async def first_of_its_own(exchange: Any) -> None:
        lines = exchange.body["messages"][1]["content"].split("\n")[2:-1]
        number = json.loads(lines[0])["turn"]
        await proposing(candidate(text=f"Turn {number}.", cited=[number]))(exchange)

    server.will(first_of_its_own)
    found = await extractor.propose(turns, SLOTS, None)
    assert len(found.candidates) == len(server.requests) > 1
    assert found.tokens == 120 * len(server.requests)
    await extractor.close()


async def test_a_server_that_knows_no_schema(server: ModelServer) -> None:
    extractor = made(server.url, by_schema=False)
    server.will(saying(f"```json\n{json.dumps({'candidates': [GOOD]})}\n```"))
    assert len((await extractor.propose(TURNS, SLOTS, "Nora")).candidates) == 1
    body = server.requests[0].body
    assert "json_schema" not in json.dumps(body.get("response_format", {}))
    assert '"candidates"' in body["messages"][0]["content"] + body["messages"][1]["content"]
    await extractor.close()
