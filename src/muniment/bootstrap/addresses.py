"""How each role reaches the database, embedded or external."""

import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from muniment.errors import BadSetting
from muniment.postgres.embedded import ADMIN, APP, WORKER, Layout
from muniment.settings import Settings, variable_of

_URLS = {APP: "database_url", WORKER: "worker_database_url", ADMIN: "admin_database_url"}


def conninfo(settings: Settings, role: str) -> str:
    """How a role of the service reaches the database, embedded or external. Raises BadSetting."""
    if settings.database_url is None and (role != ADMIN or settings.admin_database_url is None):
        return Layout.of(settings.data_dir).conninfo(role)
    name = _URLS[role]
    url: SecretStr | None = getattr(settings, name)
    variable = variable_of(name)
    if url is None:
        raise BadSetting(
            f"{variable} is not set.",
            cure=f"Set it to the external database's address for {role}.",
        )
    return _checked(url, variable)


def read_conninfo(settings: Settings) -> str | None:
    """How recalls reach a replica, if there is one. Raises BadSetting."""
    url = settings.read_database_url
    return None if url is None else _checked(url, variable_of("read_database_url"))


def _checked(url: SecretStr, variable: str) -> str:
    try:
        conninfo_to_dict(url.get_secret_value())
    except psycopg.Error as error:
        raise BadSetting(
            f"{variable} is not an address of a database.",
            cure="Write it like postgresql://ROLE:PASSWORD@HOST:5432/DATABASE.",
        ) from error
    return url.get_secret_value()


def admin_conninfo(settings: Settings) -> str:
    """How an administrator of the database reaches it; its own URL alone says which database."""
    return conninfo(settings, ADMIN)
