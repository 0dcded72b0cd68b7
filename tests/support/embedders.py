"""Embedders beside the static table, as a service has them that was given models."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from muniment.ports import Embedder
from tests.support.world import EMBEDDER


class Hashed:
    """Vectors of 24 dimensions by the words of a text; no model."""

    dimensions = 24

    def __init__(self, name: str) -> None:
        self.name = name

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text; zeros without words."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in text.lower().split():
                vector[hashlib.sha256(f"{self.name}{word}".encode()).digest()[0] % 24] += 1
        sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (vectors / np.where(sizes > 0, sizes, 1)).astype(np.float32)
        return unit

    def embed_question(self, text: str, words: str) -> NDArray[np.float32]:
        """As a text."""
        vector: NDArray[np.float32] = self.embed([text if words else ""])[0]
        return vector


MODELS: dict[str | None, Embedder] = {
    None: EMBEDDER,
    "hashed-1": Hashed("hashed-1"),
    "hashed-2": Hashed("hashed-2"),
}
