"""Recall's order: the index of one scope in memory, what may be seen, and how it is weighed."""

from muniment.domain.ranking.asked_time import AskedTime, asked_time
from muniment.domain.ranking.question import (
    Question,
    RelatedStems,
    RelatedWords,
    near,
    parse_question,
    within,
)
from muniment.domain.ranking.rows import RowBatch, encode_vector
from muniment.domain.ranking.scope_index import ScopeIndex
from muniment.domain.ranking.scoring import Hit, Parts, Ranking, RankingPolicy
from muniment.domain.ranking.view import View

__all__ = [
    "AskedTime",
    "Hit",
    "Parts",
    "Question",
    "Ranking",
    "RankingPolicy",
    "RelatedStems",
    "RelatedWords",
    "RowBatch",
    "ScopeIndex",
    "View",
    "asked_time",
    "encode_vector",
    "near",
    "parse_question",
    "within",
]
