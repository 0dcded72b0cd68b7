"""Whoever records passes on several requests at once."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from muniment.replay.loopback import served
from muniment.replay.recording import Recorder


def test_several_requests_at_once() -> None:
    """Each waits for the other at the service; they are noted as they were asked."""
    first_is_there, second_is_there = threading.Event(), threading.Event()

    def service(request: httpx.Request) -> httpx.Response:
        first = json.loads(request.content)["query"] == "first"
        (first_is_there if first else second_is_there).set()
        assert (second_is_there if first else first_is_there).wait(20)
        return httpx.Response(200, content=b'{"items": []}')

    transport = httpx.MockTransport(service)
    with httpx.Client(base_url="http://service", transport=transport) as http:
        recorder = Recorder(http)
        with (
            served(recorder.answer, at_once=True) as url,
            httpx.Client(base_url=url, trust_env=False, timeout=30) as client,
            ThreadPoolExecutor(1) as pool,
        ):
            asked = pool.submit(client.post, "/v1/recall", json={"user_id": "u", "query": "first"})
            assert first_is_there.wait(20)
            told = client.post("/v1/recall", json={"user_id": "u", "query": "second"})
            assert (told.status_code, asked.result().status_code) == (200, 200)
    assert [one.arguments["query"] for one in recorder.heard] == ["first", "second"]
