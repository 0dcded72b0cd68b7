"""Make a cluster: built aside, renamed when whole, so that a kill leaves nothing that blocks."""

import re
import shutil
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.binaries import Binaries
from muniment.postgres.embedded.configuration import Tuning
from muniment.postgres.embedded.diagnosis import explain
from muniment.postgres.embedded.files import new_private_dir, read_plain, refusing, sync_dir
from muniment.postgres.embedded.launch import run
from muniment.postgres.embedded.layout import ADMIN, Layout
from muniment.postgres.embedded.processes import Patience, clear_the_way

_OPTIONS = (
    f"--username={ADMIN}",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
    # Replaced before the first start by the project's own access rules.
    "--auth=reject",
    "--no-instructions",
)


def _version_of(pg: Path) -> str | None:
    text = read_plain(pg / "PG_VERSION", limit=32)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*", text or "")
    return found[1] if found else None


def needs_cluster(layout: Layout, account: Account, binaries: Binaries) -> bool:
    """True when there is none yet; a foreign directory, version or owner is refused."""
    pg = layout.pg
    if not pg.exists():
        return True
    if not pg.is_dir():
        raise StartRefused(f"{pg} is not a directory.", cure="Move what is there away.")
    owner = pg.stat().st_uid
    if owner != account.uid:
        raise StartRefused(
            f"The cluster {pg} belongs to user number {owner}, and the server runs as "
            f"{account.label} ({account.uid}).",
            cure="Start as the user that it belongs to, or hand it over with "
            f"'chown -R {account.uid}:{account.gid}'.",
        )
    if not any(pg.iterdir()):
        return True
    version = _version_of(pg)
    if version is None:
        raise StartRefused(
            f"{pg} holds files that are not a PostgreSQL cluster.",
            cure="Move them away, or choose another data directory.",
        )
    if version != str(binaries.major):
        raise StartRefused(
            f"The cluster {pg} was made by PostgreSQL {version}, and this is {binaries.major}.",
            cure=f"Dump it with PostgreSQL {version} and load it into a new data directory.",
        )
    return False


def _discard_unfinished(layout: Layout) -> None:
    for leftover in layout.data.glob(f"{layout.unfinished.name}*"):
        clear_the_way(leftover, leftover, Patience(orphans=0.0))
        shutil.rmtree(leftover)


def initialise(layout: Layout, account: Account, binaries: Binaries, tuning: Tuning) -> None:
    """Run initdb for ``layout.pg``; the caller holds the data directory's lock."""
    if account.name is None:
        raise explain("look up effective user ID", None, what="initdb", log=None)
    with refusing(layout.data):
        _discard_unfinished(layout)
        target = new_private_dir(layout.unfinished, account)
    fast = () if tuning.durable else ("--no-sync",)
    program = (binaries.program("initdb"), "-D", target, *_OPTIONS, *fast)
    status, output = run(program, account)
    if status != 0:
        shutil.rmtree(target, ignore_errors=True)
        raise explain(output, status, what="initdb", log=None)
    with refusing(layout.pg):
        target.rename(layout.pg)
        sync_dir(layout.data)
