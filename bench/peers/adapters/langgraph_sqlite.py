"""LangGraph's ``SqliteStore``, in a file."""

import sys

import pysqlite3

# Many Pythons are built without loadable extensions of SQLite, and the store's index is one.
sys.modules["sqlite3"] = pysqlite3

from langgraph.store.sqlite import SqliteStore  # noqa: E402

from bench.peers.adapters.langgraph_store import LangGraph  # noqa: E402
from bench.peers.child import serve  # noqa: E402

if __name__ == "__main__":
    serve(
        LangGraph(
            lambda given, index: SqliteStore.from_conn_string(
                str(given.data / "store.sqlite"),
                # What it documents as "fields" it reads as "text_fields".
                index=index | {"text_fields": index["fields"]},
            )
        )
    )
