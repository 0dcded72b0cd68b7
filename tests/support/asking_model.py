"""An extractor that asks the server of a test, and what it says where that fails."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from muniment.domain.extraction import SaidTurn
from muniment.errors import MunimentError
from muniment.providers.llm_extractor import LlmExtractor, ModelChoice
from muniment.replay.held import SeededEntropy
from tests.support.model_server import Behaviour, ModelServer, candidate
from tests.unit.extraction import SLOTS

AT = datetime(2026, 5, 25, 9, tzinfo=UTC)
TURNS = [
    SaidTurn(1, "user", "Nora", "I live in Gouda.", AT),
    SaidTurn(2, "assistant", None, "You must like cheese.", AT),
]
GOOD = candidate(text="Nora lives in Gouda.", slot="city", value="Gouda")


def choice(url: str | None, **given: Any) -> ModelChoice:
    return replace(
        ModelChoice(
            provider="openai",
            name="stub",
            url=url,
            api_key="hush-key",
            by_schema=True,
            timeout_seconds=30.0,
            context_tokens=32_000,
            output_tokens=4_000,
            tokens_per_hour=1_000_000,
        ),
        **given,
    )


def made(url: str | None, **given: Any) -> LlmExtractor:
    return LlmExtractor(choice(url, **given), SeededEntropy("s").bytes)


async def failure(
    server: ModelServer, *script: Behaviour, extractor: LlmExtractor | None = None
) -> MunimentError:
    """The error of a server that does this; it says nothing that was said."""
    server.will(*script)
    asked = extractor or made(server.url)
    with pytest.raises(MunimentError) as raised:
        await asked.propose(TURNS, SLOTS, "Nora")
    await asked.close()
    error = raised.value
    told = f"{error} {error.extra}"
    assert not any(word in told for word in ("Gouda", "everything", "hush", "127.0.0.1"))
    assert error.__suppress_context__
    return error
