"""Muniment over HTTP: turns of the user by ``events.write``, found by ``recall``."""

from collections.abc import Sequence
from datetime import UTC, datetime

from bench.over_http import OverHttp
from bench.peers.child import USER, Contender, Given, serve


class Muniment(Contender):
    """A bare client on one kept-alive connection."""

    def open(self, given: Given) -> None:
        """The service runs already."""
        self._client = OverHttp(given.url, given.key)
        self._turn = self._batches = 0

    def add(self, texts: Sequence[str]) -> None:
        """One write; raises where the gate drops a text. Single turns go on in one session, and a
        batch is a session."""
        at = datetime.now(UTC).isoformat()
        first, session = 0, f"batch-{self._batches}"
        if len(texts) == 1:
            first, session = self._turn, "turns"
            self._turn += 1
        else:
            self._batches += 1
        events = [
            {"turn": first + turn, "role": "user", "content": text, "occurred_at": at}
            for turn, text in enumerate(texts)
        ]
        path = f"/v1/users/{USER}/sessions/{session}/events"
        written = self._client.post(path, {"events": events})
        dropped = [one["turn"] for one in written["verdicts"] if not one["kept"]]
        if dropped:
            raise RuntimeError(f"dropped by the gate: {texts[dropped[0]]}")

    def search(self, question: str, k: int) -> list[str]:
        """One recall."""
        answer = self._client.post("/v1/recall", {"user_id": USER, "query": question, "k": k})
        return [item["text"] for item in answer["items"]]

    def close(self) -> None:
        """The harness stops the service."""


if __name__ == "__main__":
    serve(Muniment())
