"""mem0 in this process, without a model (``infer=False``), over the store that is named."""

import os
import sys
from collections.abc import Sequence
from typing import Any

# Read where mem0 is imported.
os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "unused"}

from mem0 import Memory
from mem0.memory import main as mem0_main
from psycopg.conninfo import make_conninfo

from bench.peers.child import USER, Contender, Given, serve


class Embedder:
    """In the place of mem0's own."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """One vector."""
        del memory_action
        return self._given.vectors[text]

    def embed_batch(
        self, texts: Sequence[str], memory_action: str | None = None
    ) -> list[list[float]]:
        """Many."""
        del memory_action
        return self._given.embed(texts)


class Mem0(Contender):
    """``pgvector``, or ``qdrant``: what it keeps in a local directory when told nothing."""

    def __init__(self, store: str) -> None:
        self._store = store

    def open(self, given: Given) -> None:
        """A collection of vectors, and its history beside."""
        mem0_main.EmbedderFactory.create = lambda *_args, **_named: Embedder(given)
        config: dict[str, Any] = {"embedding_model_dims": given.dimensions}
        if self._store == "pgvector":
            config |= {"connection_string": make_conninfo("", **given.conninfo)}
        else:
            config |= {"path": str(given.data / "qdrant")}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": self._store, "config": config},
                "history_db_path": str(given.data / "history.db"),
            }
        )

    def add(self, texts: Sequence[str]) -> None:
        """One call with so many messages; it stores them one by one."""
        messages = [{"role": "user", "content": text} for text in texts]
        added = self._memory.add(messages, user_id=USER, infer=False)
        if len(added["results"]) != len(texts):
            raise RuntimeError(f"added {len(added['results'])} of {len(texts)}")

    def search(self, question: str, k: int) -> list[str]:
        """One search, no threshold, so that it may find as many as the others."""
        found = self._memory.search(question, top_k=k, filters={"user_id": USER}, threshold=0.0)
        return [one["memory"] for one in found["results"]]

    def close(self) -> None:
        """Its stores."""
        self._memory.close()


if __name__ == "__main__":
    serve(Mem0(sys.argv[1]))
