"""What the SDK sends again, and how it goes through pages.

| answer | then |
|---|---|
| 429 or 503 | the same request again, with the same idempotency key, after a pause |
| the same with ``Retry-After`` | not sooner than that, and later by chance |
| ``Retry-After`` of more than five seconds | the error at once |
| the last try | the error |
| any other status, no answer | no second request |
| pages | every item once, in order; the cursor of one asks for the next |
"""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.client import AsyncClient, Client, async_each, each, retrying
from muniment.client import client as sdk
from muniment.client.retrying import Retrying
from muniment.errors import Conflict, MunimentError, RateLimited, Unavailable, Unreachable

Answer = tuple[int, dict[str, str], dict[str, Any]]
DONE: Answer = (200, {}, {"key": "k"})
LATER: Answer = (503, {}, {"code": "unavailable"})


class Answering:
    """Answers from a list, and what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = iter(answers)
        self.asked: list[httpx.Request] = []
        self.pauses: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        status, headers, body = next(self.answers)
        if status >= 400:
            body = {"type": "t", "title": "t", "status": status, "detail": "d"} | body
        return httpx.Response(status, headers=headers, json=body)

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def delete(self, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Any:
        monkeypatch.setattr(sdk, "_sleep", self.pauses.append)
        with Client("http://x", "k", transport=httpx.MockTransport(self), **more) as client:
            return client.working.delete(user_id="u", session_id="s", key="k")

    async def delete_async(self, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Any:
        monkeypatch.setattr(sdk, "_sleep_async", self.pause)
        async with AsyncClient(
            "http://x", "k", transport=httpx.MockTransport(self), **more
        ) as client:
            return await client.working.delete(user_id="u", session_id="s", key="k")


CASES: list[tuple[list[Any], dict[str, Any], int, type[MunimentError] | None]] = [
    ([DONE], {}, 1, None),
    ([LATER, (429, {"retry-after": "1"}, {"code": "rate_limited"}), DONE], {}, 3, None),
    ([LATER] * 3, {}, 3, Unavailable),
    ([LATER], {"retries": 0}, 1, Unavailable),
    ([(429, {"retry-after": "6"}, {"code": "rate_limited"})], {}, 1, RateLimited),
    ([(409, {"retry-after": "1"}, {"code": "conflict"})], {}, 1, Conflict),
]


@pytest.mark.parametrize(("answers", "more", "asked", "error"), CASES)
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_is_put_off_is_sent_again(
    answers: list[Any], more: dict[str, Any], asked: int, error: type[MunimentError] | None,
    asynchronous: bool, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    service = Answering(*answers)
    raised: MunimentError | None = None
    try:
        if asynchronous:
            await service.delete_async(monkeypatch, **more)
        else:
            service.delete(monkeypatch, **more)
    except MunimentError as caught:
        raised = caught
    assert type(raised) is (error or type(None))
    assert (len(service.asked), len(service.pauses)) == (asked, asked - 1)
    keys = {request.headers["idempotency-key"] for request in service.asked}
    assert len(keys) == 1
    if asked == 3 and error is None:
        assert 1 <= service.pauses[1] < 1.5


def test_no_answer_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    monkeypatch.setattr(sdk, "_sleep", pytest.fail)
    client = Client("http://x", "k", transport=httpx.MockTransport(refuse))
    with client, pytest.raises(Unreachable):
        client.sessions.get(user_id="u", session_id="s")


@given(
    st.sampled_from([200, 409, 429, 500, 503]), st.text(max_size=12) | st.integers().map(str),
    st.integers(1, 60), st.floats(0, 1, exclude_max=True),
)  # fmt: skip
def test_pauses_have_bounds(status: int, after: str, tried: int, chance: float) -> None:
    pause = Retrying(50, 5.0).pause(status, {"retry-after": after}, tried, chance)
    if pause is not None:
        assert status in retrying._AGAIN
        assert tried <= 50
        assert max(retrying._seconds(after), 0.125) <= pause <= 10


def pages() -> Iterator[Answer]:
    """Three pages of keys of working memory."""
    for names, following in (("ab", "1"), ("", "2"), ("c", None)):
        at = "2026-06-01T00:00:00Z"
        items = [{"key": name, "version": 1, "updated_at": at, "expires_at": at} for name in names]
        yield 200, {}, {"items": items, "next": following}


async def test_every_item_of_every_page() -> None:
    service = Answering(*pages())
    with Client("http://x", "k", transport=httpx.MockTransport(service)) as client:
        found = each(client.working.list, user_id="u", session_id="s", limit=2)
        assert next(found).key == "a"
        assert len(service.asked) == 1
        assert [one.key for one in found] == ["b", "c"]
    assert [request.url.params.get("cursor") for request in service.asked] == [None, "1", "2"]
    service = Answering(*pages())
    async with AsyncClient("http://x", "k", transport=httpx.MockTransport(service)) as client:
        keys = async_each(client.working.list, user_id="u", session_id="s")
        assert [one.key async for one in keys] == ["a", "b", "c"]
    assert json.loads(service.asked[0].content or b"{}") == {}
