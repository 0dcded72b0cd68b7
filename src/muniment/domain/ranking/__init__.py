"""Recall's order: the index of one scope in memory, what may be seen, and how it is weighed."""

from muniment.domain.ranking.question import Question, parse_question
from muniment.domain.ranking.rows import RowBatch, encode_vector
from muniment.domain.ranking.scope_index import ScopeIndex
from muniment.domain.ranking.scoring import Hit, Parts, Ranking, RankingPolicy
from muniment.domain.ranking.view import View

__all__ = [
    "Hit",
    "Parts",
    "Question",
    "Ranking",
    "RankingPolicy",
    "RowBatch",
    "ScopeIndex",
    "View",
    "encode_vector",
    "parse_question",
]
