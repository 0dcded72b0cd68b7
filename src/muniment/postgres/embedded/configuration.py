"""The text of the server's configuration files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from muniment.errors import StartRefused
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.layout import ADMIN, PORT, ROLES, Layout

SETTINGS_FILE = "muniment.conf"
OPERATOR_FILE = "operator.conf"
OPERATOR_TEXT = "# Your settings for memory, connections and the like; read at every start.\n"
INCLUDE = f"include '{SETTINGS_FILE}'"
LOG_GLOB = "postgres-*.log"
LOG_FILE_KB = 10_240
_MAP = "muniment"


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What may differ between machines. ``durable=False`` (no fsync) is for tests alone."""

    shared_buffers: str = "256MB"
    max_connections: int = 60
    durable: bool = True


def _tunable(tuning: Tuning) -> dict[str, str]:
    return {
        "max_connections": str(tuning.max_connections),
        "shared_buffers": tuning.shared_buffers,
        "effective_cache_size": "768MB",
        "work_mem": "16MB",
        "maintenance_work_mem": "128MB",
        "max_wal_size": "1GB",
        "min_wal_size": "80MB",
        "random_page_cost": "1.1",
        "huge_pages": "off",
        "jit": "off",
        # A statement locks every partition that it may touch; as many locks are taken without the
        # table of locks that all sessions share.
        "max_locks_per_transaction": "256",
        # Statements are short, and parallel ones need room in /dev/shm, of which containers
        # have little.
        "max_parallel_workers_per_gather": "0",
        "max_parallel_maintenance_workers": "0",
    }


def _durability(tuning: Tuning) -> dict[str, str]:
    on = "on" if tuning.durable else "off"
    return {
        "fsync": on,
        "full_page_writes": on,
        # Without fsync it costs little, and a crash of the server alone loses nothing.
        "synchronous_commit": "on",
        "wal_compression": "off",
        # A recycled segment is a live file with erased texts in it; a removed one is not.
        "wal_recycle": "off",
    }


def _reach(layout: Layout) -> dict[str, str]:
    directory = str(layout.socket_dir).replace('"', '""')
    return {
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": f'"{directory}"',
        "unix_socket_permissions": "0700",
        "password_encryption": "scram-sha-256",
        "allow_alter_system": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }


def _logging(layout: Layout) -> dict[str, str]:
    return {
        "log_destination": "stderr",
        "logging_collector": "on",
        "log_directory": str(layout.log),
        "log_filename": LOG_GLOB.replace("*", "%Y%m%dT%H%M%S"),
        "log_file_mode": "0600",
        "log_rotation_age": "1d",
        "log_rotation_size": f"{LOG_FILE_KB}kB",
        "log_truncate_on_rotation": "off",
        "log_line_prefix": "%m [%p] ",
    }


# Messages of level ERROR and below quote what users sent ("invalid input syntax ... "), and so
# does the DETAIL of a violated constraint or of a crashed backend. LOG ranks above ERROR here.
_SILENCE = {
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_duration": "off",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_transaction_sample_rate": "0",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_temp_files": "-1",
    "log_lock_waits": "off",
    "log_lock_failures": "off",
    "log_autovacuum_min_duration": "-1",
    "log_connections": "",
    "log_disconnections": "off",
    "log_hostname": "off",
    "log_replication_commands": "off",
    "debug_print_parse": "off",
    "debug_print_rewritten": "off",
    "debug_print_plan": "off",
    "log_parser_stats": "off",
    "log_planner_stats": "off",
    "log_executor_stats": "off",
    "log_statement_stats": "off",
    "backtrace_functions": "",
    "session_preload_libraries": "",
    "shared_preload_libraries": "",
}


def quoted(value: str) -> str:
    """``value`` as a string of postgresql.conf, where a backslash escapes too."""
    escaped = value.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _lines(settings: Mapping[str, str]) -> list[str]:
    return [f"{name} = {quoted(value)}" for name, value in settings.items()]


def settings_text(layout: Layout, tuning: Tuning) -> str:
    """``muniment.conf``: an operator's file may change the first part and not the second."""
    fixed = _durability(tuning) | _reach(layout) | _logging(layout) | _SILENCE
    lines = [
        "# Rewritten at every start. Put changes into operator.conf beside this file.",
        *_lines(_tunable(tuning)),
        f"include_if_exists {quoted(OPERATOR_FILE)}",
        "# From here on nothing can be overridden.",
        *_lines(fixed),
    ]
    return "\n".join(lines) + "\n"


def with_include(text: str) -> str:
    """``postgresql.conf`` with our include as its last statement, so that ours wins."""
    statements = [line.strip() for line in text.splitlines()]
    told = [line for line in statements if line and not line.startswith("#")]
    if told and told[-1] == INCLUDE:
        return text
    return f"{text.rstrip()}\n{INCLUDE}\n"


def access_text(account: Account) -> str:
    """``pg_hba.conf``: the project's roles over the socket, and nobody else."""
    method = f"peer map={_MAP}" if account.peers() else "scram-sha-256"
    lines = [
        "# Rewritten at every start.",
        f"local all {','.join(ROLES)} {method}",
        f"local replication {ADMIN} {method}",
        "local all all reject",
        "local replication all reject",
    ]
    return "\n".join(lines) + "\n"


def map_text(names: Iterable[str]) -> str:
    """``pg_ident.conf``: each of the system users ``names`` may be each of the roles."""
    lines = ["# Rewritten at every start."]
    for name in names:
        if '"' in name or "\n" in name or name.startswith("/"):
            raise StartRefused(
                f"The user name {name!r} cannot be written into pg_ident.conf.",
                cure="Start as a user with a plain name.",
            )
        lines += [f'{_MAP} "{name}" {role}' for role in ROLES]
    return "\n".join(lines) + "\n"
