"""What each ingredient of recall's order adds: ``make bench-ablation ABLATION="locomo.jsonl"``.

Every conversation becomes an index in memory, as the service would have it: each turn judged by the
gate, the questions' times read, no database. Only every other conversation is looked at, from the
first one on (the tuning half), unless it is told which; so the others stay unseen.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from pathlib import Path
from statistics import fmean
from uuid import NAMESPACE_OID, uuid5

from muniment.client.conversations import Conversation, ConversationTurn, read_conversations
from muniment.domain.gate import GateContext, GateInput, Reason, judge, sentence_digests
from muniment.domain.ranking import (
    Question,
    RankingPolicy,
    RowBatch,
    ScopeIndex,
    View,
    asked_time,
    encode_vector,
    near,
    parse_question,
    within,
)
from muniment.domain.ranking.rows import OPEN
from muniment.domain.text import analyzer_for
from muniment.domain.timeline import micros
from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.static_words import StaticWords

INGREDIENTS = (
    "own", "before", "both", "related", "session", "session_best", "cosine", "context_cosine",
    "speaker", "length", "dated", "date",
)  # fmt: skip
EMBEDDER = StaticEmbedder()
WORDS = StaticWords(EMBEDDER)
ANALYZER = analyzer_for("english")
NOW = datetime(2026, 12, 1, tzinfo=UTC)
_FOUND = 10


@dataclass(frozen=True)
class Asked:
    """A question: first of the time alone that it names, where it does; its evidence."""

    first: Question | None
    whole: Question
    category: str
    evidence: frozenset[bytes]


@dataclass(frozen=True)
class Scope:
    """A conversation as an index, and what is asked of it."""

    index: ScopeIndex
    questions: tuple[Asked, ...]


def scope_of(conversation: Conversation) -> Scope:
    """The index that a service would hold of the conversation, and its questions."""
    turns = [
        (session.session_id, turn, verdict)
        for session in conversation.sessions
        for turn, verdict in _judged(session.turns)
    ]
    ids = {turn.turn_id: _ident(conversation.id, turn.turn_id) for _, turn, _ in turns}
    size = len(turns)
    vectors = EMBEDDER.embed([turn.content for _, turn, _ in turns])
    batch = RowBatch(
        ids=list(ids.values()),
        groups=[_ident(conversation.id, session) for session, _, _ in turns],
        positions=[turn.number for _, turn, _ in turns],
        revs=[1] * size,
        tiers=["episodic"] * size,
        kinds=["event"] * size,
        standings=["asserted" if importance else "dropped" for _, _, importance in turns],
        valid_from=[-OPEN - 1] * size,
        valid_to=[OPEN] * size,
        recorded_from=[0] * size,
        recorded_to=[OPEN] * size,
        expires_at=[OPEN] * size,
        occurred_at=[micros(turn.at) for _, turn, _ in turns],
        last_used_at=[-OPEN - 1] * size,
        importance=[float(importance) for _, _, importance in turns],
        confidence=[float("nan")] * size,
        vectors=[encode_vector(one) if one.any() else None for one in vectors],
        terms=[ANALYZER.encode(turn.content, speaker=turn.speaker) for _, turn, _ in turns],
    )
    asked = (_asked(one, ids) for one in conversation.questions)
    return Scope(ScopeIndex(batch=batch), tuple(one for one in asked if one.evidence))


def _ident(*names: str) -> bytes:
    return uuid5(NAMESPACE_OID, "\0".join(names)).bytes


def _judged(turns: Sequence[ConversationTurn]) -> Iterator[tuple[ConversationTurn, int]]:
    """Each turn with what it weighs, 0 where the gate drops it."""
    previous: GateInput | None = None
    seen: set[str] = set()
    for turn in turns:
        said = GateInput("user", turn.content, turn.speaker)
        verdict = judge(said, GateContext(previous=previous, seen=seen))
        if verdict.reason in {Reason.CORRECTION, Reason.RETRACTION}:
            seen = set()
        seen |= sentence_digests(said)
        previous = said
        yield turn, verdict.importance if verdict.kept else 0


def _asked(question: Mapping[str, object], ids: Mapping[str, bytes]) -> Asked:
    text, wanted = str(question["text"]), question.get("evidence_turn_ids")
    whole, first = parse_question(text, ANALYZER, now=micros(NOW)), None
    meant = asked_time(text, NOW.date())
    if meant is not None:
        whole = near(meant, whole)
        if meant.use == "only":
            start, end = (datetime.combine(day, time(), UTC) for day in (meant.start, meant.end))
            first = _ready(within(meant, (start, end), ANALYZER))
    evidence = frozenset(ids[str(one)] for one in wanted or () if str(one) in ids)  # type: ignore[attr-defined]
    return Asked(first, _ready(whole), str(question["category"]), evidence)


def _ready(question: Question) -> Question:
    vector = EMBEDDER.embed_one(question.content)
    return question.with_vector(vector).with_related(WORDS, ANALYZER)


def found(scope: Scope, asked: Asked, policy: RankingPolicy) -> set[bytes]:
    """The first ten rows, as recall would answer them."""
    now = micros(NOW)
    view = View(as_of=now, known_at=now, now=now)
    if asked.first is not None:
        hits = scope.index.rank(asked.first, view, _FOUND, policy).hits
        if hits or not asked.first.words:
            return {hit.id.bytes for hit in hits}
    hits = scope.index.rank(asked.whole, view, _FOUND, policy).hits
    return {hit.id.bytes for hit in hits}


def recall_at_ten(scopes: Sequence[Scope], policy: RankingPolicy) -> dict[str, float]:
    """The mean share of evidence among the first ten, by category and over ``all``."""
    shares: dict[str, list[float]] = defaultdict(list)
    for scope in scopes:
        for asked in scope.questions:
            share = len(asked.evidence & found(scope, asked, policy)) / len(asked.evidence)
            shares["all"].append(share)
            shares[asked.category].append(share)
    return {name: fmean(values) for name, values in shares.items()}


def table(scopes: Sequence[Scope]) -> Iterator[str]:
    """Lines of a Markdown table: everything, then everything but one ingredient."""
    whole = recall_at_ten(scopes, RankingPolicy())
    names = ["all", *sorted(name for name in whole if name != "all")]
    yield f"| without | {' | '.join(names)} |"
    yield "|---" * (len(names) + 1) + "|"
    yield _line("nothing", whole, names)
    for name in INGREDIENTS:
        left = replace(RankingPolicy(), **{name: 0.0})  # type: ignore[arg-type]
        yield _line(name, recall_at_ten(scopes, left), names)


def _line(name: str, figures: Mapping[str, float], names: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(f'{figures[one]:.4f}' for one in names)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="conversations, one JSON object a line")
    parser.add_argument("--half", choices=("tuning", "confirmation", "both"), default="tuning")
    given = parser.parse_args()
    wanted = {"tuning": (0,), "confirmation": (1,), "both": (0, 1)}[given.half]
    read = enumerate(read_conversations(given.file))
    scopes = [scope_of(one) for at, one in read if at % 2 in wanted]
    for line in table(scopes):
        print(line, flush=True)


if __name__ == "__main__":
    main()
