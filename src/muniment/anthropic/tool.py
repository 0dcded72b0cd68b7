"""The memory tool, sync and async, over the SDK."""

from typing import Any

from anthropic.lib.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    BetaFunctionToolResultType,
)
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818Command,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from muniment.anthropic.steps import Commands, Steps, check
from muniment.client import AsyncClient, Client
from muniment.errors import MunimentError


class MunimentMemoryTool(BetaAbstractMemoryTool):
    """``/memories`` as files of a user, with their versions.

    >>> tool = MunimentMemoryTool(client, user_id="nora")
    """

    def __init__(
        self,
        client: Client,
        *,
        user_id: str,
        namespace: str = "default",
        agent_id: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._commands = Commands(user_id, namespace, agent_id)

    def execute(self, command: BetaMemoryTool20250818Command) -> BetaFunctionToolResultType:
        """Raises ToolError for what is no command of this tool."""
        check(command)
        return super().execute(command)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """See Commands."""
        return self._run(self._commands.view(command))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """See Commands."""
        return self._run(self._commands.create(command))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """See Commands."""
        return self._run(self._commands.str_replace(command))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """See Commands."""
        return self._run(self._commands.insert(command))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """See Commands."""
        return self._run(self._commands.delete(command))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """See Commands."""
        return self._run(self._commands.rename(command))

    def clear_all_memory(self) -> str:
        """See Commands."""
        return self._run(self._commands.clear())

    def _run(self, steps: Steps) -> str:
        try:
            name, given = next(steps)
            while True:
                try:
                    told: Any = getattr(self._client.files, name)(**given)
                except MunimentError as error:
                    name, given = steps.throw(error)
                else:
                    name, given = steps.send(told)
        except StopIteration as done:
            return str(done.value)


class AsyncMunimentMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same, awaited.

    >>> tool = AsyncMunimentMemoryTool(client, user_id="nora")
    """

    def __init__(
        self,
        client: AsyncClient,
        *,
        user_id: str,
        namespace: str = "default",
        agent_id: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._commands = Commands(user_id, namespace, agent_id)

    async def execute(self, command: BetaMemoryTool20250818Command) -> BetaFunctionToolResultType:
        """Raises ToolError for what is no command of this tool."""
        check(command)
        return await super().execute(command)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """See Commands."""
        return await self._run(self._commands.view(command))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """See Commands."""
        return await self._run(self._commands.create(command))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """See Commands."""
        return await self._run(self._commands.str_replace(command))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """See Commands."""
        return await self._run(self._commands.insert(command))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """See Commands."""
        return await self._run(self._commands.delete(command))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """See Commands."""
        return await self._run(self._commands.rename(command))

    async def clear_all_memory(self) -> str:
        """See Commands."""
        return await self._run(self._commands.clear())

    async def _run(self, steps: Steps) -> str:
        try:
            name, given = next(steps)
            while True:
                try:
                    told: Any = await getattr(self._client.files, name)(**given)
                except MunimentError as error:
                    name, given = steps.throw(error)
                else:
                    name, given = steps.send(told)
        except StopIteration as done:
            return str(done.value)
