"""Opens the models that the settings name; their libraries are imported only where one is."""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from muniment.errors import BadSetting
from muniment.model_ports import Embedder, Reranker
from muniment.providers.reranker import TimedReranker

_EXTRA = "pip install 'muniment[sentence-transformers]'"
_SETTINGS = "MUNIMENT_EMBEDDING_MODELS or MUNIMENT_RERANKER_MODEL"


def made_embedders(directories: Sequence[Path]) -> list[Embedder]:
    """A model for each directory. Raises StartRefused for one that is no model."""
    module = sentence_library(directories)
    return [module.SentenceEmbedder(one) for one in directories]


def embedder_names(directories: Sequence[Path]) -> list[str]:
    """What the models of these directories are known by."""
    module = sentence_library(directories)
    return [module.name_of(one) for one in directories]


def made_reranker(directory: Path | None, first: int, seconds: float) -> Reranker | None:
    """The reranker of a directory, or None where there is to be none. Raises StartRefused."""
    if directory is None:
        return None
    name, weigh = sentence_library([directory]).pair_weigher(directory)
    return TimedReranker(name, weigh, first=first, seconds=seconds)


def sentence_library(directories: Sequence[Path]) -> Any:
    """The module for models of sentences, where there are some. Raises BadSetting for what is no
    directory, and without the extra.
    """
    for one in directories:
        if not one.is_dir():
            raise BadSetting(
                f"{one}, which is to hold a model of sentences, is no directory.",
                cure=f"Correct {_SETTINGS}.",
            )
    if not directories:
        return None
    try:
        return importlib.import_module("muniment.providers.sentence_models")
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"A model of sentences is named and {error.name} is not installed.",
            cure=f"Install what such models need, {_EXTRA}, or unset {_SETTINGS}.",
        ) from None
