"""What the holder of a run knows of it, without I/O."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from muniment.client.generated.runs import Checkpointed, NewFact, RunView

Facts = Mapping[str, Any] | Sequence[NewFact]


class RunState:
    """What a holder knows of its run, without I/O."""

    def __init__(self, view: RunView) -> None:
        self.run_id: UUID = view.run_id
        self.fence = view.fence
        self.step = view.step_index
        self.view = view
        self.facts: dict[UUID, str] = {one.id: one.key for one in view.committed_facts}

    def new_facts(self, facts: Facts, source: str) -> tuple[NewFact, ...]:
        """Facts to commit; those of a mapping take over from what the run holds under their key.

        Raises ValueError where it holds more than one: which of them ends is the caller's to say.
        """
        if not isinstance(facts, Mapping):
            return tuple(facts)
        return tuple(
            NewFact(key=key, value=value, source=source, supersedes=self._held(key))
            for key, value in facts.items()
        )

    def _held(self, key: str) -> UUID | None:
        held = [fact_id for fact_id, its_key in self.facts.items() if its_key == key]
        if len(held) > 1:
            raise ValueError(
                f"{len(held)} facts hold under {key!r}: commit a NewFact that supersedes one."
            )
        return held[0] if held else None

    def committed(self, done: Checkpointed) -> None:
        """Note a checkpoint that was stored."""
        self.step = done.step
        for one in done.committed_facts:
            if one.supersedes is not None:
                self.facts.pop(one.supersedes, None)
            self.facts[one.id] = one.key
