"""Names of classes (DESIGN 12): a thing is called what it is, not that it manages something."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("src", "evals", "tests", "tools", "bench", "examples")
EMPTY = re.compile(r"(Manager|Service|Engine|Helpers?|Utils?)$|_v\d+$")
FILES = sorted(file for place in PLACES for file in (ROOT / place).rglob("*.py"))


@pytest.mark.parametrize("name", ["LocalService", "JobManager", "Engine", "TextUtils", "Thing_v2"])
def test_what_is_refused(name: str) -> None:
    assert EMPTY.search(name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_class_has_such_a_name(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    named = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [name for name in named if EMPTY.search(name)] == []
