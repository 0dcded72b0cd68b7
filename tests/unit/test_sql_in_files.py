"""SQL lives in ``.sql`` files (CONTRIBUTING): no literal of the package begins a statement.

| literal | is SQL |
|---|---|
| a statement, in any case of letters, over several lines, the fixed part of an f-string | yes |
| a method of HTTP, a word of prose, a docstring | no |

Every statement outside tenants is asked for by a name that there is, and every one is asked for.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.postgres import queries
from muniment.postgres.queries import admin_queries, named_queries

SOURCE = Path(queries.__file__).parent.parent
_STATEMENT = re.compile(
    r"""\s*(?:--.*\n\s*)*(?:
        (?:BEGIN|COMMIT|ROLLBACK|ABORT)\s*;?\s*$
      | (?:SELECT|WITH|VALUES|CALL|DO|SET|RESET|SHOW|LOCK|COPY|EXPLAIN|VACUUM|ANALYZE|LISTEN|NOTIFY
         |TRUNCATE|PREPARE|EXECUTE|DISCARD|SAVEPOINT|RELEASE|CHECKPOINT|REINDEX|CLUSTER|REFRESH)\b
      | (?:BEGIN|START)\s+(?:TRANSACTION|ISOLATION|READ|WORK)\b
      | INSERT\s+INTO\b | UPDATE\s+\S+ | DELETE\s+FROM\b | MERGE\s+INTO\b
      | (?:CREATE|ALTER|DROP|GRANT|REVOKE|COMMENT|REASSIGN|SECURITY)\s+[A-Z]
    )""",
    re.VERBOSE,
)


def literals(text: str) -> Iterator[tuple[int, str]]:
    """Every string of a program, with its line; bytes too, docstrings not."""
    tree = ast.parse(text)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docs:
            if isinstance(node.value, str):
                yield node.lineno, node.value
            elif isinstance(node.value, bytes):
                yield node.lineno, node.value.decode(errors="replace")


def is_sql(text: str) -> bool:
    """True for what begins a statement: in capitals, or in small letters right up to its object."""
    lower = re.match(r"\s*(select|insert into|update|delete from|alter|set local)\s+\w+", text)
    wordy = re.search(r"\b(from|where|values|set|role|table)\b", text)
    return bool(_STATEMENT.match(text)) or bool(lower and wordy and "." not in text[-1:])


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("SELECT 1", True),
        ("\n  SELECT a\n  FROM b", True),
        ("-- why\nSELECT a", True),
        ("INSERT INTO t VALUES (1)", True),
        ("UPDATE t SET a = 1", True),
        ("DELETE FROM t", True),
        ("CREATE ROLE r", True),
        ("ALTER ROLE {} LOGIN", True),
        ("SET LOCAL search_path = a", True),
        ("GRANT SELECT ON t TO r", True),
        ("REVOKE ALL ON t FROM r", True),
        ("BEGIN", True),
        ("BEGIN READ ONLY", True),
        ("COMMIT;", True),
        ("WITH a AS (SELECT 1) SELECT * FROM a", True),
        ("CALL p()", True),
        ("select a from b", True),
        ("set local role r", True),
        ("DELETE", False),
        ("UPDATE", False),
        ("Set it to the address.", False),
        ("Select what to forget", False),
        ("create", False),
        ("begin", False),
        ("update the policy from the file.", False),
    ],
)
def test_what_counts_as_sql(text: str, yes: bool) -> None:
    assert is_sql(text) is yes


def test_docstrings_are_left_out() -> None:
    found = [text for _, text in literals('def f():\n    "SELECT 1"\n    return f"SELECT {f}"')]
    assert found == ["SELECT "]


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda one: str(one.name))
def test_no_program_holds_sql(file: Path) -> None:
    found = [line for line, text in literals(file.read_text("utf-8")) if is_sql(text)]
    assert found == [], f"{file}: SQL at lines {found} belongs into a .sql file"


def test_statements_outside_tenants_are_asked_for_by_their_names() -> None:
    asked = re.compile(r'(?:admin_queries\(\)\["|(?:run|one_value)\(\s*\w+,\s*")(\w+)"')
    texts = [file.read_text("utf-8") for file in SOURCE.rglob("*.py")]
    assert {name for text in texts for name in asked.findall(text)} == set(admin_queries())
    assert not set(admin_queries()) & set(named_queries())
