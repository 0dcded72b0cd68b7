"""Named statements: each found under its name, and nothing lost between two of them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH

from muniment.postgres import queries
from muniment.postgres.queries import named_queries, sql_text

SOURCE = Path(queries.__file__).parent.parent


def split(text: str) -> dict[str, str]:
    return dict(queries._split("f.sql", text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("-- only a comment\n\n", {}),
        ("-- name: a\nSELECT 1;\n", {"a": "SELECT 1"}),
        ("-- name: a\nSELECT 1", {"a": "SELECT 1"}),
        ("-- about\n-- name: a  \nSELECT 1;\n\n-- name: b\n-- why\nSELECT\n 2;\n",
         {"a": "SELECT 1", "b": "SELECT\n2"}),
        ("-- name: a\r\nSELECT 1;\r\n-- name: b\r\nSELECT 2;\r\n",
         {"a": "SELECT 1", "b": "SELECT 2"}),
        ("-- name: a\nSELECT ';';\n", {"a": "SELECT ';'"}),
    ],
)  # fmt: skip
def test_a_file_is_split_at_its_names(text: str, found: dict[str, str]) -> None:
    assert split(text) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT 1;\n-- name: a\nSELECT 2;", "needs a line"),
        ("SELECT 1;", "needs a line"),
        ("-- name: a\nSELECT 1;\n-- name: b c\nSELECT 2;", "one word"),
        ("-- name: a\nSELECT 1;\n -- name: b\nSELECT 2;", "one word"),
        ("-- name: a\nSELECT 1;\n-- name:\nSELECT 2;", "one word"),
        ("-- name: a\nSELECT 1;\n-- name: b\n", "the query b is empty"),
        ("-- name: a\n-- name: b\nSELECT 2;", "the query a is empty"),
        ("-- name: a\n;\n", "the query a is empty"),
    ],
)
def test_what_would_be_lost_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"f.sql: .*{said}"):
        split(text)


names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
statements = st.from_regex(r"SELECT [a-z0-9 (),]{1,20}[a-z0-9]", fullmatch=True)


@given(st.dictionaries(names, statements, max_size=5))
def test_what_is_written_is_found(wanted: dict[str, str]) -> None:
    text = "".join(f"-- name: {name}\n{statement};\n\n" for name, statement in wanted.items())
    assert split(text) == wanted


def test_every_statement_of_the_package_has_a_text() -> None:
    found = named_queries()
    assert len(found) > 50
    for name, text in found.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert re.search(r"\b(SELECT|INSERT|UPDATE|DELETE|WITH|SET|CALL)\b", text), name
        assert not text.endswith(";")


def test_a_name_used_twice_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for file in ("one.sql", "two.sql"):
        (tmp_path / file).write_text("-- name: a\nSELECT 1;\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("-- name: a\n", encoding="utf-8")
    monkeypatch.setattr(queries, "sql_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match=r"two\.sql: the query a is defined twice"):
        queries.named_queries.__wrapped__()


def test_files_that_are_run_as_a_whole_are_there() -> None:
    for name in ("schema.sql", "setup/bootstrap.sql", "setup/queue.sql"):
        assert sql_text(name)


def test_statements_are_asked_by_names_that_there_are() -> None:
    """A name in the code that no file has would fail only when it is run."""
    asked = re.compile(r'\bunit\w*\.(?:one|rows|value|run|many)\(\s*(?:\w+,\s*)?"(\w+)"', re.DOTALL)
    used = {
        name for file in SOURCE.rglob("*.py") for name in asked.findall(file.read_text("utf-8"))
    }
    assert len(used) > 30
    assert used <= set(named_queries())


# Statements without the tenant in them, and why that is right.
ACROSS_TENANTS = {
    "erasure_key": "the key is the installation's",
    "erasure_lines": "the ledger is the installation's",
    "erasure_lock": "the name that is locked holds the tenant",
    "rows_mentioning": "the function looks through rows of the unit's tenant",
    "erase_jobs": "the function looks for jobs of the unit's tenant",
    "job_defer": "the function puts the unit's tenant into the job",
    "job_retry": "the function looks for a job of the unit's tenant",
    "jobs_retry_stalled": "one pass serves every tenant; the worker's role alone may",
    "knowledge_figures": "figures over every tenant, which the function gives and no rows",
    "open_rereviews": "a count over every tenant, which the function gives and no rows",
    "pending_tenants": "the worker's role alone sees whose entries wait",
    "receipt_begin": "a setting of the transaction",
    "run_figures": "figures over every tenant, which the function gives and no rows",
    "schema_version": "the schema is the database's",
    "seal_lag": "a number over every tenant, which the function gives and no rows",
    "stopped_passes": "a count over every tenant, which the function gives and no rows",
    "tenant_list": "the worker's duties go from tenant to tenant",
}


def test_every_statement_names_its_tenant() -> None:
    silent = {name for name, text in named_queries().items() if "%(tenant_id)s" not in text}
    assert silent == set(ACROSS_TENANTS)


# Run once in a forget; the time to parse them is nothing beside what they do.
SELDOM = {"erasure_counts", "export_take"}


def test_the_driver_keeps_what_is_run_often_once_it_was_parsed() -> None:
    longer = {
        name for name, text in named_queries().items() if len(text) > MAX_CACHED_STATEMENT_LENGTH
    }
    assert longer <= SELDOM
