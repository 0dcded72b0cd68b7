"""Settings, read once from the environment (``MUNIMENT_*``) and command-line options."""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import platformdirs
from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from muniment.errors import BadSetting
from muniment.settings.database import DatabaseSettings
from muniment.settings.model import ModelSettings
from muniment.settings.sentences import SentenceSettings

_PREFIX = "MUNIMENT_"
_MOST_MIB = 2**30
_MOST_SHIFT = 366.0 * 86400 * 100
_MAY_BE_EMPTY = {"rate_limit_key", "rate_limit_tenant"}
_OPTIONS = {"data_dir": "--data", "host": "--host", "port": "--port"}
_URL_FORM = "is not an address; write it like http://HOST:PORT"
_FORMS = {
    "log_level": "debug, info, warning or error",
    "kill_at": "POINT or POINT:COUNT",
    "mcp_hosts": "names of hosts, separated by commas",
    "extractor": "rules or llm",
    "llm_provider": "openai or anthropic",
    "llm_output": "schema or prompt",
}
# What pydantic finds wrong, in the words of this project.
_FAULTS = {
    "bool_parsing": "must be true or false",
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "float_parsing": "is not a number",
    "finite_number": "is not a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "string_too_long": "must have {max_length} characters or fewer",
}


def variable_of(name: str) -> str:
    """The environment variable of a field."""
    return _PREFIX + name.upper()


def default_data_dir() -> Path:
    """Root keeps the data under /var/lib, anybody else under their own data directory."""
    if os.geteuid() == 0:
        return Path("/var/lib/muniment")
    return Path(platformdirs.user_data_dir("muniment"))


class Settings(DatabaseSettings, ModelSettings, SentenceSettings, BaseSettings):
    """What an operator may set; each field is the environment variable ``MUNIMENT_<FIELD>``."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, extra="forbid")

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Where the embedded server, its log and the first admin key live.",
    )
    host: str = Field(default="127.0.0.1", description="Address that the HTTP server listens on.")
    port: Annotated[int, Field(ge=0, le=65535)] = Field(
        default=7300, description="Port of the HTTP server; 0 takes a free one."
    )
    mcp_hosts: str | None = Field(
        default=None,
        pattern=r"^ *[A-Za-z0-9.:_-]+( *, *[A-Za-z0-9.:_-]+)* *$",
        description="Further host names, by commas, under which browsers and proxies reach /mcp.",
    )
    mcp_graph: bool = Field(
        default=False, description="Offer the tools of a knowledge graph at /mcp/graph."
    )
    mcp_conformance: bool = Field(
        default=False, description="For conformance tests: fixtures at /mcp/conformance."
    )
    compat_mem0: bool = Field(default=False, description="Answer clients of mem0 at /compat/mem0.")
    url: str | None = Field(
        default=None, description="Where clients find the service; default http://HOST:PORT."
    )
    api_key: SecretStr | None = Field(
        default=None, description="Key of the client; default: the admin key in the data directory."
    )
    audit_key_file: Path | None = Field(
        default=None,
        description="The key that signs heads of the audit chain, made at first use; default: "
        "audit.key in the data directory. Processes on several machines need the same one.",
    )
    audit_heads_file: Path | None = Field(
        default=None,
        description="Where a worker keeps signed heads of the audit chain; default: "
        "audit-heads.jsonl in the data directory. Best on another machine's disk.",
    )
    erasure_ledger_file: Path | None = Field(
        default=None,
        description="The ledger of what was forgotten, which a restore needs: outside the database "
        "and its backups; default: beside the data directory, named like it with .erasures. All "
        "processes of one installation need the same one.",
    )
    index_cache_mib: Annotated[int, Field(ge=1, le=_MOST_MIB)] = Field(
        default=256, description="Memory for cached scope indexes in one API process, MiB."
    )
    policy_file: Path | None = Field(
        default=None, description="A policy document (TOML) instead of the default one."
    )
    tokenizer_file: Path | None = Field(
        default=None, description="A tokenizer.json whose tokens count, instead of Llama 2's."
    )
    worker_concurrency: Annotated[int, Field(ge=1, le=64)] = Field(
        default=1, description="Jobs that one worker process runs at a time."
    )
    worker_nice: Annotated[int, Field(ge=0, le=19)] = Field(
        default=5,
        description="How far a worker stands back where processors are short: 0 not at all, 19 "
        "the most.",
    )
    rate_limit_key: str = Field(
        default="60000/minute", description="Requests of one key to one API process; empty: any."
    )
    rate_limit_tenant: str = Field(
        default="120000/minute", description="The same for all keys of a tenant together."
    )
    quota_user_mib: Annotated[int, Field(ge=1, le=_MOST_MIB)] | None = Field(
        default=None, description="Most text and metadata of one user, MiB; unset: any."
    )
    quota_tenant_mib: Annotated[int, Field(ge=1, le=_MOST_MIB)] | None = Field(
        default=None, description="The same for all users of a tenant together."
    )
    disk_reserve_mib: Annotated[int, Field(ge=0, le=_MOST_MIB)] = Field(
        default=256, description="Free MiB below which the embedded server takes no writes."
    )
    scrub_after_hours: Annotated[float, Field(ge=0, le=24, allow_inf_nan=False)] = Field(
        default=20.0,
        description="How long after a forget the bytes of what was erased may wait for their "
        "scrub, hours; 0: none waits.",
    )
    worker_heartbeat_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = Field(
        default=5.0,
        description="How often a worker says that it lives; after three times without, its jobs "
        "are taken over.",
    )
    kill_at: str | None = Field(
        default=None,
        pattern=r"^[^:]+(:[1-9][0-9]{0,8})?$",
        description="For fault drills: POINT[:COUNT] where a process kills itself.",
    )
    clock_shift_seconds: Annotated[
        float, Field(ge=-_MOST_SHIFT, le=_MOST_SHIFT, allow_inf_nan=False)
    ] = Field(default=0.0, description="For fault drills: how far the service's clock is ahead.")
    log_level: str = Field(
        default="info",
        pattern="^(debug|info|warning|error)$",
        description="Least serious log entries that are written.",
    )

    @field_validator("*", mode="before")
    @classmethod
    def _not_empty(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, str) and not value.strip() and info.field_name not in _MAY_BE_EMPTY:
            raise ValueError("is empty")
        return value

    @field_validator("data_dir")
    @classmethod
    def _plain_path(cls, value: Path) -> Path:
        if not str(value).isprintable():
            raise ValueError("has characters that no terminal shows")
        return value

    @field_validator("url", "llm_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                parts = urlsplit(value)
                usable = parts.scheme in ("http", "https") and bool(parts.hostname)
                usable = usable and parts.port != 0 and value.isascii() and value.isprintable()
            except ValueError:
                usable = False
            if not usable:
                raise ValueError(_URL_FORM)
        return value

    @field_validator("api_key", "llm_api_key")
    @classmethod
    def _fits_a_header(cls, value: SecretStr | None) -> SecretStr | None:
        text = "" if value is None else value.get_secret_value().strip()
        if not text.isascii() or not text.isprintable():
            raise ValueError("is not a key: that is printable ASCII")
        return value

    @property
    def admin_key_file(self) -> Path:
        """The 0600 file with the admin key that the first start makes."""
        return self.data_dir / "admin.key"

    @property
    def audit_files(self) -> tuple[Path, Path]:
        """The key that signs heads of the audit chain, and the file that keeps them."""
        at, key, heads = self.data_dir, self.audit_key_file, self.audit_heads_file
        return key or at / "audit.key", heads or at / "audit-heads.jsonl"

    @property
    def ledger_file(self) -> Path:
        """The erasure ledger, beside the data directory so that a copy of that has none of it."""
        at = self.data_dir.absolute()
        return self.erasure_ledger_file or at.with_name(f"{at.name}.erasures")

    @property
    def base_url(self) -> str:
        """Where a client finds the service."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.url or f"http://{host}:{self.port}"


def read_settings(options: Mapping[str, Any] | None = None) -> Settings:
    """The settings; what ``options`` gives counts before the environment. Raises BadSetting."""
    given = {name: value for name, value in (options or {}).items() if value is not None}
    _refuse_unknown(os.environ)
    try:
        return Settings(**given)
    except ValidationError as error:
        raise _bad(error.errors()[0], given) from None


def _refuse_unknown(names: Iterable[str]) -> None:
    known = [variable_of(name) for name in Settings.model_fields]
    for name in names:
        if name.startswith(_PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0)
            raise BadSetting(
                f"{name} is not a setting of this release.",
                cure=f"Did you mean {near[0]}? Otherwise unset it.",
            )


def _bad(fault: ErrorDetails, given: Mapping[str, Any]) -> BadSetting:
    context = fault.get("ctx", {})
    if not fault["loc"]:
        problem, _, cure = str(context["error"]).partition(". ")
        return BadSetting(f"{problem}.", cure=cure)
    field = str(fault["loc"][0])
    name = _OPTIONS.get(field, variable_of(field)) if field in given else variable_of(field)
    if fault["type"] == "value_error":
        what = str(context["error"])
    elif field in _FORMS:
        what = f"must be {_FORMS[field]}"
    else:
        what = _FAULTS.get(fault["type"], "cannot be used").format(**context)
    usual = Settings.model_fields[field].default
    use = f" to get {usual}" if isinstance(usual, str | int | float) else ""
    return BadSetting(f"{name} {what}.", cure=f"Correct it, or leave it out{use}.")


def environment(settings: Settings) -> dict[str, str]:
    """This process's environment, with what ``settings`` says, for a child process."""
    return environment_with({variable_of(name): str(getattr(settings, name)) for name in _OPTIONS})


def environment_with(changes: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with some variables set."""
    return {**os.environ, **changes}
