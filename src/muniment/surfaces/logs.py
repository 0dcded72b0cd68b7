"""Logs: one JSON object a line on standard error; ids and counts, never content."""

import logging
import sys

import structlog


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
                structlog.processors.dict_tracebacks,
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


def _of_process(process: str) -> structlog.types.Processor:
    def add(
        _logger: object, _method: str, event: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        event["process"] = process
        return event

    return add
