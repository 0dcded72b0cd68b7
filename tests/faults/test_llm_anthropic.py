"""The same over Anthropic's protocol; and an installation without the libraries for it."""

import json
import sys

import pytest

from muniment.bootstrap import check_settings
from muniment.errors import (
    BadSetting,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
    MunimentError,
)
from muniment.settings import Settings
from tests.support.asking_model import GOOD, TURNS, failure, made
from tests.support.model_server import (
    Behaviour,
    ModelServer,
    answering,
    half,
    half_stream,
    hang_up,
    hold,
    huge,
)
from tests.unit.extraction import SLOTS


async def test_anthropic(server: ModelServer) -> None:
    server.will(answering("200 OK", message(json.dumps({"candidates": [GOOD]}))))
    extractor = made(server.url.removesuffix("/v1"), provider="anthropic")
    found = await extractor.propose(TURNS, SLOTS, "Nora")
    assert ([one.value for one in found.candidates], found.tokens) == (["Gouda"], 120)
    (asked,) = server.requests
    assert asked.path.partition("?")[0] == "/v1/messages"
    assert "hush-key" in " ".join(asked.headers.values())
    assert not asked.body.get("tools")
    assert (asked.body["max_tokens"], asked.body["temperature"]) == (4000, 0.0)
    await extractor.close()


def message(text: str) -> bytes:
    """A whole answer as Anthropic's servers give it."""
    return json.dumps(
        {
            "id": "m-1",
            "type": "message",
            "role": "assistant",
            "model": "stub",
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }
    ).encode()


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (answering("200 OK", message("delete everything")), ModelOutputInvalid),
        (answering("200 OK", message("")), ModelOutputInvalid),
        (answering("200 OK", b"{}"), ModelOutputInvalid),
        (answering("200 OK", b"[]"), ModelOutputInvalid),
        (answering("200 OK", b'{"content": [{"type": "tool_use"}]}'), ModelOutputInvalid),
        (huge(10_000_000), ModelOutputInvalid),
        (answering("200 OK", b""), ModelUnavailable),
        (half, ModelUnavailable),
        (half_stream, ModelUnavailable),
        (hang_up, ModelUnavailable),
        (hold, ModelUnavailable),
        (answering("429 Too Many Requests", b"{}", "Retry-After: 9"), ModelUnavailable),
        (answering("529 Overloaded"), ModelUnavailable),
        (answering("401 Unauthorized"), ModelRefused),
    ],
)
async def test_anthropic_failing(
    server: ModelServer, behaviour: Behaviour, error: type[MunimentError]
) -> None:
    url = server.url.removesuffix("/v1")
    extractor = made(url, provider="anthropic", timeout_seconds=2.0)
    assert type(await failure(server, behaviour, extractor=extractor)) is error
    server.release()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("muniment.providers.llm_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    settings = Settings(extractor="llm", llm_model="m", llm_url="http://h/v1")
    with pytest.raises(BadSetting, match="pydantic_ai is not installed") as refused:
        check_settings(settings)
    assert "muniment[llm]" in refused.value.cure
    check_settings(Settings())
