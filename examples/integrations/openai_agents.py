"""An OpenAI agent whose session is Muniment's: ``python -m examples.integrations.openai_agents``.

Two conversations of one user. The first is kept item by item, and a turn is taken back. The second
knows what the first one said, by recall.
"""

from typing import Any

from agents import Agent, RunConfig, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from examples.integrations.place import play
from muniment import AsyncClient
from muniment.openai_agents import MunimentSession


async def example(memory: AsyncClient) -> None:
    """Play both conversations."""
    set_tracing_disabled(disabled=True)

    @function_tool
    async def recall(query: str) -> str:
        """What is remembered of the user."""
        view = await memory.recall(user_id="nora", query=query)
        return "\n".join(item.text for item in view.items)

    def agent(*steps: Any) -> Agent[Any]:
        return Agent(name="desk", model=ScriptedModel(steps), tools=[recall])

    quiet = RunConfig(tracing_disabled=True)
    monday = MunimentSession("monday", memory, user_id="nora", agent_id="desk")
    heard = agent([assistant_message("Noted.")], [assistant_message("Noted, Berlin.")])
    for said in ("We deploy to eu-west-1.", "My desk is in Berlin."):
        await Runner.run(heard, said, session=monday, run_config=quiet)
    for _ in range(2):  # the answer and the turn before it: that about Berlin was a slip
        await monday.pop_item()
    print("monday:", [one.get("role") for one in [*await monday.get_items()]])

    tuesday = MunimentSession("tuesday", memory, user_id="nora", agent_id="desk")
    asked = agent(
        [function_call("recall", {"query": "Where do we deploy?"}, call_id="call-1")],
        [assistant_message("To eu-west-1.")],
    )
    result = await Runner.run(asked, "Where do we deploy?", session=tuesday, run_config=quiet)
    items: list[Any] = [*await tuesday.get_items()]
    print("tuesday:", [item.get("type", "message") for item in items])
    print("recalled:", "eu-west-1" in next(one["output"] for one in items if "output" in one))
    print("answered:", result.final_output)


if __name__ == "__main__":
    play(example)
