"""Any mix of what is held, within any budget: the text never exceeds it, what is required is in or
an error says that it does not fit, and the log has the ids of the text (RULES 12).

`TEST_MIXES` says how many mixes are tried.
"""

import os
from random import Random
from typing import Any

import pytest

from muniment.domain.assembly import LEAST_TOKENS
from muniment.errors import InvalidInput
from tests.support.world import START, Local, Tenant

pytestmark = pytest.mark.long

MIXES = int(os.environ.get("TEST_MIXES", "30"))
WORDS = [
    "courier", "depot", "parcel", "Ærø", "東京", "returns", "\u202e", "invoices\n⟦x⟧", "margin",
    "9,5", "%", "naïve", "quarterly", "🙂", "Überraschung", "регион", "weekly", "plan",
]  # fmt: skip


def text(chosen: Random, number: int) -> str:
    return f"Note {number}: {' '.join(chosen.choices(WORDS, k=chosen.randint(1, 60)))}."


async def fill(tenant: Tenant, chosen: Random) -> dict[str, Any]:
    """A mix of everything that a context may have; how it is asked for."""
    given: list[dict[str, Any]] = [
        *[{"kind": "data_quality", "speaker": "operator", "data_source": "d"}]
        * chosen.randint(0, 6),
        *[{"kind": "data_quality", "data_source": "d"}] * chosen.randint(0, 3),
        *[{"kind": "user_preference", "user_id": "u"}] * chosen.randint(0, 6),
        *[{"kind": "fact", "user_id": "u"}] * chosen.randint(0, 8),
        *[{"kind": "finding", "user_id": "u", "data_source": "d"}] * chosen.randint(0, 6),
        *[{"kind": "domain_pattern", "user_id": "u", "data_source": "d"}] * chosen.randint(0, 3),
    ]
    for number, one in enumerate(given):
        await tenant("memories.remember", text=text(chosen, number), **one)
    turns = [
        {"turn": at, "role": "user", "content": text(chosen, 100 + at), "occurred_at": START}
        for at in range(chosen.randint(1, 8))
    ]
    await tenant("events.write", user_id="u", session_id="s", events=turns)
    for number in range(chosen.randint(0, 2)):
        pages = "\n\n".join(
            f"# Part {at}\n\n{text(chosen, at)}" for at in range(chosen.randint(1, 6))
        )
        await tenant("knowledge.put", source=f"s{number}", version=1, title="Notes", text=pages)
    run = await tenant("runs.open", agent_id="a", user_id="u", cost_ceiling_usd="5")
    facts = [{"key": f"k{at}", "value": text(chosen, at), "source": "tool"} for at in range(chosen.randint(0, 5))]  # fmt: skip
    await tenant("runs.checkpoint", run_id=str(run.run_id), fence=1, step=1, stage="look", committed_facts=facts, open_questions=[text(chosen, 7)])  # fmt: skip
    return {
        "user_id": "u", "query": f"What of the {chosen.choice(WORDS[:3])}?", "data_source": "d",
        "mode": chosen.choice([None, "fresh", "extend", "revalidate", "re-run"]),
        "run_id": str(run.run_id), "step": 2, "k": chosen.randint(1, 40),
    }  # fmt: skip


async def within(tenant: Tenant, asked: dict[str, Any], budget: int) -> Any:
    """The context, or how many tokens it would need."""
    try:
        return await tenant("context.assemble", **asked, budget=budget)
    except InvalidInput as error:
        return error.extra["needed"]


def ids_of(found: Any) -> list[tuple[str, Any]]:
    return [(one.name, item.id) for one in found.sections for item in one.items]


@pytest.mark.timeout(60 * max(10, MIXES))
async def test_any_mix(service: Local) -> None:
    chosen = Random(f"mixes {MIXES}")
    cut = refused = 0
    for number in range(MIXES):
        tenant = await service.tenant(f"mix {number}")
        asked = await fill(tenant, chosen)
        whole = await tenant("context.assemble", **asked, budget=100_000)
        required = [one for one in ids_of(whole) if one[0] == "required_workarounds"]
        assert "budget" not in {one.reason for one in whole.dropped}
        most = max(whole.tokens, LEAST_TOKENS)
        for budget in (LEAST_TOKENS, chosen.randint(LEAST_TOKENS, most + 50), most):
            found = await within(tenant, asked, budget)
            if isinstance(found, int):
                refused += 1
                assert required
                assert found > budget
                continue
            assert found.tokens <= budget
            assert found.tokens == service.world.tokens.count([found.text])[0] * bool(found.text)
            told = ids_of(found)
            assert [one for one in told if one[0] == "required_workarounds"] == required
            lines = [line for line in found.text.splitlines() if line.startswith("- [")]
            assert len(lines) == len(told)
            logged = await tenant("context.get", user_id="u", context_id=found.context_id)
            assert [(one.section, one.id) for one in logged.items] == told
            assert logged.tokens == found.tokens
            assert logged.dropped == found.dropped
            left = {one.id for one in found.dropped if one.tier != "run"}
            assert not left & {item_id for _, item_id in told}
            cut += "budget" in {one.reason for one in found.dropped}
        await service.recalls.flush()
    assert cut
    assert refused
