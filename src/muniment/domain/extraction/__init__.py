"""From the turns of a session to few typed candidates: English rules, no model, no I/O."""

from muniment.domain.extraction.model import Extracted, Extraction, SaidTurn
from muniment.domain.extraction.session import extract

__all__ = ["Extracted", "Extraction", "SaidTurn", "extract"]
