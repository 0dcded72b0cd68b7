"""Named statements from ``sql/*.sql``: each starts with ``-- name: the_name``."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)
_NOT_QUERIES = {"schema.sql", "bootstrap.sql", "queue.sql", "catalog.sql", "facts.sql"}


def sql_folder() -> Traversable:
    """The package folder with every SQL text."""
    return files("muniment.postgres") / "sql"


def sql_text(name: str) -> str:
    """The text of one file; it ships with the package, so it counts as a literal."""
    return (sql_folder() / name).read_text(encoding="utf-8")


@cache
def named_queries() -> Mapping[str, str]:
    """Every named statement. Raises ValueError on a name used twice or text without a name."""
    found: dict[str, str] = {}
    for file in sorted(sql_folder().iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".sql") or file.name in _NOT_QUERIES:
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
        statement = text[head.end() : end].strip().rstrip(";")
        if not statement:
            raise ValueError(f"{file}: the query {head.group(1)} is empty")
        yield head.group(1), statement
