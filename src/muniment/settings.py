"""Settings, read once from the environment (``MUNIMENT_*``) and command-line options."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


def default_data_dir() -> Path:
    """Root keeps the data under /var/lib, anybody else under their own data directory."""
    if os.geteuid() == 0:
        return Path("/var/lib/muniment")
    return Path(platformdirs.user_data_dir("muniment"))


class Settings(BaseSettings):
    """What an operator may set; each field is the environment variable ``MUNIMENT_<FIELD>``."""

    model_config = SettingsConfigDict(env_prefix="MUNIMENT_", extra="ignore")

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Where the embedded server, its log and the first admin key live.",
    )
    host: str = Field(default="127.0.0.1", description="Address that the HTTP server listens on.")
    port: Annotated[int, Field(ge=0, le=65535)] = Field(
        default=7300, description="Port of the HTTP server; 0 takes a free one."
    )
    url: str | None = Field(
        default=None, description="Where clients find the service; default http://HOST:PORT."
    )
    api_key: SecretStr | None = Field(
        default=None, description="Key of the client; default: the admin key in the data directory."
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="An external PostgreSQL for role muniment_app, instead of the embedded one.",
    )
    worker_database_url: SecretStr | None = Field(
        default=None, description="The same database for role muniment_worker."
    )
    admin_database_url: SecretStr | None = Field(
        default=None, description="The same database for an administrator; migrations alone use it."
    )
    pool_size: Annotated[int, Field(ge=1, le=500)] = Field(
        default=8, description="Database connections of one API process."
    )
    partitions: Annotated[int, Field(ge=1, le=1024)] = Field(
        default=16, description="Hash partitions of each table with text, fixed at the first start."
    )
    index_cache_mib: Annotated[int, Field(ge=1)] = Field(
        default=256, description="Memory for cached scope indexes in one API process, MiB."
    )
    policy_file: Path | None = Field(
        default=None, description="A policy document (TOML) instead of the default one."
    )
    worker_concurrency: Annotated[int, Field(ge=1, le=64)] = Field(
        default=2, description="Jobs that one worker process runs at a time."
    )
    rate_limit_key: str = Field(
        default="60000/minute", description="Requests of one key to one API process; empty: any."
    )
    rate_limit_tenant: str = Field(
        default="120000/minute", description="The same for all keys of a tenant together."
    )
    quota_user_mib: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Most text and metadata of one user, MiB; unset: any."
    )
    quota_tenant_mib: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="The same for all users of a tenant together."
    )
    disk_reserve_mib: Annotated[int, Field(ge=0)] = Field(
        default=256, description="Free MiB below which the embedded server takes no writes."
    )
    worker_heartbeat_seconds: Annotated[float, Field(gt=0)] = Field(
        default=5.0,
        description="How often a worker says that it lives; after three times without, its jobs "
        "are taken over.",
    )
    kill_at: str | None = Field(
        default=None, description="For fault drills: POINT[:COUNT] where a process kills itself."
    )
    clock_shift_seconds: float = Field(
        default=0.0, description="For fault drills: how far the service's clock is ahead."
    )
    log_level: str = Field(
        default="info",
        pattern="^(debug|info|warning|error)$",
        description="Least serious log entries that are written.",
    )

    @property
    def admin_key_file(self) -> Path:
        """The 0600 file with the admin key that the first start makes."""
        return self.data_dir / "admin.key"

    @property
    def base_url(self) -> str:
        """Where a client finds the service."""
        return self.url or f"http://{self.host}:{self.port}"


def environment(settings: Settings) -> dict[str, str]:
    """This process's environment, with what ``settings`` says, for a child process."""
    names = ("data_dir", "host", "port")
    return environment_with(
        {f"MUNIMENT_{name.upper()}": str(getattr(settings, name)) for name in names}
    )


def environment_with(changes: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with some variables set."""
    return {**os.environ, **changes}
