"""How large a file and a function may be; there is no list of exceptions."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PLACES = ("src", "evals", "tests", "tools", "bench", "examples")
MAX_FILE, MAX_FUNCTION = 400, 60

FILES = sorted(file for place in PLACES for file in (ROOT / place).rglob("*.py"))


def functions(text: str) -> Iterator[tuple[str, int]]:
    """Every function with its lines, decorators left out."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(ROOT)) for file in FILES])
def test_size(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_FILE
    assert [(name, lines) for name, lines in functions(text) if lines > MAX_FUNCTION] == []


def test_there_are_files_to_measure() -> None:
    assert {"src", "tests", "evals"} <= {file.relative_to(ROOT).parts[0] for file in FILES}


def test_a_function_is_measured_from_its_name_to_its_end() -> None:
    assert list(functions("@cache\ndef f():\n    def g(): ...\n    return g\n")) == [
        ("f", 3),
        ("g", 1),
    ]
