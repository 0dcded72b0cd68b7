"""What the SDK knows of a run that it holds.

| a mapping of facts, under a key that | then |
|---|---|
| the run does not hold | a fact that takes over from none |
| it holds once | takes over from that one |
| it held, before another took over | takes over from the other |
| it holds twice | ValueError: which of them ends is the caller's to say |
| a list of facts | as they are |
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import pytest

from muniment.client.models import NewFact
from muniment.client.runs import RunState

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@dataclass
class Fact:
    id: UUID
    key: str
    supersedes: UUID | None = None


@dataclass
class Seen:
    committed_facts: tuple[Fact, ...]
    run_id: UUID | None = None
    fence: int = 1
    step_index: int = 0
    step: int = 0


def holder(*facts: Fact) -> RunState:
    return RunState(cast(Any, Seen(facts)))


def pointers(run: RunState, **facts: Any) -> list[UUID | None]:
    return [one.supersedes for one in run.new_facts(facts, "agent")]


def test_a_mapping_takes_over() -> None:
    one, two, three = (UUID(int=at) for at in (1, 2, 3))
    run = holder(Fact(one, "total"))
    assert pointers(run, total=5, other=6) == [one, None]
    run.committed(cast(Any, Seen((Fact(two, "total", one), Fact(three, "other")))))
    assert pointers(run, total=7, other=8) == [two, three]


def test_two_under_one_key() -> None:
    one, two, three = (UUID(int=at) for at in (1, 2, 3))
    run = holder(Fact(one, "total"))
    run.committed(cast(Any, Seen((Fact(two, "total"),))))
    with pytest.raises(ValueError, match="2 facts hold under 'total'"):
        pointers(run, total=5)
    listed = [NewFact(key="total", value=5, source="books", supersedes=one, valid_from=NOW)]
    assert run.new_facts(listed, "agent") == tuple(listed)
    run.committed(cast(Any, Seen((Fact(three, "total", one),))))
    with pytest.raises(ValueError, match="2 facts"):
        pointers(run, total=5)
