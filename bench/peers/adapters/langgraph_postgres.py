"""LangGraph's ``PostgresStore``, on a server of its own."""

from langgraph.store.postgres import PostgresStore
from psycopg.conninfo import make_conninfo

from bench.peers.adapters.langgraph_store import LangGraph
from bench.peers.child import serve

if __name__ == "__main__":
    serve(
        LangGraph(
            lambda given, index: PostgresStore.from_conn_string(
                make_conninfo("", **given.conninfo), index=index
            )
        )
    )
