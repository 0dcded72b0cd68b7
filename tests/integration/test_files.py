"""files.*: texts that agents keep, by path.

| held | asked | then |
|---|---|---|
| nothing | put with `if_version` 0; none; 1 | version 1; version 1; `stale_version` with 0 |
| version 1 | put with 1; none; 0 | version 2; version 2; `stale_version` with 1 |
| `a/b` | put `a`, `a/b/c` | Conflict |
| version 2 of `a` | get; get version 1 | what it says; what it said, and until when |
| `a`, `a/b`, `ab`, `a b` | list; below `a` | in order; `a/b` alone |
| `a/b`, `a/c/d` | move `a` to `x`; to `a/y`; onto a file; from nothing | both moved; refused; Conflict; NotFound |
| `a/b`, `ab` | delete `a` | `ab` stays; what was there is in the history |
| deleted at version 1 | put with 0 | version 2 |
| more than 100 versions | history | the last 100 |
| a secret in the content | put | without it, and its kind is told |
| any | get as another user, another tenant | NotFound |
| any | forget of what a filter admits; of the user | nothing; all versions |
| paths with a way up, in any spelling | any | refused at `/path` |
"""

import asyncio
from typing import Any

import pytest

from muniment.errors import Conflict, InvalidInput, NotFound, StaleVersion
from muniment.records.files import MOST_VERSIONS
from tests.support.world import Local, Tenant

U = {"user_id": "u"}


async def put(tenant: Tenant, path: str, content: str = "x", **given: Any) -> int:
    """Write a file; its version."""
    done = await tenant("files.put", path=path, content=content, **{**U, **given})
    return int(done.version)


async def paths(tenant: Tenant, **given: Any) -> list[str]:
    return [one.path for one in (await tenant("files.list", **{**U, **given})).items]


@pytest.mark.parametrize(
    ("held", "asked", "then"),
    [
        (0, 0, 1), (0, None, 1), (1, 1, 2), (1, None, 2), (2, 2, 3),
        (0, 1, None), (1, 0, None), (2, 1, None), (1, 3, None),
    ],
)  # fmt: skip
async def test_versions(tenant: Tenant, held: int, asked: int | None, then: int | None) -> None:
    for _ in range(held):
        await put(tenant, "a")
    if then is not None:
        assert await put(tenant, "a", if_version=asked) == then
    else:
        with pytest.raises(StaleVersion) as stale:
            await put(tenant, "a", if_version=asked)
        assert stale.value.extra == {"version": held}


async def test_what_it_says_and_said(tenant: Tenant, service: Local) -> None:
    await put(tenant, "a", "one", agent_id="scribe")
    service.clock.advance(hours=1)
    await put(tenant, "a", "")
    now = await tenant("files.get", **U, path="a")
    assert (now.version, now.content, now.ended_at) == (2, "", None)
    then = await tenant("files.get", **U, path="a", version=1)
    assert (then.content, then.agent_id, then.ended_at) == ("one", "scribe", now.written_at)
    told = await tenant("files.history", **U, path="a", limit=1)
    assert [(one.version, one.size) for one in told.items] == [(2, 0)]
    told = await tenant("files.history", **U, path="a", cursor=told.next)
    assert [(one.version, one.size) for one in told.items] == [(1, 3)]
    for path, version in (("a", 3), ("A", None), ("b", None)):
        with pytest.raises(NotFound):
            await tenant("files.get", **U, path=path, version=version)


async def test_files_and_directories(tenant: Tenant) -> None:
    for path in ("a b", "ab", "c/d", "c/e/f", "c0", "C"):
        await put(tenant, path)
    for path in ("c", "c/e", "ab/x", "c/d/x"):
        with pytest.raises(Conflict):
            await put(tenant, path)
    assert await paths(tenant) == ["C", "a b", "ab", "c/d", "c/e/f", "c0"]
    assert await paths(tenant, directory="c") == ["c/d", "c/e/f"]
    assert await paths(tenant, directory="ab") == []
    page = await tenant("files.list", **U, directory="c", limit=1)
    assert await paths(tenant, directory="c", cursor=page.next) == ["c/e/f"]


async def test_moves(tenant: Tenant) -> None:
    for path in ("a/b", "a/c/d", "ab", "z"):
        await put(tenant, path, f"of {path}")
    move = {"path": "a", "to": "x"}
    assert (await tenant("files.move", **U, **move)).files == 2
    assert await paths(tenant) == ["ab", "x/b", "x/c/d", "z"]
    assert (await tenant("files.get", **U, path="x/c/d")).content == "of a/c/d"
    assert (await tenant("files.history", **U, path="a/b")).items[0].ended_at is not None
    wrong: list[tuple[str, str, type[Exception]]] = [
        ("x", "x/y", InvalidInput), ("x", "x", InvalidInput), ("a", "b", NotFound),
        ("ab", "z", Conflict), ("ab", "x", Conflict), ("ab", "z/y", Conflict),
        ("x/c", "/".join("d" * 16), InvalidInput),
    ]  # fmt: skip
    for path, to, error in wrong:
        with pytest.raises(error):
            await tenant("files.move", **U, path=path, to=to)
    assert await paths(tenant) == ["ab", "x/b", "x/c/d", "z"]


async def test_deletes(tenant: Tenant) -> None:
    for path in ("a/b", "a/c", "ab"):
        await put(tenant, path)
    assert (await tenant("files.delete", **U, path="a")).files == 2
    assert await paths(tenant) == ["ab"]
    with pytest.raises(NotFound):
        await tenant("files.delete", **U, path="a")
    assert (await tenant("files.get", **U, path="a/b", version=1)).content == "x"
    assert await put(tenant, "a/b", if_version=0) == 2


async def test_old_versions_go(tenant: Tenant) -> None:
    for number in range(MOST_VERSIONS + 2):
        await put(tenant, "a", str(number))
    told = await tenant("files.history", **U, path="a", limit=200)
    assert [one.version for one in told.items][::99] == [MOST_VERSIONS + 2, 3]
    assert len(told.items) == MOST_VERSIONS
    report = await tenant("governance.report")
    assert report is not None


async def test_secrets_are_not_kept(tenant: Tenant) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    done = await tenant("files.put", **U, path="a", content=f"The key is {key}.")
    assert done.redacted == ("aws-key",)
    assert key not in (await tenant("files.get", **U, path="a")).content


async def test_whose_they_are(tenant: Tenant, service: Local) -> None:
    await put(tenant, "a")
    other = await service.tenant("other")
    for whose, asked in ((tenant, {"user_id": "v"}), (other, U), (tenant, U | {"namespace": "n"})):
        with pytest.raises(NotFound):
            await whose("files.get", **asked, path="a")
        assert await paths(whose, **asked) == []


async def test_what_a_forget_takes(tenant: Tenant) -> None:
    await put(tenant, "a")
    await put(tenant, "a")
    gone = await tenant("forget", **U, filter={})
    assert "file_version" not in gone.counts
    gone = await tenant("forget", **U)
    assert gone.counts["file_version"] == 2
    assert await paths(tenant) == []


async def test_one_of_many_writers_is_first(tenant: Tenant) -> None:
    await put(tenant, "a")
    done = await asyncio.gather(
        *(put(tenant, "a", str(i), if_version=1) for i in range(4)), return_exceptions=True
    )
    assert sorted(str(one) for one in done if isinstance(one, int)) == ["2"]
    assert sum(isinstance(one, StaleVersion) for one in done) == 3


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "%2e%2e", "a/%2E%2e/b",
        "%252e%252e", "a%2fb", "..%2f", "a\\b", "%5c", "a\x00b", "%00", "\ud800", "a\u202eb", " ",
        "a/ /b", ".. /a", "x" * 513, "é" * 257, "/".join("a" * 17), "a\nb",
    ],
)  # fmt: skip
async def test_paths_that_are_none(tenant: Tenant, path: str) -> None:
    for name, more in (("put", {"content": "x"}), ("get", {}), ("delete", {}), ("history", {})):
        with pytest.raises(InvalidInput) as refused:
            await tenant(f"files.{name}", **U, path=path, **more)
        assert refused.value.faults[0].pointer == "/path"
    with pytest.raises(InvalidInput):
        await tenant("files.move", **U, path="a", to=path)


@pytest.mark.parametrize("path", ["a", ".hidden", "a.b", "...", "é", "%", "100%", "a b", "~", "-"])
async def test_paths_that_are(tenant: Tenant, path: str) -> None:
    await put(tenant, path)
    assert await paths(tenant) == [path]
