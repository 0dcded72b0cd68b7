"""The language model that proposes memories, where one does."""

from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, field_validator, model_validator


class ModelSettings(BaseModel):
    """Which extractor, and for a model where and how it is asked."""

    extractor: str = Field(
        default="rules",
        pattern="^(rules|llm)$",
        description="What proposes memories from a session's turns: `rules`, or `llm`, a model.",
    )
    llm_provider: str = Field(
        default="openai",
        pattern="^(openai|anthropic)$",
        description="What the model's server speaks: `openai` (and whatever speaks like it) or "
        "`anthropic`.",
    )
    llm_url: str | None = Field(
        default=None,
        description="Base address of the model's server, such as http://HOST:PORT/v1; unset: the "
        "provider's own.",
    )
    llm_model: str | None = Field(
        default=None, max_length=200, description="Name of the model, as its server knows it."
    )
    llm_api_key: SecretStr | None = Field(
        default=None, description="Key for the model's server; one of your own may need none."
    )
    llm_output: str = Field(
        default="schema",
        pattern="^(schema|prompt)$",
        description="How the model is told the form of its answer: `schema` (the server holds it "
        "to that) or `prompt` (in words, for servers that cannot).",
    )
    llm_timeout_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = Field(
        default=120.0, description="How long one answer of the model may take."
    )
    llm_context_tokens: Annotated[int, Field(ge=4000, le=10_000_000)] = Field(
        default=32_000,
        description="What the model reads and writes in one call, tokens; longer sessions take "
        "several.",
    )
    llm_output_tokens: Annotated[int, Field(ge=256, le=1_000_000)] = Field(
        default=4_000, description="The share of that which is kept for its answer."
    )
    llm_tokens_per_hour: Annotated[int, Field(ge=1, le=10**12)] = Field(
        default=500_000,
        description="What the jobs of one tenant may use in an hour, tokens; what is above waits.",
    )

    @field_validator("llm_url")
    @classmethod
    def _without_a_secret(cls, value: str | None) -> str | None:
        if value is not None and "@" in urlsplit(value).netloc:
            raise ValueError("has a name or a password in it; keys go into MUNIMENT_LLM_API_KEY")
        return value

    @field_validator("llm_model")
    @classmethod
    def _plain_name(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise ValueError("has characters that no terminal shows")
        return value

    @model_validator(mode="after")
    def _whole_model(self) -> Self:
        if self.extractor != "llm":
            return self
        if self.llm_model is None:
            raise ValueError(
                "MUNIMENT_EXTRACTOR is llm and MUNIMENT_LLM_MODEL is not set. Name the model, or "
                "set MUNIMENT_EXTRACTOR to rules."
            )
        if self.llm_api_key is None and self.llm_url is None:
            raise ValueError(
                "MUNIMENT_EXTRACTOR is llm and neither MUNIMENT_LLM_API_KEY nor MUNIMENT_LLM_URL "
                "is set. Set the provider's key, or the address of a server of your own."
            )
        if self.llm_output_tokens * 4 > self.llm_context_tokens:
            raise ValueError(
                "MUNIMENT_LLM_OUTPUT_TOKENS is more than a quarter of MUNIMENT_LLM_CONTEXT_TOKENS. "
                "Lower it, or raise the other to what the model can."
            )
        return self

    @property
    def model_choice(self) -> dict[str, Any] | None:
        """The language model that proposes memories, field by field; None where rules do."""
        if self.extractor != "llm":
            return None
        key = self.llm_api_key
        return {
            "provider": self.llm_provider,
            "name": self.llm_model,
            "url": self.llm_url,
            "api_key": None if key is None else key.get_secret_value().strip(),
            "by_schema": self.llm_output == "schema",
            "timeout_seconds": self.llm_timeout_seconds,
            "context_tokens": self.llm_context_tokens,
            "output_tokens": self.llm_output_tokens,
            "tokens_per_hour": self.llm_tokens_per_hour,
        }
