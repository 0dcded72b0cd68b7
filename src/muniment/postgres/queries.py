"""Named statements from ``.sql`` files: each starts with ``-- name: the_name``.

``sql/*.sql`` are those of tenants, ``sql/admin/`` those outside tenants, ``sql/setup/`` and
``sql/migrations/`` are run as a whole.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)
_SCHEMA = "schema.sql"


def sql_folder() -> Traversable:
    """The package folder with every SQL text."""
    return files("muniment.postgres") / "sql"


def sql_text(name: str) -> str:
    """The text of one file below the folder."""
    return (sql_folder() / name).read_text(encoding="utf-8")


@cache
def named_queries() -> Mapping[str, str]:
    """Every statement of tenants. Raises ValueError on a name used twice or text without a name."""
    return _named(sql_folder())


@cache
def admin_queries() -> Mapping[str, str]:
    """Every statement outside tenants, alike."""
    return _named(sql_folder() / "admin")


def _named(folder: Traversable) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".sql") or file.name == _SCHEMA:
            continue
        for name, text in _split(file.name, file.read_text(encoding="utf-8")):
            if name in found:
                raise ValueError(f"{file.name}: the query {name} is defined twice")
            found[name] = text
    return found


def _split(file: str, text: str) -> Iterator[tuple[str, str]]:
    heads = list(_NAME.finditer(text))
    if len(heads) != text.count("-- name:"):
        raise ValueError(f"{file}: a line '-- name: NAME' holds one word and nothing else")
    preamble = text[: heads[0].start()] if heads else text
    if any(line.strip() and not line.startswith("--") for line in preamble.splitlines()):
        raise ValueError(f"{file}: every statement needs a line '-- name: NAME' before it")
    ends = [*(head.start() for head in heads), len(text)][1:]
    for head, end in zip(heads, ends, strict=True):
        statement = _bare(text[head.end() : end]).rstrip(";")
        if not statement:
            raise ValueError(f"{file}: the query {head.group(1)} is empty")
        yield head.group(1), statement


def _bare(text: str) -> str:
    """Without comments and indentation: the driver parses longer statements at every call."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("--"))
