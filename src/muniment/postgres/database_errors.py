"""The one place that turns errors of the database into errors of the service."""

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout

from muniment.errors import (
    Conflict,
    Internal,
    InvalidInput,
    MunimentError,
    Overtaken,
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
            pg.TransactionTimeout,
            pg.ReadOnlySqlTransaction,
            pg.InsufficientResources,
        ),
        Unavailable,
    ),
    ((PoolTimeout, PoolClosed, pg.OperatorIntervention), Unavailable),
    ((pg.UniqueViolation, pg.ExclusionViolation), Conflict),
    # What a statement expects to find as it was, it divides by the number of.
    (pg.DivisionByZero, Overtaken),
    # What a row belongs to was looked up in the same transaction, and has been forgotten since.
    (pg.ForeignKeyViolation, Overtaken),
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
