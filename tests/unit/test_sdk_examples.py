"""Every method of the SDK shows an example, and what the example sends is a valid call.

Each is run on a client whose service is the router and the parser of the real one, and no more. An
argument that its type alone does not tell has a sample in tools/generate_examples.py.
"""

import ast
import asyncio
import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

import httpx
import pytest

from muniment.client import AsyncClient, Client, models
from muniment.errors import Unreachable
from muniment.operations.operation import Operation
from muniment.operations.registry import REGISTRY
from muniment.surfaces.http.router import Router
from tests.surfaces.test_parity import method

ROUTER = Router((one.http.method, one.http.path, one) for one in REGISTRY.values())
SOME_ID = UUID(int=7)


class Names(dict[str, Any]):
    """What an example may name: the models, and ids of anything."""

    def __missing__(self, name: str) -> Any:
        if name.endswith("_id"):
            return SOME_ID
        return getattr(models, name)


def received(asked: list[str]) -> httpx.MockTransport:
    """Reads a call as the service would, and answers that nothing is there."""

    def answer(request: httpx.Request) -> httpx.Response:
        raw_path, _, query = request.url.raw_path.partition(b"?")
        operation, path = ROUTER.match(request.method, raw_path)
        if operation.http.method in ("GET", "DELETE"):
            operation.parse_texts(dict(parse_qsl(query.decode(), keep_blank_values=True)), path)
        else:
            operation.parse(request.content, path)
        asked.append(operation.name)
        raise httpx.ConnectError("that is all", request=request)

    return httpx.MockTransport(answer)


def example_of(call: Any) -> str:
    """The lines of the one example of a docstring."""
    lines = inspect.cleandoc(call.__doc__).splitlines()
    shown = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
    assert sum(line.startswith(">>> ") for line in lines) == 1
    return "\n".join(shown)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("operation", REGISTRY.values(), ids=list(REGISTRY))
def test_the_example_is_a_valid_call(kind: Any, operation: Operation[Any, Any]) -> None:
    asked: list[str] = []
    client = kind("http://x", "k", transport=received(asked))
    code = compile(
        example_of(method(client, operation)), "example", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    )
    names = Names(client=client, datetime=datetime, UTC=UTC)
    with pytest.raises(Unreachable):
        asyncio.run(_of(lambda: eval(code, {"__builtins__": {}}, names)))  # noqa: S307 - our own
    assert asked == [operation.name]


async def _of(call: Callable[[], Any]) -> None:
    done = call()
    if inspect.isawaitable(done):
        await done
