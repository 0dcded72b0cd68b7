"""The extractor that asks a language model. It only proposes: rules decide what becomes of that.

The model has no tool and no action. It is sent turns as data and answers with candidates; what does
not hold to the form and to the turns is refused as a whole, after one second try.

| the server | raised |
|---|---|
| no connection, cut off, 429, 5xx, slower than the time-out | ModelUnavailable, with Retry-After |
| 400, 401, 403, 404, 422, no credit | ModelRefused |
| not the form, cut off at its limit, refused twice by the rules, above 1 MiB | ModelOutputInvalid |
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from math import ceil

import structlog
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, RunContext
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    UserError,
)
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage, UsageLimits

from muniment.domain.extraction import Extracted, Extraction, SaidTurn
from muniment.domain.slot import Slot
from muniment.errors import ModelOutputInvalid, ModelRefused, ModelUnavailable, MunimentError
from muniment.providers.llm_extractor_http import AnswerTooLarge, bounded_client
from muniment.providers.llm_extractor_output import Admitted, Proposals, admitted, faults_of
from muniment.providers.llm_extractor_prompt import Call, calls, tokens_of

_OPENAI = "https://api.openai.com/v1"
_ANTHROPIC = "https://api.anthropic.com"
_TRIES = 2
_SCHEMA_TOKENS = tokens_of(dumps(Proposals.model_json_schema()))

# An answer of another form makes the libraries stumble in ways of their own.
_OF_THE_LIBRARY = (
    AgentRunError,
    UserError,
    AnswerTooLarge,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
)

_log = structlog.get_logger()


@dataclass(frozen=True)
class ModelChoice:
    """Which model is asked, and how much of it a call and a tenant may use."""

    provider: str
    name: str
    url: str | None
    api_key: str | None
    by_schema: bool
    timeout_seconds: float
    context_tokens: int
    output_tokens: int
    tokens_per_hour: int


@dataclass(frozen=True)
class _Asked:
    """What an answer is held against."""

    turns: Mapping[int, SaidTurn]
    slots: Mapping[str, Slot]


class LlmExtractor:
    """Implements ``ports.Extractor``. ``entropy`` gives random bytes, for delimiters."""

    def __init__(self, choice: ModelChoice, entropy: Callable[[int], bytes]) -> None:
        self.name = f"llm:{choice.name}"
        self.tokens_per_hour = choice.tokens_per_hour
        self._choice = choice
        self._entropy = entropy
        self._client = bounded_client(choice.timeout_seconds)
        self._agent = self._made_agent()

    async def propose(
        self, turns: Sequence[SaidTurn], slots: Mapping[str, Slot], user_name: str | None
    ) -> Extraction:
        """Candidates that cite these turns. Raises ModelUnavailable, ModelRefused or
        ModelOutputInvalid, each with the tokens that were used.
        """
        made, unsent = self._calls(turns, slots, user_name)
        found: dict[Extracted, None] = {}
        usage, left_out = RunUsage(), 0
        for call in made:
            answer = await self._ask(call, slots, user_name, usage)
            found |= dict.fromkeys(answer.candidates)
            left_out += answer.left_out
        _log.info(
            "model_proposed",
            calls=len(made),
            turns_not_sent=unsent,
            candidates=len(found),
            left_out=left_out,
            tokens=usage.total_tokens,
        )
        return Extraction(tuple(found), tokens=usage.total_tokens)

    def most_tokens(
        self, turns: Sequence[SaidTurn], slots: Mapping[str, Slot], user_name: str | None
    ) -> int:
        """What it would be sent for these turns, and answers of full length."""
        made, _ = self._calls(turns, slots, user_name)
        return sum(_sent(call) + self._choice.output_tokens for call in made)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()

    def _calls(
        self, turns: Sequence[SaidTurn], slots: Mapping[str, Slot], user_name: str | None
    ) -> tuple[list[Call], int]:
        # A second try sends the first answer back.
        room = self._choice.context_tokens - _TRIES * self._choice.output_tokens - _SCHEMA_TOKENS
        return calls(turns, slots, user_name, tokens=room, entropy=self._entropy)

    async def _ask(
        self, call: Call, slots: Mapping[str, Slot], user_name: str | None, usage: RunUsage
    ) -> Admitted:
        before = usage.total_tokens
        try:
            done = await self._agent.run(
                call.data,
                instructions=call.instructions,
                deps=_Asked(call.turns, slots),
                usage=usage,
                usage_limits=UsageLimits(request_limit=None),
            )
        except _OF_THE_LIBRARY as error:
            raise self._translated(error, usage, call, before) from None
        if usage.total_tokens == before:
            # A server that counts nothing.
            usage.input_tokens += _sent(call)
            usage.output_tokens += tokens_of(done.output.model_dump_json())
        return admitted(done.output, call.turns, user_name)

    def _translated(
        self, error: Exception, usage: RunUsage, call: Call, before: int
    ) -> MunimentError:
        """The project's error for what went wrong: a code and numbers, nothing that was said."""
        status = error.status_code if isinstance(error, ModelHTTPError) else None
        uncounted = usage.total_tokens == before and status is None and not _was_not_sent(error)
        extra = {"tokens": usage.total_tokens + (_sent(call) if uncounted else 0)}
        made: type[MunimentError] = ModelOutputInvalid
        if any(isinstance(one, AnswerTooLarge) for one in _chain(error)):
            made = ModelOutputInvalid
        elif isinstance(error, ModelRequestRejectedError | ModelQuotaExceededError | UserError):
            made = ModelRefused
        elif isinstance(error, ModelAPIError):
            made = ModelUnavailable
            if error.retry_after is not None:
                extra["retry_after"] = max(ceil(error.retry_after), 1)
        _log.warning(
            "model_failed", code=made.code, kind=type(error).__name__, status=status, **extra
        )
        return made(extra=extra)

    def _made_agent(self) -> Agent[_Asked, Proposals]:
        # OpenAI's strict form has no bounds, which servers of other models make use of.
        strict = True if self._choice.url is None else None
        output = (
            NativeOutput(Proposals, strict=strict)
            if self._choice.by_schema
            else PromptedOutput(Proposals)
        )
        agent = Agent(
            self._model(),
            output_type=output,
            deps_type=_Asked,
            retries={"output": _TRIES - 1, "tools": 0},
            model_settings=ModelSettings(
                temperature=0.0,
                max_tokens=self._choice.output_tokens,
                max_retries=0,
                request_timeout=self._choice.timeout_seconds,
                # The instructions say what is data; some models take no system message later on.
                framing_announcement="never",
            ),
        )

        @agent.output_validator
        def _held_to_the_turns(ctx: RunContext[_Asked], output: Proposals) -> Proposals:
            faults = faults_of(output, ctx.deps.turns, ctx.deps.slots)
            if faults:
                raise ModelRetry("; ".join(faults[:20]))
            return output

        return agent

    def _model(self) -> Model:
        choice = self._choice
        if choice.provider == "anthropic":
            return AnthropicModel(
                choice.name,
                provider=AnthropicProvider(
                    api_key=choice.api_key or "none",
                    base_url=choice.url or _ANTHROPIC,
                    http_client=self._client,
                ),
                profile={"supports_json_schema_output": True} if choice.by_schema else None,
            )
        if choice.url is None:
            provider = OpenAIProvider(
                base_url=_OPENAI, api_key=choice.api_key, http_client=self._client
            )
            return OpenAIChatModel(choice.name, provider=provider)
        return OpenAIChatModel(
            choice.name,
            provider=OpenAICompatibleProvider(
                "openai-compatible",
                base_url=choice.url,
                api_key=choice.api_key,
                http_client=self._client,
            ),
            profile=OpenAIModelProfile(
                supports_json_schema_output=choice.by_schema,
                openai_chat_supports_max_completion_tokens=False,
            ),
        )


def _sent(call: Call) -> int:
    return tokens_of(call.instructions) + tokens_of(call.data) + _SCHEMA_TOKENS


def _was_not_sent(error: Exception) -> bool:
    return isinstance(error, ModelConnectionError) and error.phase in ("pool", "connect")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
