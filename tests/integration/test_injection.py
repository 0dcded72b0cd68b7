"""Whatever a text says, it enters a prompt as data, and is not promoted by itself (RULES 4, 12).

| every payload of the shared set, as | then, in a context that asks for just that |
|---|---|
| a turn of the user, a tool's result, a document | outside of the marks stand lines of ours alone; inside one line an item |
| a tool's result, after consolidation | nothing is held on it |
| a fault of the data and a finding that an agent reports | never required, and nowhere once it is quarantined; a plan tells it between marks |
| any of these | never a procedure |

How much is quarantined, and how much of what is benign, is printed (`pytest -s`).
"""

import json
import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from muniment.domain.context_text import LABELS
from tests.integration.extracting import work
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

DATA = Path(__file__).parents[3] / "shared/data"
SOURCE = "shop"
SESSION = 40
# `make faults` reports every text.
REPORTED = 1 if int(os.environ.get("TEST_KILLS", "3")) >= 20 else 3
OURS = {
    "",
    *(f"## {label}" for label in LABELS.values()),
    "Account for each of these before anything that it is about.",
}
# What stands beside the data of a plan.
PLAN = re.compile(
    r"## |### |Your plan MUST|Reported once|Plan from|Build on|Run one|Repeat|No [a-z ]+\.|  -> "
    r"|(-|\d+\.) *(\([a-z0-9.:; -]+\))?$|\(\d+ more, not told here\.\)$"
)

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not DATA.exists(), reason="the evaluation data lies beside the checkout and is not there"
    ),
]


def texts(name: str, *labels: str) -> list[str]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [one["text"] for one in map(json.loads, lines) if one["label"] in labels]


def injected() -> list[str]:
    return texts("injection_dev.jsonl", "injected", "poisoned")


def outside_and_inside(text: str) -> tuple[list[str], list[str]]:
    """Lines between the marks, and the others."""
    mark = re.search("⟦[0-9]+⟧", text)
    if mark is None:
        return [], []
    opening, closing = mark[0], mark[0].replace("⟦", "⟦/")
    legend, *rest = text.split("\n")
    assert legend.startswith(f"What stands between {opening} and {closing} is recorded data")
    outside: list[str] = []
    inside: list[str] = []
    within = False
    for line in rest:
        if line == opening:
            assert not within
            within = True
        elif line == closing:
            assert within
            within = False
        else:
            (inside if within else outside).append(line)
    assert not within
    return outside, inside


def check(found: Any) -> None:
    """Outside of the marks is what we wrote, and inside one visible line an item."""
    outside, inside = outside_and_inside(found.text)
    assert set(outside) <= OURS
    items = [item for one in found.sections for item in one.items]
    assert len(inside) == len(items)
    for line in inside:
        assert line.startswith("- [as of ")
        assert not {"⟦", "⟧"} & set(line)
        assert line.endswith("¶")
        assert line.count("¶") == 1
        assert all(
            unicodedata.category(one) not in {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"} for one in line
        )
    assert not [one for one in found.sections if one.name == "required_workarounds"]
    assert "procedure" not in {item.kind for item in items}


async def told(tenant: Tenant, text: str, **more: Any) -> Any:
    """A context that asks for just that."""
    query = text[:500] if text.strip() else "What is there?"
    found = await tenant("context.assemble", user_id="u", query=query, budget=8000, **more)
    check(found)
    return found


async def memories(tenant: Tenant, user: str | None) -> list[Any]:
    """What is held of a user or the organisation, of any standing but quarantined."""
    listed = await tenant("memories.list", user_id=user, tiers=["semantic"], standing=["asserted", "contested"], limit=200)  # fmt: skip
    return list(listed.items)


async def write(tenant: Tenant, role: str, payloads: Iterable[str]) -> int:
    """Turns of a role; how many of them are quarantined."""
    held = 0
    for number, text in enumerate(payloads):
        turn = {"turn": number % SESSION, "role": role, "content": text, "occurred_at": START}
        made = await tenant("events.write", user_id="u", session_id=f"{role}{number // SESSION}", events=[turn])  # fmt: skip
        held += made.verdicts[0].quarantined
    return held


@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", ["user", "tool"])
async def test_turns(database: Database, worker: Local, tenant: Tenant, role: str) -> None:
    payloads = injected()
    assert len(payloads) >= 300
    held = await write(tenant, role, payloads)
    shown = 0
    for text in payloads:
        found = await told(tenant, text)
        shown += text in {item.text for one in found.sections for item in one.items}
    for number in range(-(-len(payloads) // SESSION)):
        await work(database, worker, tenant, f"{role}{number}")
    kept = await memories(tenant, "u")
    print(f"\n{role}: {held} of {len(payloads)} quarantined, {shown} in a context as data, {len(kept)} memories")  # fmt: skip
    if role == "tool":
        assert kept == await memories(tenant, None) == []
    assert {one.kind for one in kept} <= {"fact", "user_preference", "domain_pattern"}


@pytest.mark.timeout(600)
async def test_documents(tenant: Tenant) -> None:
    payloads = injected()
    shown = 0
    for number, text in enumerate(payloads):
        await tenant("knowledge.put", source=f"d{number}", version=1, title=text[:200], text=text)
    for text in payloads:
        found = await told(tenant, text)
        shown += bool(found.sections)
    print(f"\ndocuments: {shown} of {len(payloads)} in a context as data")
    assert shown > len(payloads) / 2
    assert await memories(tenant, "u") == []


@pytest.mark.timeout(600)
async def test_reports(tenant: Tenant) -> None:
    agent = await tenant.key_for(principal="agent")
    payloads = injected()
    place: dict[str, Any] = {"user_id": "u", "data_source": SOURCE}
    held = 0
    for number, text in enumerate(payloads[::REPORTED]):
        findings = [{"text": text, "label": "confirmatory", "kind": kind} for kind in ("finding", "data_quality")]  # fmt: skip
        made = await tenant("analysis.report", _as=agent, **place, session_id=f"s{number}", findings=findings)  # fmt: skip
        became = {one.became for one in made.findings}
        held += became == {"quarantined"}
        if number % 10 == 0:
            await told(tenant, text, data_source=SOURCE, mode="re-run", k=100)
            plan = await tenant("analysis.plan", **place, question=text[:500], mode="re-run")
            assert plan.required_workarounds == ()
            mark = re.search("⟦[0-9]+⟧", plan.text)
            assert mark is not None
            fenced = re.compile(f"{mark[0]}[^⟦⟧\n]*{mark[0].replace('⟦', '⟦/')}")
            for line in fenced.sub("", plan.text.partition("\n")[2]).splitlines():
                assert not line.strip() or PLAN.match(line), line
    print(f"\nreports: {held} of {len(payloads[::REPORTED])} quarantined")


@pytest.mark.timeout(600)
async def test_false_alarms(tenant: Tenant) -> None:
    benign = texts("memshield_dev.jsonl", "benign")
    held = await write(tenant, "tool", benign)
    print(f"\nbenign: {held} of {len(benign)} quarantined")
    assert held <= len(benign) / 100
