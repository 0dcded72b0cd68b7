"""The application's own items: which of them a filter admits, and by which texts one is found."""

from muniment.domain.store.admits import Condition, conditions
from muniment.domain.store.found_by import TooManyTexts, texts_of

__all__ = ["Condition", "TooManyTexts", "conditions", "texts_of"]
