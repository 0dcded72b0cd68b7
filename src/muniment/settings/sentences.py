"""Models of sentences, in directories of this machine."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field


class SentenceSettings(BaseModel):
    """What orders the items of a recall anew, how many, and within which time."""

    embedding_models: str | None = Field(
        default=None,
        description="Directories of models of sentence-transformers, by commas, to whose vectors "
        "tenants may go over; unset: the static table alone.",
    )
    reranker_model: Path | None = Field(
        default=None,
        description="Directory of a cross-encoder that orders the first items of a recall anew; "
        "unset: none does.",
    )
    reranker_first: Annotated[int, Field(ge=2, le=100)] = Field(
        default=20, description="How many items of a recall the cross-encoder reads."
    )
    reranker_seconds: Annotated[float, Field(gt=0, le=60, allow_inf_nan=False)] = Field(
        default=1.0,
        description="How long it may take for that; an answer then has the order without it.",
    )

    @property
    def embedding_directories(self) -> list[Path]:
        """Where the models of sentences are."""
        named = (self.embedding_models or "").split(",")
        return [Path(one.strip()) for one in named if one.strip()]

    @property
    def reranker_choice(self) -> dict[str, Any]:
        """The cross-encoder, how many items it reads, and in how many seconds."""
        return {
            "directory": self.reranker_model,
            "first": self.reranker_first,
            "seconds": self.reranker_seconds,
        }
