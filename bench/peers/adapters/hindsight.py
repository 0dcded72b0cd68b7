"""Hindsight's service over HTTP, without a model: texts are kept as they are.

Its embeddings come from an endpoint on loopback that knows every text's vector.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote, urlencode

from bench.over_http import OverHttp
from bench.peers.child import USER, Contender, Given, serve

_READY_SECONDS = 300.0
# It counts tokens where the others count answers: room for twenty of these texts.
_TOKENS = 512


def _embeddings(given: Given) -> ThreadingHTTPServer:
    """An endpoint as OpenAI's, answering from what was given."""

    class Endpoint(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            data = [
                # It embeds a text with its date behind.
                {"object": "embedding", "index": n, "embedding": given.vectors[text.split(" (happened ")[0]]}
                for n, text in enumerate(asked["input"])
            ]  # fmt: skip
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            answer = {"object": "list", "data": data, "model": asked["model"], "usage": usage}
            body = json.dumps(answer).encode()
            self.send_response(http.client.OK)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    return ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _database(conninfo: dict[str, str]) -> str:
    place = {name: conninfo[name] for name in ("host", "port", "passfile")}
    return f"postgresql://{quote(conninfo['user'])}@/{quote(conninfo['dbname'])}?{urlencode(place)}"


class Hindsight(Contender):
    """One bank for the user."""

    def open(self, given: Given) -> None:
        """Its service, started and waited for."""
        self._endpoint = _embeddings(given)
        threading.Thread(target=self._endpoint.serve_forever, daemon=True).start()
        settings = {
            "DATABASE_URL": _database(given.conninfo),
            "LLM_PROVIDER": "none",
            "EMBEDDINGS_PROVIDER": "openai",
            "EMBEDDINGS_OPENAI_API_KEY": "unused",
            "EMBEDDINGS_OPENAI_MODEL": "given",
            "EMBEDDINGS_OPENAI_BASE_URL": f"http://127.0.0.1:{self._endpoint.server_port}/v1",
            "EMBEDDINGS_OPENAI_DIMENSIONS": str(given.dimensions),
            "RERANKER_PROVIDER": "rrf",
            "LOG_LEVEL": "warning",
            "MCP_ENABLED": "false",
        }
        port = _free_port()
        self._service = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "hindsight_api.main",
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
            ],
            cwd=given.data,
            env=os.environ | {f"HINDSIGHT_API_{name}": value for name, value in settings.items()},
            stdin=subprocess.DEVNULL,
        )
        self._await(port)
        self._client = OverHttp(f"http://127.0.0.1:{port}", "")
        self._bank = f"/v1/default/banks/{USER}/memories"

    def _await(self, port: int) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while time.monotonic() < deadline:
            if self._service.poll() is not None:
                raise RuntimeError(f"its service ended with {self._service.returncode}")
            connection = http.client.HTTPConnection("127.0.0.1", port)
            try:
                connection.request("GET", "/health")
                if connection.getresponse().status == http.client.OK:
                    return
            except ConnectionError:
                time.sleep(0.1)
            finally:
                connection.close()
        raise RuntimeError(f"its service was not ready within {_READY_SECONDS:.0f} s")

    def add(self, texts: Sequence[str]) -> None:
        """One retain that waits."""
        kept = self._client.post(self._bank, {"items": [{"content": text} for text in texts]})
        if not kept["success"]:
            raise RuntimeError(f"not retained: {kept}")

    def search(self, question: str, k: int) -> list[str]:
        """One recall of its default budget."""
        asked = {"query": question, "max_tokens": _TOKENS, "include": {"entities": None}}
        found = self._client.post(f"{self._bank}/recall", asked)
        return [one["text"] for one in found["results"][:k]]

    def close(self) -> None:
        """Service and endpoint."""
        self._service.terminate()
        self._service.wait(60)
        self._endpoint.shutdown()


if __name__ == "__main__":
    serve(Hindsight())
