"""Settings, read once from the environment (``MUNIMENT_*``) and command-line options."""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from muniment.errors import BadSetting

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


class Settings(BaseSettings):
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
    database_url: SecretStr | None = Field(
        default=None,
        description="An external PostgreSQL for role muniment_app, instead of the embedded one.",
    )
    worker_database_url: SecretStr | None = Field(
        default=None, description="The same database for role muniment_worker."
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
    partitions: Annotated[int, Field(ge=1, le=1024)] = Field(
        default=16, description="Hash partitions of each table with text, fixed at the first start."
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
    extractor: str = Field(
        default="rules",
        pattern="^(rules|llm)$",
        description="What proposes memories from a session's turns: `rules`, or `llm`, a model.",
    )
    llm_provider: str = Field(
        default="openai",
        pattern="^(openai|anthropic)$",
        description="What the model's server speaks: `openai` (and whatever speaks like it) or "
        "`anthropic`.",
    )
    llm_url: str | None = Field(
        default=None,
        description="Base address of the model's server, such as http://HOST:PORT/v1; unset: the "
        "provider's own.",
    )
    llm_model: str | None = Field(
        default=None, max_length=200, description="Name of the model, as its server knows it."
    )
    llm_api_key: SecretStr | None = Field(
        default=None, description="Key for the model's server; one of your own may need none."
    )
    llm_output: str = Field(
        default="schema",
        pattern="^(schema|prompt)$",
        description="How the model is told the form of its answer: `schema` (the server holds it "
        "to that) or `prompt` (in words, for servers that cannot).",
    )
    llm_timeout_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = Field(
        default=120.0, description="How long one answer of the model may take."
    )
    llm_context_tokens: Annotated[int, Field(ge=4000, le=10_000_000)] = Field(
        default=32_000,
        description="What the model reads and writes in one call, tokens; longer sessions take "
        "several.",
    )
    llm_output_tokens: Annotated[int, Field(ge=256, le=1_000_000)] = Field(
        default=4_000, description="The share of that which is kept for its answer."
    )
    llm_tokens_per_hour: Annotated[int, Field(ge=1, le=10**12)] = Field(
        default=500_000,
        description="What the jobs of one tenant may use in an hour, tokens; what is above waits.",
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

    @field_validator("llm_url")
    @classmethod
    def _without_a_secret(cls, value: str | None) -> str | None:
        if value is not None and "@" in urlsplit(value).netloc:
            raise ValueError("has a name or a password in it; keys go into MUNIMENT_LLM_API_KEY")
        return value

    @field_validator("llm_model")
    @classmethod
    def _plain_name(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise ValueError("has characters that no terminal shows")
        return value

    @field_validator("api_key", "llm_api_key")
    @classmethod
    def _fits_a_header(cls, value: SecretStr | None) -> SecretStr | None:
        text = "" if value is None else value.get_secret_value().strip()
        if not text.isascii() or not text.isprintable():
            raise ValueError("is not a key: that is printable ASCII")
        return value

    @model_validator(mode="after")
    def _whole_external(self) -> Self:
        if self.worker_database_url is not None and self.database_url is None:
            raise ValueError(
                "MUNIMENT_WORKER_DATABASE_URL is set and MUNIMENT_DATABASE_URL is not, which says "
                "that the database is an external one. Set both or neither."
            )
        return self

    @model_validator(mode="after")
    def _whole_model(self) -> Self:
        if self.extractor != "llm":
            return self
        if self.llm_model is None:
            raise ValueError(
                "MUNIMENT_EXTRACTOR is llm and MUNIMENT_LLM_MODEL is not set. Name the model, or "
                "set MUNIMENT_EXTRACTOR to rules."
            )
        if self.llm_api_key is None and self.llm_url is None:
            raise ValueError(
                "MUNIMENT_EXTRACTOR is llm and neither MUNIMENT_LLM_API_KEY nor MUNIMENT_LLM_URL "
                "is set. Set the provider's key, or the address of a server of your own."
            )
        if self.llm_output_tokens * 4 > self.llm_context_tokens:
            raise ValueError(
                "MUNIMENT_LLM_OUTPUT_TOKENS is more than a quarter of MUNIMENT_LLM_CONTEXT_TOKENS. "
                "Lower it, or raise the other to what the model can."
            )
        return self

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
    def model_choice(self) -> dict[str, Any] | None:
        """The language model that proposes memories, field by field; None where rules do."""
        if self.extractor != "llm":
            return None
        key = self.llm_api_key
        return {
            "provider": self.llm_provider,
            "name": self.llm_model,
            "url": self.llm_url,
            "api_key": None if key is None else key.get_secret_value().strip(),
            "by_schema": self.llm_output == "schema",
            "timeout_seconds": self.llm_timeout_seconds,
            "context_tokens": self.llm_context_tokens,
            "output_tokens": self.llm_output_tokens,
            "tokens_per_hour": self.llm_tokens_per_hour,
        }

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
