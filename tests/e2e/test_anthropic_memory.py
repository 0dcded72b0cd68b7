"""The memory tool on files of a user, beside the SDK's own on a file system.

Both are given the same commands and have to tell the same; sizes of directories are those of a file
system there and of what lies in them here. Where they differ:

| command | here |
|---|---|
| a path that only begins like `/memories`, or has a way up in any spelling | refused |
| a directory whose last file went | is gone |
| edits at the same time | none is lost |
| a secret in a text | is taken out, and the model is told |
| what a file said before | in `files.history` |
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.anthropic import AsyncMunimentMemoryTool, MunimentMemoryTool
from muniment.client import AsyncClient, Client
from muniment.testing import Running

M = "/memories"
Told = tuple[str, str]
UNKEPT = "holds NUL or a broken character, which cannot be kept as it is"


def command(name: str, **given: Any) -> dict[str, Any]:
    return {"command": name, **given}


def view(path: str, *lines: int) -> dict[str, Any]:
    return command("view", path=path, view_range=list(lines) or None)


def create(path: str, text: str) -> dict[str, Any]:
    return command("create", path=path, file_text=text)


def replace(path: str, old: str, new: str) -> dict[str, Any]:
    return command("str_replace", path=path, old_str=old, new_str=new)


def insert(path: str, line: int, text: str) -> dict[str, Any]:
    return command("insert", path=path, insert_line=line, insert_text=text)


def delete(path: str) -> dict[str, Any]:
    return command("delete", path=path)


def rename(old: str, new: str) -> dict[str, Any]:
    return command("rename", old_path=old, new_path=new)


STORY = [
    view(M), view(f"{M}/"), view(f"{M}/a"), create(f"{M}/a", "one\ntwo\nthree\n"), view(f"{M}/a"),
    view(f"{M}/a", 2, 3), view(f"{M}/a", 2, -1), view(f"{M}/a", 0, 99), view(f"{M}/a", 3, 1),
    create(f"{M}/a", "again"), create(M, "x"), create(f"{M}/b/c.txt", "tea"), create(f"{M}/b", "x"),
    create(f"{M}/b/d/e/f", "deep"), create(f"{M}/.hidden", "x"), create(f"{M}/big", "x" * 1536),
    create(f"{M}/b b", ""), create(f"{M}/./n//o", "odd"), view(f"{M}/n/o"), view(M), view(f"{M}/b"),
    view(f"{M}/b/"), view(f"{M}/b/d/e"), replace(f"{M}/a", "two", "2\nzwei"),
    replace(f"{M}/a", "e", "x"), replace(f"{M}/a", "none", "x"), replace(f"{M}/a", "", "x"),
    replace(f"{M}/b", "x", "y"), replace(f"{M}/zz", "x", "y"), replace(M, "x", "y"),
    insert(f"{M}/a", 0, "zero"), insert(f"{M}/a", 2, "between\nlines\n"), insert(f"{M}/a", 99, "x"),
    insert(f"{M}/a", -1, "x"), insert(f"{M}/b b", 0, "first"), insert(f"{M}/zz", 0, "x"),
    insert(f"{M}/b", 0, "x"), view(f"{M}/a"), view(f"{M}/b b"), rename(f"{M}/a", f"{M}/a2"),
    rename(f"{M}/a", f"{M}/a3"), rename(f"{M}/a2", f"{M}/b"), rename(f"{M}/a2", f"{M}/a2"),
    rename(f"{M}/q", f"{M}/q"), rename(f"{M}/b", f"{M}/b"), rename(M, f"{M}/x"), rename(f"{M}/a2", M),
    rename(f"{M}/b", f"{M}/moved/b"), view(f"{M}/moved"), rename(f"{M}/A2", f"{M}/x"), delete(f"{M}/zz"), delete(M), delete(f"{M}/moved"),
    view(f"{M}/b/c.txt"), delete(f"{M}/a2"), view(f"{M}/a2"), view("/etc/passwd"), view("memories/a"),
    create(f"{M}/../x", "x"), view(f"{M}/../../etc/passwd"), create(f"{M}/é ü", "café\r\nend"),
    view(f"{M}/é ü"), insert(f"{M}/é ü", 1, "x"), view(f"{M}/é ü"),
]  # fmt: skip


def told(run: Callable[[Any], Any], given: dict[str, Any]) -> Told:
    """What a tool answers, without the sizes of directories."""
    try:
        return "told", _plain(str(run(given)))
    except ToolError as error:
        return "refused", str(error)


def _plain(text: str) -> str:
    lines = text.split("\n")
    if not lines[0].startswith("Here're the files"):
        return text
    first = re.sub(r"^[^\t]*\t", "", lines[1])
    rest = [re.sub(r"^[^\t]*(\t.*/)$", r"\1", line) for line in lines[2:]]
    return "\n".join([lines[0], first, *rest])


@pytest.fixture(scope="module")
def client(running: Running) -> Iterator[Client]:
    with (
        Client(running.url, running.key) as installation,
        Client(running.url, installation.tenants.create(name="files").key.secret) as client,
    ):
        yield client


def test_the_same_is_told(client: Client, tmp_path: Path) -> None:
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path))
    ours = MunimentMemoryTool(client, user_id="story")
    for given_command in STORY:
        assert told(ours.call, given_command) == told(theirs.call, given_command), given_command
    assert ours.clear_all_memory() == theirs.clear_all_memory()
    assert told(ours.call, view(M)) == told(theirs.call, view(M))


async def test_the_same_is_told_when_it_is_awaited(running: Running, tmp_path: Path) -> None:
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path))
    async with AsyncClient(running.url, running.key) as client:
        ours = AsyncMunimentMemoryTool(client, user_id="story")
        for one in STORY[:24]:
            try:
                said = ("told", _plain(str(await ours.call(one))))
            except ToolError as error:
                said = ("refused", str(error))
            assert said == told(theirs.call, one), one
        await ours.clear_all_memory()


_NAMES = st.sampled_from(["a", "b", "d/a", "d/b", "d", "d/e/f", ".h"]).map(lambda one: f"{M}/{one}")
_TEXTS = st.sampled_from(["", "a", "a\n", "a\nb", "a\nb\na\n", "\n\n", "b\r\na"])
_COMMANDS = st.one_of(
    st.builds(view, _NAMES | st.just(M)),
    st.builds(create, _NAMES, _TEXTS),
    st.builds(replace, _NAMES, st.sampled_from(["a", "b", "\n", "a\nb"]), _TEXTS),
    st.builds(insert, _NAMES, st.integers(-1, 4), _TEXTS),
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(_COMMANDS, max_size=10))
def test_whatever_is_done(
    client: Client, tmp_path_factory: pytest.TempPathFactory, done: list[dict[str, Any]]
) -> None:
    place = tmp_path_factory.mktemp("files")
    theirs = BetaLocalFilesystemMemoryTool(str(place))
    ours = MunimentMemoryTool(client, user_id=f"any {place.name}")
    for one in done:
        try:
            expected = told(theirs.call, one)
        except OSError:
            # There a file in the way of a directory is an error of the system.
            expected = ("refused", "")
        said = told(ours.call, one)
        assert said == expected or (expected[1] == "" and said[0] == "refused"), one


@pytest.mark.parametrize(
    "path",
    [
        "/memoriesX", "/memoriesX/a", "/memories.txt", "/Memories/a", f"{M}/%2e%2e/x",
        f"{M}/%252E%252e/x", f"{M}/a/..%2f..", f"{M}\\..\\x", f"{M}/..\\x", f"{M}/a\x00b",
        f"{M}/%00", f"{M}/ .. /x", f"{M}/a/../a", f"{M}/\ud800", f"{M}/\u202ex", f"{M}/{'x' * 600}",
        f"{M}/{'d/' * 20}x",
    ],
)  # fmt: skip
def test_what_leads_out_is_refused(client: Client, path: str) -> None:
    tool = MunimentMemoryTool(client, user_id="out")
    for given_command in (
        view(path), create(path, "x"), replace(path, "x", "y"), insert(path, 0, "x"), delete(path),
        rename(path, f"{M}/x"), rename(f"{M}/x", path),
    ):  # fmt: skip
        assert told(tool.call, given_command)[0] == "refused", given_command
    assert client.files.list(user_id="out").items == ()


@pytest.mark.parametrize(
    ("given_command", "said"),
    [
        (command("view", path=3), "Invalid `path` parameter. It should be a string."),
        (command("view"), "Invalid `path` parameter. It should be a string."),
        (view(M, 1) | {"view_range": "12"}, "Invalid `view_range` parameter."),
        (view(M, 1) | {"view_range": [1, None]}, "Invalid `view_range` parameter."),
        (create(f"{M}/a", "x") | {"file_text": {"a": 1}}, "Invalid `file_text` parameter."),
        (replace(f"{M}/a", "x", "y") | {"old_str": None}, "Invalid `old_str` parameter."),
        (replace(f"{M}/a", "x", "y") | {"new_str": 7}, "Invalid `new_str` parameter."),
        (insert(f"{M}/a", 0, "x") | {"insert_line": "first"}, "Invalid `insert_line` parameter."),
        (insert(f"{M}/a", 0, "x") | {"insert_line": None}, "Invalid `insert_line` parameter."),
        (insert(f"{M}/a", 0, "x") | {"insert_text": ["x"]}, "Invalid `insert_text` parameter."),
        (delete(M) | {"path": []}, "Invalid `path` parameter."),
        (command("rename", old_path=1, new_path="x"), "Invalid `old_path` parameter."),
        (command("rename", old_path="x"), "Invalid `new_path` parameter."),
        (command("erase", path=M), "Unknown command."),
        ({"path": M}, "Unknown command."),
        ([1], "Unknown command."),
        (None, "Unknown command."),
    ],
    ids=repr,
)
async def test_what_is_of_a_wrong_type(
    running: Running, client: Client, given_command: Any, said: str
) -> None:
    tool = MunimentMemoryTool(client, user_id="types")
    with pytest.raises(ToolError, match=re.escape(said)):
        tool.call(given_command)
    async with AsyncClient(running.url, running.key) as awaited:
        with pytest.raises(ToolError, match=re.escape(said)):
            await AsyncMunimentMemoryTool(awaited, user_id="types").call(given_command)


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
def test_what_cannot_come_back_exactly_is_refused(client: Client, text: str) -> None:
    tool = MunimentMemoryTool(client, user_id="broken")
    tool.call(create(f"{M}/whole", "x\n"))
    for one in (
        create(f"{M}/a", text), replace(f"{M}/whole", "x", text), insert(f"{M}/whole", 0, text)
    ):  # fmt: skip
        assert told(tool.call, one) == (
            "refused",
            f"The file {one['path']} is refused: {UNKEPT}",
        )
    assert client.files.get(user_id="broken", path="whole").content == "x\n"
    tool.clear_all_memory()


def test_no_edit_is_lost(client: Client) -> None:
    tool = MunimentMemoryTool(client, user_id="many")
    tool.call(create(f"{M}/a", "0\n"))
    failed: list[Exception] = []

    def write(name: int) -> None:
        try:
            tool.call(insert(f"{M}/a", 0, f"line {name}"))
        except Exception as error:  # noqa: BLE001 - told below, in the test's own thread
            failed.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(5)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failed
    lines = client.files.get(user_id="many", path="a").content.split()
    assert sorted(lines) == sorted(["0", *(word for n in range(5) for word in ("line", str(n)))])
    assert len(client.files.history(user_id="many", path="a").items) == 6


def test_a_secret_is_not_kept(client: Client) -> None:
    tool = MunimentMemoryTool(client, user_id="secret")
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    assert "aws-key" in str(tool.call(create(f"{M}/a", f"The key is {key}.")))
    assert key not in client.files.get(user_id="secret", path="a").content


def _answers(*inputs: dict[str, Any]) -> httpx2.MockTransport:
    """A model that calls the tool with each of these, and then says that it is done."""
    left = list(inputs)

    def answer(_request: httpx2.Request) -> httpx2.Response:
        content: dict[str, Any] = {"type": "text", "text": "Done."}
        if left:
            content = {"type": "tool_use", "id": f"t{len(left)}", "name": "memory"} | {
                "input": left.pop(0)
            }
        body = {
            "id": "m", "type": "message", "role": "assistant", "model": "scripted",
            "content": [content], "stop_sequence": None,
            "stop_reason": "tool_use" if content["type"] == "tool_use" else "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        return httpx2.Response(
            200, content=json.dumps(body), headers={"content-type": "application/json"}
        )

    return httpx2.MockTransport(answer)


def test_the_runner_of_the_sdk(client: Client) -> None:
    tool = MunimentMemoryTool(client, user_id="runner", agent_id="scripted")
    script = [
        create(f"{M}/notes", "Nora drinks oat milk.\n"),
        replace(f"{M}/notes", "oat", "soy"),
        view(f"{M}X"),
    ]
    with (
        httpx2.Client(transport=_answers(*script)) as http,
        Anthropic(api_key="none", http_client=http, max_retries=0) as model,
    ):
        runner = model.beta.messages.tool_runner(
            model="scripted",
            max_tokens=100,
            tools=[tool],
            messages=[{"role": "user", "content": "Remember it."}],
        )
        assert runner.until_done().content[0].text == "Done."  # type: ignore[union-attr]
    held = client.files.get(user_id="runner", path="notes")
    assert (held.content, held.version, held.agent_id) == ("Nora drinks soy milk.\n", 2, "scripted")
