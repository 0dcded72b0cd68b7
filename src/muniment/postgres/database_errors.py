"""The one place that turns errors of the database into errors of the service."""

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout

from muniment.errors import (
    Conflict,
    Internal,
    InvalidInput,
    MunimentError,
    StorageFull,
    Unavailable,
)

_KNOWN: tuple[
    tuple[type[BaseException] | tuple[type[BaseException], ...], type[MunimentError]], ...
] = (
    ((pg.DiskFull, pg.IoError), StorageFull),
    (
        (
            pg.SerializationFailure,
            pg.DeadlockDetected,
            pg.LockNotAvailable,
            pg.QueryCanceled,
            pg.IdleInTransactionSessionTimeout,
            pg.ReadOnlySqlTransaction,
            pg.InsufficientResources,
        ),
        Unavailable,
    ),
    ((PoolTimeout, PoolClosed, pg.OperatorIntervention), Unavailable),
    ((pg.UniqueViolation, pg.ExclusionViolation, pg.ForeignKeyViolation), Conflict),
    ((pg.CheckViolation, pg.DataException), InvalidInput),
    (psycopg.OperationalError, Unavailable),
    (psycopg.InterfaceError, Unavailable),
)


def translate(error: BaseException) -> MunimentError:
    """The service's error for one of the driver's; its message never leaves this module."""
    for classes, ours in _KNOWN:
        if isinstance(error, classes):
            return ours()
    return Internal()
