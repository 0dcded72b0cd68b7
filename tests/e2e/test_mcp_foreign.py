"""The process ``muniment mcp`` where something other than the service answers.

| what answers | then |
|---|---|
| a proxy: text, nothing, another place, an empty list, garbage as gzip | each request has an error with its id, nothing else is written, and it goes on |
| nothing, since there is no such URL or the names are too long for one | it ends at once, and says so |
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from muniment.settings import environment_with
from tests.support.mcp_calls import message, tool_call

KINDS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "bad gateway": (502, {"content-type": "text/html"}, b"<html>\n</html>\n"),
    "not found": (404, {"content-type": "text/html"}, b"<html></html>"),
    "too large": (413, {"content-type": "text/html"}, b"<html></html>"),
    "a list": (200, {"content-type": "application/json"}, b"[]"),
    "unavailable": (503, {}, b""),
    "moved": (301, {"location": "http://127.0.0.1:9/"}, b""),
    "garbage": (200, {"content-type": "application/json", "content-encoding": "gzip"}, b"x"),
}


class Proxy(BaseHTTPRequestHandler):
    """Answers every request with what its path names."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        status, headers, body = KINDS[self.path.split("/")[1].replace("-", " ")]
        self.send_response(status)
        for name, value in (headers | {"content-length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is told."""


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def ran(url: str, given: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "muniment", "mcp", *options],
        env=environment_with({"MUNIMENT_URL": url, "MUNIMENT_API_KEY": "mnm_key"}),
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy(kind: str, proxy: str) -> None:
    sent = [
        message("initialize", number=1),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        message("tools/call", tool_call("recall", {}), number=2),
        message("tools/list", number=3),
    ]
    given = b"".join(json.dumps(one).encode() + b"\n" for one in sent)
    done = ran(f"{proxy}/{kind.replace(' ', '-')}", given)
    assert (done.returncode, done.stderr) == (0, b"")
    told = {one["id"]: one for one in map(json.loads, done.stdout.splitlines())}
    assert sorted(told) == [1, 2, 3]
    assert len(done.stdout.splitlines()) == 3
    assert {told[1]["error"]["data"]["code"], told[3]["error"]["data"]["code"]} == {"internal"}
    assert told[2]["result"]["isError"] is True


@pytest.mark.parametrize(
    ("url", "options"), [("http://a..b", []), ("http://127.0.0.1:9", ["--user-id", "u" * 70_000])]
)
def test_what_no_call_can_be_sent_to(url: str, options: list[str]) -> None:
    done = ran(url, json.dumps(message("tools/list", number=1)).encode() + b"\n", *options)
    assert done.returncode != 0
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    assert b"address" in done.stderr
