"""Where the database is, and how its connections are used."""

from typing import Annotated, Self

from pydantic import BaseModel, Field, SecretStr, model_validator


class DatabaseSettings(BaseModel):
    """An external database, or the embedded one."""

    database_url: SecretStr | None = Field(
        default=None,
        description="An external PostgreSQL for role muniment_app, instead of the embedded one.",
    )
    worker_database_url: SecretStr | None = Field(
        default=None, description="The same database for role muniment_worker."
    )
    read_database_url: SecretStr | None = Field(
        default=None,
        description="A streaming replica of the same database for role muniment_app: recalls are "
        "read there where it is not behind.",
    )
    admin_database_url: SecretStr | None = Field(
        default=None,
        description="The same database for an administrator: for migrations, the scrub of erased "
        "bytes, backup and restore.",
    )
    database_wait_seconds: Annotated[float, Field(ge=0, le=86400, allow_inf_nan=False)] = Field(
        default=30.0,
        description="How long a process waits at its start for a database that does not answer.",
    )
    pool_size: Annotated[int, Field(ge=1, le=500)] = Field(
        default=8, description="Database connections of one API process."
    )
    prepared_statements: bool = Field(
        default=True,
        description="Whether the API prepares its statements; false behind a pooler in transaction "
        "mode that keeps none, such as PgBouncer before 1.21.",
    )
    partitions: Annotated[int, Field(ge=1, le=1024)] = Field(
        default=16, description="Hash partitions of each table with text, fixed at the first start."
    )

    @model_validator(mode="after")
    def _whole_external(self) -> Self:
        if self.worker_database_url is not None and self.database_url is None:
            raise ValueError(
                "MUNIMENT_WORKER_DATABASE_URL is set and MUNIMENT_DATABASE_URL is not, which says "
                "that the database is an external one. Set both or neither."
            )
        return self
