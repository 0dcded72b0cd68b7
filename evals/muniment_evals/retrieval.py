"""How well recall finds the turns that hold the answer (RULES 16.1).

Each conversation is written for one user, every speaker as a person by name; each question is
recalled; the items are flattened to the turns that they cite, in rank order, repeats dropped, cut
at k turns.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from muniment.client import Client
from muniment.client.conversations import Conversation
from muniment.client.models import Item

CUTS = (5, 10, 20)
_ALL = "overall"
Turn = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    """One question with the turns that recall cited, best first."""

    category: str
    evidence: frozenset[Turn]
    audited: frozenset[Turn]
    cited: tuple[Turn, ...]
    abstained: bool
    seconds: float


@dataclass(frozen=True)
class Report:
    """Scores by category, what the gate did, and how long it took. ``by_k``: recall for 1, 2, …
    turns; ``recall_ms``: of each recall.
    """

    scores: Mapping[str, Mapping[str, float]]
    audited: Mapping[str, float]
    questions: int
    turns: int
    dropped_share: float
    abstained_share: float
    write_seconds: float
    recall_seconds: float
    recall_p50_ms: float
    recall_p95_ms: float
    by_k: Mapping[str, Sequence[float]]
    recall_ms: Sequence[float]


@dataclass
class Written:
    """How many turns were written, and how many of them the gate dropped."""

    turns: int = 0
    dropped: int = 0


def evaluate(
    client: Client, conversations: Iterable[Conversation], progress: Callable[[str], None]
) -> Report:
    """Write every conversation and ask every question that has evidence."""
    written, asked = Written(), list[Asked]()
    writing = recalling = 0.0
    for conversation in conversations:
        began = time.perf_counter()
        ids = write_conversation(client, conversation, written)
        writing += time.perf_counter() - began
        began = time.perf_counter()
        answers = [_ask(client, conversation, one, ids) for one in conversation.questions]
        asked += [answer for answer in answers if answer is not None]
        recalling += time.perf_counter() - began
        progress(f"{conversation.id}: {len(asked)} questions so far")
    return _report(asked, written, writing, recalling)


def write_conversation(
    client: Client, conversation: Conversation, written: Written | None = None
) -> dict[Turn, Turn]:
    """Write the turns, every speaker as a person; returns the file's id of each (session, turn
    number).
    """
    written = written or Written()
    ids: dict[Turn, Turn] = {}
    for session in conversation.sessions:
        for batch in session.batches():
            answer = client.events.write(
                user_id=conversation.id,
                session_id=session.session_id,
                events=[turn.event(as_people=True) for turn in batch],
            )
            written.turns += len(batch)
            written.dropped += sum(not verdict.kept for verdict in answer.verdicts)
            for turn in batch:
                ids[session.session_id, str(turn.number)] = (session.session_id, turn.turn_id)
    return ids


def _ask(
    client: Client,
    conversation: Conversation,
    question: Mapping[str, Any],
    ids: Mapping[Turn, Turn],
) -> Asked | None:
    evidence = labelled_turns(question, ids)
    if not evidence:
        return None
    began = time.perf_counter()
    view = client.recall(user_id=conversation.id, query=question["text"], k=max(CUTS))
    seconds = time.perf_counter() - began
    return Asked(
        category=question["category"],
        evidence=evidence,
        audited=labelled_turns(question.get("audit") or question, ids) or evidence,
        cited=tuple(cited_turns(view.items, ids)),
        abstained=view.abstained,
        seconds=seconds,
    )


def labelled_turns(labels: Mapping[str, Any], ids: Mapping[Turn, Turn]) -> frozenset[Turn]:
    """The labelled turns as (session, turn id). A turn id alone is unique in a conversation."""
    wanted = set(labels.get("evidence_turn_ids") or ())
    return frozenset(turn for turn in ids.values() if turn[1] in wanted)


def cited_turns(items: Sequence[Item], ids: Mapping[Turn, Turn]) -> Iterable[Turn]:
    """The turns that items cite, in rank order, each once."""
    places = [(one.session_id, str(one.turn)) for item in items for one in item.evidence]
    return dict.fromkeys(ids[place] for place in places if place in ids)


def _report(asked: Sequence[Asked], written: Written, writing: float, recalling: float) -> Report:
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[_ALL].append(one)
        groups[one.category].append(one)
    times = sorted(one.seconds * 1000 for one in asked) or [math.nan]
    return Report(
        scores={
            name: _scores([(one.evidence, one.cited) for one in members])
            for name, members in groups.items()
        },
        audited=_scores([(one.audited, one.cited) for one in asked]) if asked else {},
        questions=len(asked),
        turns=written.turns,
        dropped_share=round(written.dropped / max(written.turns, 1), 4),
        abstained_share=round(fmean(one.abstained for one in asked), 4) if asked else 0.0,
        write_seconds=round(writing, 2),
        recall_seconds=round(recalling, 2),
        recall_p50_ms=round(times[len(times) // 2], 3),
        recall_p95_ms=round(times[int(len(times) * 0.95)], 3),
        by_k={name: _by_k(members) for name, members in groups.items()},
        recall_ms=[round(one.seconds * 1000, 3) for one in asked],
    )


def _by_k(asked: Sequence[Asked]) -> list[float]:
    return [
        round(fmean(len(a.evidence & set(a.cited[:k])) / len(a.evidence) for a in asked), 4)
        for k in range(1, max(CUTS) + 1)
    ]


def _scores(pairs: Sequence[tuple[frozenset[Turn], tuple[Turn, ...]]]) -> dict[str, float]:
    """recall@k, all@k, any@k for each cut, NDCG@10 with binary gains, and the count."""
    found: dict[str, float] = {}
    for cut in CUTS:
        shares = [len(evidence & set(cited[:cut])) / len(evidence) for evidence, cited in pairs]
        found[f"recall@{cut}"] = round(fmean(shares), 4)
        found[f"all@{cut}"] = round(fmean(share == 1.0 for share in shares), 4)
        found[f"any@{cut}"] = round(fmean(share > 0.0 for share in shares), 4)
    found["ndcg@10"] = round(fmean(ndcg(evidence, cited, 10) for evidence, cited in pairs), 4)
    found["questions"] = len(pairs)
    return found


def ndcg(evidence: frozenset[Turn], cited: Sequence[Turn], k: int) -> float:
    """Normalised discounted cumulative gain of the first ``k``, gains 0 or 1, log base 2."""
    gain = sum(1 / math.log2(at + 2) for at, turn in enumerate(cited[:k]) if turn in evidence)
    best = sum(1 / math.log2(at + 2) for at in range(min(len(evidence), k)))
    return gain / best
