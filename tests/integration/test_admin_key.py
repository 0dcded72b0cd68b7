"""The file with the first admin key: where it is, and whose.

| the file | the installation |
|---|---|
| is not there | makes it, mode 0600, and says so once |
| has a key of this database (a start was killed before it counted) | replaces it |
| has a key of another database, or something else | is refused, exit status 2; the file stays |
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.bootstrap import install, new_admin_key
from muniment.errors import BadSetting
from muniment.postgres.embedded import ADMIN, Postmaster
from muniment.records.credentials import read_token
from muniment.settings import Settings
from muniment.surfaces.cli.main import main
from tests.support.databases import Database


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A data directory of its own."""
    return Settings(data_dir=tmp_path / "data", partitions=1)


@pytest.fixture
def databases(cluster: Postmaster, template: str) -> Iterator[tuple[Database, Database]]:
    """Two databases without a tenant."""
    made = Database.copy(cluster, template), Database.copy(cluster, template)
    yield made
    for one in made:
        one.drop()


def run(database: Database, settings: Settings) -> bool:
    """Install; whether a key was made."""
    with database.connect(ADMIN) as admin:
        return install(settings, admin).new_key


def test_the_first_start_makes_it_once(own_database: Database, settings: Settings) -> None:
    assert run(own_database, settings)
    file = settings.admin_key_file
    assert file == settings.data_dir / "admin.key"
    assert file.stat().st_mode & 0o777 == 0o600
    key = file.read_text()
    assert not run(own_database, settings)
    assert file.read_text() == key
    assert not list(settings.data_dir.glob("*.new"))


def test_two_databases_do_not_share_it(
    databases: tuple[Database, Database], settings: Settings
) -> None:
    one, other = databases
    assert run(one, settings)
    key = settings.admin_key_file.read_text()
    for attempt in (run, _renew):
        with pytest.raises(BadSetting, match="holds the key of another database") as refused:
            attempt(other, settings)
        assert "MUNIMENT_DATA_DIR" in refused.value.cure
        assert settings.admin_key_file.read_text() == key
    elsewhere = settings.model_copy(update={"data_dir": settings.data_dir / "other"})
    assert run(other, elsewhere)
    assert elsewhere.admin_key_file.read_text() != key


def _renew(database: Database, settings: Settings) -> None:
    with database.connect(ADMIN) as admin:
        # As an installation whose file another database took since.
        if not install(settings, admin).new_key:
            new_admin_key(settings, admin)


@pytest.mark.parametrize("content", [b"", b"mine", b"\xff\xfe"])
def test_what_is_no_key_stays(own_database: Database, settings: Settings, content: bytes) -> None:
    settings.data_dir.mkdir()
    settings.admin_key_file.write_bytes(content)
    with pytest.raises(BadSetting, match=r"admin\.key"):
        run(own_database, settings)
    assert settings.admin_key_file.read_bytes() == content


def test_a_key_that_never_counted_is_replaced(own_database: Database, settings: Settings) -> None:
    assert run(own_database, settings)
    lost = settings.admin_key_file.read_text()
    with own_database.connect(ADMIN) as admin:
        # As if the start had been killed between the file and the commit.
        admin.execute("DELETE FROM muniment.tenant")
    assert run(own_database, settings)
    key = settings.admin_key_file.read_text()
    assert key != lost
    assert read_token(key.strip()).tenant_id == read_token(lost.strip()).tenant_id


def test_a_further_key_replaces_it(own_database: Database, settings: Settings) -> None:
    assert run(own_database, settings)
    first = settings.admin_key_file.read_text()
    _renew(own_database, settings)
    assert settings.admin_key_file.read_text() != first
    with own_database.connect(ADMIN) as admin:
        assert admin.execute("SELECT FROM muniment.api_key").rowcount == 2


def test_the_command_line_names_the_file_once_and_never_the_key(
    own_database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MUNIMENT_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("MUNIMENT_ADMIN_DATABASE_URL", own_database.conninfo(ADMIN))
    monkeypatch.setattr(sys, "argv", ["muniment", "db", "migrate"])
    texts = []
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0].splitlines()[0] == f"the admin key is in {settings.admin_key_file}"
    assert "admin key" not in texts[1]
    assert settings.admin_key_file.read_text().strip() not in texts[0]


def test_nobody_else_writes_the_file_while_it_is_decided(
    own_database: Database, settings: Settings
) -> None:
    """Two installations at once make one key."""
    with own_database.connect(ADMIN) as admin:
        assert run(own_database, settings)
        with admin.transaction():
            admin.execute(
                "SELECT FROM muniment_meta.setting WHERE name = 'default_tenant' FOR UPDATE"
            )
            with own_database.connect(ADMIN) as second:
                second.execute("SET lock_timeout = '100ms'")
                with pytest.raises(psycopg.errors.LockNotAvailable):
                    new_admin_key(settings, second)
