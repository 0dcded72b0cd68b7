"""Which schemas a build starts on.

| the build's schema against the database's | start |
|---|---|
| the same, one ahead | goes |
| two ahead, one behind | refused, with a cure |
"""

import pytest

from muniment.bootstrap import load_policy
from muniment.postgres.checks import problems
from muniment.postgres.embedded import APP, WORKER
from muniment.postgres.migrate import Migration, migrations
from muniment.settings import Settings
from tests.support.databases import Database

HEAD = len(migrations())


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (0, None),
        (1, None),
        (2, f"at schema {HEAD}; this build runs on {HEAD + 1} and {HEAD + 2}"),
        (-1, f"at schema {HEAD}, newer than this build's {HEAD - 1}"),
    ],
)
@pytest.mark.parametrize("role", [APP, WORKER])
def test_which_schemas_a_build_takes(
    database: Database, monkeypatch: pytest.MonkeyPatch, role: str, ahead: int, said: str | None
) -> None:
    later = [Migration(HEAD + number, "later", "") for number in range(1, ahead + 1)]
    of_the_build = [*migrations(), *later][: HEAD + ahead]
    monkeypatch.setattr("muniment.postgres.checks.migrations", lambda: of_the_build)
    with database.connect(role) as connection:
        found = [
            (what, cure)
            for what, cure in problems(connection, load_policy(Settings()), role)
            if "schema" in what
        ]
    assert [what for what, _ in found if said is None or said not in what] == []
    assert len(found) == (said is not None)
    assert all(cure for _, cure in found)
