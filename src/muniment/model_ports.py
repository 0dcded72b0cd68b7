"""What the core asks of models: vectors of texts, an order of items, tokens, candidates."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from muniment.domain.extraction import Extraction, SaidTurn
from muniment.domain.slot import Slot
from muniment.errors import Unavailable


class Embedder(Protocol):
    """Texts to unit vectors. ``name`` changes whenever the vectors do."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, one row a text; zeros where a text has none (it has no words)."""

    def embed_question(self, text: str, words: str, /) -> npt.NDArray[np.float32]:
        """The unit vector of a question, given whole and as its informative words; or zeros."""


class MissingEmbedder:
    """Stands for a model that this process lacks: whoever needs a vector is put off."""

    dimensions = 1

    def __init__(self, name: str) -> None:
        self.name = name

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        """Raises Unavailable."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        raise Unavailable("This process lacks the model whose vectors the tenant has.")

    def embed_question(self, _text: str, _words: str, /) -> npt.NDArray[np.float32]:
        """Raises Unavailable."""
        raise Unavailable("This process lacks the model whose vectors the tenant has.")


class TokenCounter(Protocol):
    """How many tokens a model's tokenizer makes of texts. ``name`` says which one."""

    name: str

    def count(self, texts: Sequence[str], /) -> list[int]: ...


class Extractor(Protocol):
    """From the turns of a session to candidates. It only proposes; rules decide (DESIGN 5)."""

    @property
    def name(self) -> str: ...

    @property
    def tokens_per_hour(self) -> int:
        """What the proposals of one tenant may cost in an hour."""

    def most_tokens(
        self, turns: Sequence[SaidTurn], slots: Mapping[str, Slot], user_name: str | None, /
    ) -> int:
        """What proposing for these turns may cost at most; 0 where no model is asked."""

    async def propose(
        self, turns: Sequence[SaidTurn], slots: Mapping[str, Slot], user_name: str | None, /
    ) -> Extraction:
        """Candidates that cite turns of these. May take long: call it outside any transaction."""


class RerankFailed(Exception):
    """Texts were not weighed: there was no time for it, or the model failed."""

    def __init__(self, *, late: bool) -> None:
        super().__init__("late" if late else "failed")
        self.late = late


class Reranker(Protocol):
    """Weighs texts against a question by reading both together."""

    @property
    def name(self) -> str: ...

    @property
    def first(self) -> int:
        """How many of the best candidates it is given."""

    async def weigh(self, question: str, texts: Sequence[str], /) -> Sequence[float]:
        """A finite weight for each text, the higher the better. Within the time that it is set, or
        raises RerankFailed.
        """
