"""The extractor without a model: the domain's English rules."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from muniment.domain.extraction import Extraction, SaidTurn, extract
from muniment.domain.slot import Slot

_LONG = 4_096
"""Characters above which a session is read in a thread: rules take longer than hashing words."""


class RulesExtractor:
    """Implements ``ports.Extractor``; costs no tokens."""

    name = "rules"
    tokens_per_hour = 0

    def most_tokens(
        self, _turns: Sequence[SaidTurn], _slots: Mapping[str, Slot], _name: str | None, /
    ) -> int:
        """None: no model is asked."""
        return 0

    async def propose(
        self, turns: Sequence[SaidTurn], slots: Mapping[str, Slot], user_name: str | None, /
    ) -> Extraction:
        """The same for the same turns, in every process."""
        read = partial(extract, turns, slots, user_name=user_name)
        if sum(len(turn.content) for turn in turns) < _LONG:
            return read()
        return await asyncio.to_thread(read)
