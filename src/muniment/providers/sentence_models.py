"""Models of sentences, from directories on this machine: vectors, and weights for an order.

Nothing is fetched and no code of a model is run: what is missing in its directory is an error.
Imported only where a model is wanted, because its libraries take seconds to import.
"""

import hashlib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder, SentenceTransformer

from muniment.errors import StartRefused
from muniment.providers.reranker import Weigh
from muniment.providers.static_embedder import keeping_nothing

MOST_DIMENSIONS: Final = 4_000
"""So many a graph of half-precision vectors takes."""
_BATCH: Final = 16
_DIGITS: Final = 12


class SentenceEmbedder:
    """Vectors of whole sentences. ``name`` is that of the directory with a digest of its files."""

    def __init__(self, directory: Path) -> None:
        self.name = name_of(directory)
        self._model = opened(SentenceTransformer, directory)
        size = self._model.get_embedding_dimension()
        if size is None or not 1 <= size <= MOST_DIMENSIONS:
            raise StartRefused(
                f"The model in {directory} makes vectors of {size} dimensions.",
                cure=f"Take one of at most {MOST_DIMENSIONS}.",
            )
        self.dimensions = int(size)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row a text; zeros where a text is blank."""
        return self._vectors(texts, self._model.encode_document)

    def embed_question(self, text: str, words: str) -> NDArray[np.float32]:
        """The unit vector of a question as it was asked; zeros where no word of it says much."""
        asked = [text if words else ""]
        vector: NDArray[np.float32] = self._vectors(asked, self._model.encode_query)[0]
        return vector

    def _vectors(self, texts: Sequence[str], encode: Any) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        said = [at for at, text in enumerate(texts) if text and not text.isspace()]
        if said:
            found = encode(
                [texts[at] for at in said],
                batch_size=_BATCH,
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            vectors[said] = np.nan_to_num(np.asarray(found, dtype=np.float32))
        return vectors


def pair_weigher(directory: Path) -> tuple[str, Weigh]:
    """The name of a cross-encoder and what it makes of a question and a few texts."""
    model = opened(CrossEncoder, directory)
    if model.num_labels != 1:
        raise StartRefused(
            f"The model in {directory} sorts pairs into {model.num_labels} classes.",
            cure="Take one that gives a pair one score.",
        )

    def weigh(question: str, texts: Sequence[str]) -> Sequence[float]:
        pairs = [(question, text) for text in texts]
        found = model.predict(pairs, batch_size=len(pairs), show_progress_bar=False)
        return [float(one) for one in found]

    return name_of(directory), weigh


def name_of(directory: Path) -> str:
    """What vectors of a model are known by: other files, another name."""
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.suffix in {".json", ".safetensors", ".txt", ".bin", ".model"}:
            digest.update(str(path.relative_to(directory)).encode() + b"\0")
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{directory.resolve().name[:64]}-{digest.hexdigest()[:_DIGITS]}"


def opened(kind: Any, directory: Path) -> Any:
    """A model of a class of sentence-transformers, that keeps no texts. Raises StartRefused."""
    # As many threads as any other numeric work of a process has; and the same figures everywhere.
    torch.set_num_threads(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = kind(
                str(directory),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise StartRefused(
            f"The model in {directory} cannot be read ({type(error).__name__}).",
            cure="Put a whole model of sentence-transformers there, with weights as safetensors.",
        ) from error
    if (tokenizer := getattr(model.tokenizer, "backend_tokenizer", None)) is not None:
        keeping_nothing(tokenizer)
    return model
