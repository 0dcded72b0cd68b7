"""What a context tells whom, and what it does not claim.

| asked | by a key with | then |
|---|---|---|
| context.get | no layer that a context is made of | Forbidden |
| | some of them | the ids of those alone, in and out |
| | all | everything |
| context.assemble, nothing to look for wanted | | nothing is abstained from |
| something, and nothing answers | | abstained |
| a preference with a long run of spaces, few tokens | | in its profile |
| the words of special tokens | | counted as the text that they are |
| many long turns, and a large budget | | counted in a thread, and not all of them |
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from threading import get_ident
from typing import Any

import pytest
from tokenizers import Tokenizer

from muniment.errors import Forbidden
from muniment.operations.dispatch import Dispatch
from muniment.ports import TokenCounter
from tests.integration.test_context import assemble, say, sections, tell
from tests.support.world import EMBEDDER, Tenant


async def test_ids_by_layers(tenant: Tenant) -> None:
    await tell(tenant, "Prefers weekly grain.", kind="user_preference")
    for at in range(8):
        await say(tenant, f"Returns with the new courier {at} went up.", session=f"s{at}")
    await tenant("knowledge.put", source="s", version=1, title="t", text="Returns by courier.")
    run = await tenant("runs.open", agent_id="a", user_id="ann")
    found = await assemble(tenant, run_id=str(run.run_id), budget=300)
    asked: dict[str, Any] = {"user_id": "ann", "context_id": found.context_id}
    whole = await tenant("context.get", **asked)
    assert {one.tier for one in whole.items} > {"semantic", "run"}
    assert whole.dropped
    for layers in (["working"], ["run"]):
        with pytest.raises(Forbidden):
            await tenant("context.get", _as=await tenant.key_for(layers=layers), **asked)
    for layers in (["semantic"], ["episodic"], ["knowledge"], ["semantic", "run"]):
        some = await tenant("context.get", _as=await tenant.key_for(layers=layers), **asked)
        assert some.items == tuple(one for one in whole.items if one.tier in layers)
        assert some.dropped == tuple(one for one in whole.dropped if one.tier in layers)


async def test_abstaining(tenant: Tenant) -> None:
    await tell(tenant, "Prefers weekly grain.", kind="user_preference")
    searched = ["facts", "findings", "interactions", "knowledge"]
    assert not (await assemble(tenant, leave_out=searched)).abstained
    assert (await assemble(tenant)).abstained
    assert (await assemble(tenant, user_id="nobody")).abstained


async def test_runs_of_spaces(tenant: Tenant) -> None:
    text = f"Prefers{' ' * 2500}tea."
    await tell(tenant, text, kind="user_preference")
    found = await assemble(tenant, query="zzz", budget=330)
    assert sections(found) == {"profile": [text]}


async def test_special_tokens(tenant: Tenant) -> None:
    """No text may be more than its budget for a reader who takes it as text."""
    plain = Tokenizer.from_str(EMBEDDER.tokenizer.to_str())
    specials = [one.content for one in plain.get_added_tokens_decoder().values()]
    assert len(specials) >= 3
    for special in specials:
        await tell(tenant, f"Likes {special * 100} in prompts.", kind="user_preference")
    plain.encode_special_tokens = True
    for budget in (300, 600, 2000):
        found = await assemble(tenant, query="nothing", budget=budget)
        taken = len(plain.encode(found.text, add_special_tokens=False))
        assert found.tokens == taken <= budget
        assert found.text or found.dropped


class _Watched:
    """A counter that notes how many characters it got, and where it ran."""

    def __init__(self, counter: TokenCounter) -> None:
        self.name = counter.name
        self.characters = 0
        self.threads: set[int] = set()
        self._count = counter.count

    def count(self, texts: Sequence[str]) -> list[int]:
        self.characters += sum(map(len, texts))
        self.threads.add(get_ident())
        return self._count(texts)


async def test_long_turns(tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = Random(1)
    words = ["".join(chosen.choices("abcdefghij", k=6)) for _ in range(3_000)]
    for at in range(40):
        text = " ".join(chosen.choices(words, k=8_500))
        await say(tenant, f"returns heavy {text}", session=f"s{at}")
    watched = _Watched(tenant.service.world.tokens)
    world = replace(tenant.service.world, tokens=watched)
    monkeypatch.setattr(tenant.service, "dispatch", Dispatch(world))
    found = await assemble(tenant, query="returns heavy", budget=50_000, k=100)
    assert 25_000 < found.tokens <= 50_000
    assert len(found.dropped) > 30
    assert get_ident() not in watched.threads
    # Of 2,400,000 characters.
    assert watched.characters < 800_000
