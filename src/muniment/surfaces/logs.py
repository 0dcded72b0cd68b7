"""Logs: one JSON object a line on standard error; ids and counts, never content."""

import logging
import sys
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer

_OF_AN_ERROR = ("exc_type", "is_cause", "is_group")
_OF_A_FRAME = ("filename", "lineno", "name")


def configure_logs(level: str, process: str) -> None:
    """Set up structlog and the standard library's logging alike."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _of_process(process),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.ExceptionRenderer(_tracebacks),
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # The queue library logs the arguments of jobs at info; they are ids, and many.
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    # The library of MCP tells of every request, and what is in it where it says more.
    for name in ("mcp", "sse_starlette"):
        logging.getLogger(name).setLevel(logging.ERROR)
    # A line for each request to a language model, with its address.
    logging.getLogger("httpx2").setLevel(logging.WARNING)


def _tracebacks(exc_info: structlog.typing.ExcInfo) -> list[dict[str, Any]]:
    """What went wrong and where. Messages and variables are left out: they hold what users sent,
    and keys.
    """
    return [_without_content(error) for error in _TRANSFORMER(exc_info)]


def _without_content(error: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {name: error[name] for name in _OF_AN_ERROR if name in error}
    kept["frames"] = [{name: frame[name] for name in _OF_A_FRAME} for frame in error["frames"]]
    members = [_without_content(one) for group in error.get("exceptions", ()) for one in group]
    return kept | ({"exceptions": members} if members else {})


_TRANSFORMER = ExceptionDictTransformer(show_locals=False)


def _of_process(process: str) -> structlog.types.Processor:
    def add(
        _logger: object, _method: str, event: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        event["process"] = process
        return event

    return add
