"""The roles' passwords (for users without a passwd entry) and the project's database."""

import re
from collections.abc import Callable, Mapping

import psycopg
from psycopg import sql

from muniment.errors import StartRefused
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.files import read_plain, refusing, write_private
from muniment.postgres.embedded.layout import DATABASE, ROLES, Layout
from muniment.postgres.queries import admin_queries

Entropy = Callable[[int], bytes]
_PASSWORD_BYTES = 32
_LINE = re.compile(r"\*:\*:\*:(\w+):([0-9a-f]{64})")


def read_passwords(layout: Layout, account: Account) -> dict[str, str] | None:
    """Role to password from the passfile, None unless every role has one; a file that is not
    ours alone is refused."""
    with refusing(layout.passfile):
        text = read_plain(layout.passfile)
        if text is None:
            return None
        found = layout.passfile.lstat()
    if found.st_uid not in {account.uid, 0} or found.st_mode & 0o077:
        raise StartRefused(
            f"The password file {layout.passfile} is not this user's alone.",
            cure=f"Remove it, or give it to user {account.label} with mode 0600.",
        )
    passwords = {match[1]: match[2] for match in _LINE.finditer(text)}
    return passwords if passwords.keys() >= set(ROLES) else None


def _store(layout: Layout, account: Account, passwords: Mapping[str, str]) -> None:
    lines = [f"*:*:*:{role}:{password}\n" for role, password in passwords.items()]
    with refusing(layout.passfile):
        write_private(layout.passfile, "".join(lines), account)


def _set_passwords(
    connection: psycopg.Connection[tuple[object, ...]], passwords: Mapping[str, str]
) -> None:
    rows = connection.execute(admin_queries()["roles_existing"], {"names": list(ROLES)}).fetchall()
    for (role,) in rows:
        name = str(role)
        # Only the verifier is sent, so no log or statistics view can ever show the password.
        verifier = connection.pgconn.encrypt_password(
            passwords[name].encode(), name.encode(), b"scram-sha-256"
        )
        connection.execute(
            sql.SQL(admin_queries()["role_login"]).format(
                sql.Identifier(name), sql.Literal(verifier.decode())
            )
        )


def ensure_login_roles(
    connection: psycopg.Connection[tuple[object, ...]],
    layout: Layout,
    account: Account,
    entropy: Entropy,
) -> None:
    """Give LOGIN and the passfile's password to those of ``ROLES`` that exist; make the passfile
    if there is none. ``connection`` is the administrator's. Call it again after creating roles.
    """
    known = read_passwords(layout, account)
    passwords = known or {role: entropy(_PASSWORD_BYTES).hex() for role in ROLES}
    with connection.transaction():
        _set_passwords(connection, passwords)
    if known is None:
        # After the commit: a kill in between leaves no file, and the next start begins again.
        _store(layout, account, passwords)


def ensure_database(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Create database ``muniment`` if it is missing; ``connection`` is in autocommit mode."""
    found = connection.execute(admin_queries()["database_exists"], {"name": DATABASE}).fetchone()
    if found != (True,):
        connection.execute(
            sql.SQL(admin_queries()["database_create"]).format(sql.Identifier(DATABASE))
        )
