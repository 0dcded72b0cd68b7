"""A Pydantic AI agent with memory as tools: ``python -m examples.integrations.pydantic_ai``.

The model remembers, recalls, corrects and forgets, and is told of a call that it can put right.
"""

from collections.abc import Iterator
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from examples.integrations.place import play
from muniment import AsyncClient
from muniment.pydantic_ai import muniment_profile, muniment_toolset


def _last(messages: list[ModelMessage]) -> Any:
    """What the last call came to."""
    return messages[-1].parts[-1].content  # type: ignore[union-attr]


def _script(seen: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """One call after another, each by what the one before came to."""
    deploys = {"slot": "deploy_region", "value": "eu-west-1"}
    yield "remember", {"text": "Nora's team deploys to eu-west-1."} | deploys
    yield "recall", {"query": "Where does Nora's team deploy?"}
    found = seen[-1][0]["id"]
    yield "correct", {"id": found, "text": "The region is Dublin."}
    yield (
        "correct",
        {"id": found, "text": "Nora's team deploys to eu-west-2.", "value": "eu-west-2"},
    )
    found = seen[-1]["id"]
    while "done" not in seen[-1] or not seen[-1]["done"]:
        # That it was recalled is noted a moment later: then what would go has changed, and the
        # second call says so.
        yield "forget", {"ids": [found]}
        yield "forget", {"ids": [found], "confirm": seen[-1]["confirm"]}


async def example(memory: AsyncClient) -> None:
    """Play the script."""
    seen: list[Any] = []
    script = _script(seen)

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            seen.append(_last(messages))
        call = next(script, None)
        if call is None:
            return ModelResponse(parts=[TextPart(f"Done; {len(info.function_tools)} tools.")])
        return ModelResponse(parts=[ToolCallPart(*call)])

    agent = Agent(
        FunctionModel(model),
        toolsets=[muniment_toolset(memory, user_id="nora")],
        instructions=muniment_profile(memory, user_id="nora"),
        retries=20,
    )
    result = await agent.run("Keep where we deploy.")
    remembered, recalled, refused, corrected, *_, counted, forgotten = seen
    print("remembered:", remembered["outcome"])
    print("recalled:", recalled[0]["text"])
    print("told:", refused)
    print("corrected:", corrected["outcome"])
    print("would go:", counted["counts"]["memory"], "memory; gone:", forgotten["done"])
    print(result.output)


if __name__ == "__main__":
    play(example)
