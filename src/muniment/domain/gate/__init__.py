"""The write gate: ``judge`` says whether a turn is worth keeping, and why."""

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.judge import (
    IMPORTANCE,
    ROLE_CEILING,
    GateContext,
    GateInput,
    Role,
    Verdict,
    judge,
    judge_sentences,
    recalled_digests,
    sentence_digests,
)

__all__ = [
    "IMPORTANCE",
    "ROLE_CEILING",
    "GateContext",
    "GateInput",
    "Reason",
    "Role",
    "Verdict",
    "judge",
    "judge_sentences",
    "recalled_digests",
    "sentence_digests",
]
