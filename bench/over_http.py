"""Muniment as a service, asked by a bare client on one kept-alive connection (RULES 16.2)."""

import http.client
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

K = 10


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that it takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def index_bytes(url: str) -> float:
    """What the cached indexes of scopes occupy in the API process at a URL."""
    with urlopen(f"{url}/metrics") as answer:  # noqa: S310 - our own service
        lines = answer.read().decode().splitlines()
    return float(
        next(line.split()[1] for line in lines if line.startswith("muniment_index_cache_bytes"))
    )


class OverHttp:
    """Muniment as a service: a bare client on one kept-alive connection (RULES 16.2)."""

    name = "muniment over HTTP"

    def __init__(self, url: str, key: str) -> None:
        place = urlsplit(url)
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port)
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}

    def ask(self, user: str, question: str) -> int:
        """One recall."""
        answer = self.post("/v1/recall", {"user_id": user, "query": question, "k": K})
        return len(answer["items"])

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """One request that posts."""
        return self.send("POST", path, body)

    def send(self, method: str, path: str, body: dict[str, Any]) -> Any:
        """One request; raises RuntimeError for anything but success."""
        try:
            response = self._send(method, path, body)
        except (BrokenPipeError, http.client.RemoteDisconnected):
            # The server ends a connection that says nothing while the others are asked.
            self._connection.close()
            response = self._send(method, path, body)
        text = response.read()
        if response.status != http.client.OK:
            raise RuntimeError(f"{response.status}: {text[:200]!r}")
        return json.loads(text)

    def _send(self, method: str, path: str, body: dict[str, Any]) -> http.client.HTTPResponse:
        self._connection.request(method, path, json.dumps(body).encode(), self._headers)
        return self._connection.getresponse()
