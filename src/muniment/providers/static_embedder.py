"""The default embedder: word vectors from a table on disk, averaged. Offline, deterministic.

The table and its tokenizer ship inside the ``wordllama`` distribution and are read as files;
that package's own loader would ask the network for the tokenizer.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from tokenizers import Tokenizer
from tokenizers.models import BPE, Unigram

from muniment.errors import StartRefused

_DISTRIBUTION: Final = "wordllama"
_TABLE: Final = "wordllama/weights/l2_supercat_256.safetensors"
_TOKENIZER: Final = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR: Final = "embedding.weight"
_CHUNK: Final = 4_096


def plain(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer, made to take every text whole, as text, and to keep none of it."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # A text that has the words of a special token in it is text.
    tokenizer.encode_special_tokens = True
    return keeping_nothing(tokenizer)


def keeping_nothing(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer, without its store of texts that it has cut before: up to 10,000, some
    28 MiB, and among them what users said who were forgotten since.
    """
    if isinstance(tokenizer.model, BPE | Unigram):
        tokenizer.model._resize_cache(0)  # noqa: SLF001 - there is no other name for it
    return tokenizer


class StaticEmbedder:
    """Mean of the tokens' vectors, scaled to unit length. Files are opened at first use."""

    name = "static-l2-supercat-256"
    dimensions = 256

    def __init__(self, root: Path | None = None) -> None:
        """``root`` is the directory that holds ``wordllama/``; by default where it is installed."""
        self._root = root

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 256); a row of zeros where a text has no vector.

        A text without tokens, or whose tokens' vectors cancel out, has none.
        """
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            self._pool(text, vector)
        return vectors

    def embed_question(self, _text: str, words: str) -> NDArray[np.float32]:
        """The vector of the informative words: in an average the others only blur them."""
        vector: NDArray[np.float32] = self.embed([words])[0]
        return vector

    def embed_one(self, text: str) -> NDArray[np.float32] | None:
        """The unit vector of one text, or None where it has none."""
        vector = np.zeros(self.dimensions, dtype=np.float32)
        self._pool(text, vector)
        return vector if vector.any() else None

    def rows(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """The unit vectors of single tokens, one row each."""
        found: NDArray[np.float32] = self._table[tokens].astype(np.float32)
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found

    def _pool(self, text: str, into: NDArray[np.float32]) -> None:
        # Blank text has tokens too, for its spaces; they say nothing.
        if not text or text.isspace():
            return
        tokens = self.tokenizer.encode(text, add_special_tokens=False).ids
        for start in range(0, len(tokens), _CHUNK):
            into += self._table[tokens[start : start + _CHUNK]].sum(axis=0, dtype=np.float32)
        size = float(np.sqrt(into @ into))
        if size > 0.0:
            into /= size

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """What cuts texts into tokens; read at first use."""
        return plain(Tokenizer.from_file(str(self._file(_TOKENIZER))))

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        """The table, mapped rather than read, so that processes share its pages."""
        path = self._file(_TABLE)
        with safe_open(str(path), framework="numpy") as tensors:
            alone = list(tensors.keys()) == [_TENSOR]
            part = tensors.get_slice(_TENSOR) if alone else None
            rows, columns = part.get_shape() if part is not None else (0, 0)
            if part is None or part.get_dtype() != "F16" or columns != self.dimensions:
                raise StartRefused(
                    f"{path.name} is not the embedding table that this release reads.",
                    cure=f"Install the version of {_DISTRIBUTION} that the lock file names.",
                )
        # The header comes first and there is one tensor: it is the end of the file.
        start = path.stat().st_size - rows * columns * 2
        mapped = np.memmap(path, dtype="<f2", mode="r", offset=start, shape=(rows, columns))
        # A plain array of the same pages: a memmap makes one of its own for each part taken of it.
        return mapped.view(np.ndarray)

    def _file(self, name: str) -> Path:
        path = (self._root or _installed()) / name
        if not path.is_file():
            raise StartRefused(
                f"{name} is missing.", cure=f"Install {_DISTRIBUTION} again from its wheel."
            )
        return path


def _installed() -> Path:
    try:
        return Path(str(distribution(_DISTRIBUTION).locate_file("")))
    except PackageNotFoundError as missing:
        raise StartRefused(
            f"{_DISTRIBUTION}, which holds the embedding table, is not installed.",
            cure=f"Install {_DISTRIBUTION}, or configure another embedder.",
        ) from missing
