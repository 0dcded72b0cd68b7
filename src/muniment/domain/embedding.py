"""Whose vectors the texts of a tenant are found by, and which are made beside them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Place = Literal["emb", "emb_a", "emb_b"]
"""The columns of vectors: ``emb`` has those of the static table, the others a model's."""
State = Literal["settled", "building", "clearing"]
PLACES: Final[tuple[Place, ...]] = ("emb", "emb_a", "emb_b")


@dataclass(frozen=True)
class Embedding:
    """``embedder`` serves, from ``place``, since a revision of the policy; None: the static table.

    ``building``: the vectors of ``other`` are made in ``beside``, by writers too. ``clearing``:
    those in ``beside`` are no longer used, and go.
    """

    embedder: str | None = None
    place: Place = "emb"
    since: int = 0
    state: State = "settled"
    other: str | None = None
    beside: Place | None = None

    @staticmethod
    def read(row: Mapping[str, Any] | None) -> "Embedding":
        """What a row says; the static table where there is none."""
        if row is None:
            return Embedding()
        return Embedding(**{name: row[name] for name in Embedding.__dataclass_fields__})

    @property
    def calibrated(self) -> bool:
        """Whether it was measured what a cosine of the vectors in use is evidence of."""
        return self.embedder is None

    @property
    def written(self) -> Mapping[Place, str | None]:
        """Which embedder's vectors a write makes, by the column that they go into."""
        if self.state == "building" and self.beside is not None:
            return {self.place: self.embedder, self.beside: self.other}
        return {self.place: self.embedder}

    def over_to(self, embedder: str | None) -> "Embedding":
        """What is when another one's vectors begin to be made."""
        beside: Place = "emb"
        if embedder is not None:
            beside = "emb_a" if self.place != "emb_a" else "emb_b"
        return Embedding(self.embedder, self.place, self.since, "building", embedder, beside)

    def switched(self, revision: int) -> "Embedding":
        """What is once all of them are there: they serve, and the ones before go."""
        if self.beside is None:
            raise ValueError("nothing is made beside")
        return Embedding(self.other, self.beside, revision, "clearing", self.embedder, self.place)

    def given_up(self) -> "Embedding":
        """What is when no more of them are to be made."""
        return Embedding(self.embedder, self.place, self.since, "clearing", self.other, self.beside)

    def settled(self) -> "Embedding":
        """What is once those that are not used are gone."""
        return Embedding(self.embedder, self.place, self.since)
