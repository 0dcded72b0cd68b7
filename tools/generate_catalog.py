"""Write src/muniment/postgres/sql/catalog.json from the migrations: what 'db verify' compares with.

Needs no server: an embedded one is started for the purpose. A test holds the file to be current.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from tests.support.cluster import session_cluster

from muniment.postgres.embedded import ADMIN
from muniment.postgres.migrate import catalog, migrate

TARGET = Path(__file__).resolve().parent.parent / "src/muniment/postgres/sql/catalog.json"


def main() -> None:
    """Write the file."""
    with (
        session_cluster(durable=False) as cluster,
        psycopg.connect(cluster.conninfo(ADMIN), autocommit=True) as connection,
    ):
        migrate(connection, partitions=1, now=datetime.now(UTC))
        TARGET.write_text(json.dumps(catalog(connection), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
