"""Before a process of the service works: wait for its database, then check it."""

import time
from datetime import timedelta

import psycopg
import structlog
from psycopg import pq

from muniment.domain.policy import Policy
from muniment.errors import StartRefused
from muniment.postgres.checks import advice, check_database

_PAUSE_SECONDS = 0.25
_CONNECT_SECONDS = 5

_log = structlog.get_logger()


def await_database(conninfo: str, role: str, policy: Policy, within: timedelta) -> None:
    """Return once the database takes ``role`` and is as it should be.

    Raises StartRefused for what is wrong with it, and when it does not answer in time.
    """
    deadline = time.monotonic() + within.total_seconds()
    told = None
    while True:
        try:
            with psycopg.connect(
                conninfo, autocommit=True, connect_timeout=_CONNECT_SECONDS
            ) as connection:
                check_database(connection, policy, role)
                for what, cure in advice(connection):
                    _log.warning("database_advice", role=role, problem=what, cure=cure)
                return
        except psycopg.OperationalError as error:
            state = _state(conninfo)
            if time.monotonic() >= deadline:
                raise StartRefused(
                    f"For {within.total_seconds():g} seconds the database {state} {role}.",
                    cure="Start it, and check its address and the role's password.",
                ) from error
        except psycopg.Error as error:
            raise StartRefused(
                f"The database cannot be checked as {role} ({type(error).__name__}).",
                cure="Run 'muniment db verify' and undo what was changed.",
            ) from error
        if state != told:
            _log.warning("waiting_for_database", role=role, state=f"It {state} this role.")
            told = state
        time.sleep(_PAUSE_SECONDS)


def _state(conninfo: str) -> str:
    """What a server that gives no connection does instead."""
    answer = pq.PGconn.ping(conninfo.encode())
    if answer == pq.Ping.OK:
        return "answers and does not let in"
    if answer == pq.Ping.REJECT:
        return "is starting or stopping and does not serve"
    return "does not answer"
