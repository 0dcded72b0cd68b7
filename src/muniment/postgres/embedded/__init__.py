"""The embedded PostgreSQL: one private server on one data directory.

``hold`` the directory, ``Postmaster.prepare`` the server, then hand it to a supervisor or use
``Postmaster.running``.
"""

from muniment.postgres.embedded.binaries import shipped_program
from muniment.postgres.embedded.configuration import Tuning
from muniment.postgres.embedded.layout import (
    ADMIN,
    APP,
    DATABASE,
    ROLES,
    WORKER,
    Layout,
    conninfo,
    default_data_dir,
)
from muniment.postgres.embedded.lock import ServeLock, hold
from muniment.postgres.embedded.postmaster import FAST_SIGNAL, STOP_SIGNAL, Postmaster
from muniment.postgres.embedded.processes import Patience

__all__ = [
    "ADMIN",
    "APP",
    "DATABASE",
    "FAST_SIGNAL",
    "ROLES",
    "STOP_SIGNAL",
    "WORKER",
    "Layout",
    "Patience",
    "Postmaster",
    "ServeLock",
    "Tuning",
    "conninfo",
    "default_data_dir",
    "hold",
    "shipped_program",
]
