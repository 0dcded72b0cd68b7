"""Chroma's persistent client in this process."""

from collections.abc import Sequence

import chromadb
from chromadb.config import Settings

from bench.peers.child import USER, Contender, Given, serve


class Chroma(Contender):
    """One collection; the user is in the metadata, as where several share it."""

    def open(self, given: Given) -> None:
        """The collection, by cosine."""
        self._given = given
        client = chromadb.PersistentClient(
            str(given.data / "chroma"), Settings(anonymized_telemetry=False)
        )
        self._collection = client.create_collection(
            "memories", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )
        self._added = 0

    def add(self, texts: Sequence[str]) -> None:
        """One add."""
        ids = [str(self._added + number) for number in range(len(texts))]
        self._added += len(texts)
        self._collection.add(
            ids=ids,
            documents=list(texts),
            embeddings=self._given.embed(texts),
            metadatas=[{"user_id": USER} for _ in texts],
        )

    def search(self, question: str, k: int) -> list[str]:
        """One query."""
        found = self._collection.query(
            query_embeddings=self._given.embed([question]), n_results=k, where={"user_id": USER}
        )
        return list(found["documents"][0])

    def close(self) -> None:
        """Nothing: what was added is stored."""


if __name__ == "__main__":
    serve(Chroma())
