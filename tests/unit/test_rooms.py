"""What ARCHITECTURE.md and `.importlinter` list is what is in the tree, and what code refers to is there.

| what | must be |
|---|---|
| an entry of the rooms in ARCHITECTURE.md | in the tree, and the other way round; likewise tests/ |
| the layers in ARCHITECTURE.md | those of `.importlinter` |
| a family of operations, a duty of the worker | in its list of those that do not know each other |
| `RULES n.m`, `DESIGN n` in code or documents | an item of docs/rules.md, a section of docs/design.md |
"""

import re
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from muniment.operations import registry
from muniment.worker import backoff, duty, loop
from tests.support.documents import ROOT, blocks, text_of

PACKAGE = ROOT / "src/muniment"
# Of the package manager, and what is no room.
NO_ROOMS = {"__init__.py", "__pycache__", "py.typed"}
SOURCES = ("src", "evals", "tests", "tools", "bench", "examples", "docs", "deploy")
_ENTRY = re.compile(r"^( +)(\S+)")
_REFERENCE = re.compile(r"\b(RULES|DESIGN) (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)")


def drawn(root: str) -> dict[str, set[str]]:
    """The trees in ARCHITECTURE.md: the entries under ``root``, each with those under it."""
    found: dict[str, set[str]] = {}
    block = next(one for one in blocks("ARCHITECTURE.md") if one.text.startswith(f"{root}\n"))
    for line in block.text.splitlines()[1:]:
        entry = _ENTRY.match(line)
        if entry is None:
            break
        name = entry[2].rstrip("/")
        if len(entry[1]) == 2:
            found[name] = set()
        else:
            found[next(reversed(found))].add(name)
    return found


def entries(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - NO_ROOMS


def test_the_rooms_are_those_of_the_package() -> None:
    rooms = drawn("src/muniment/")
    assert set(rooms) == entries(PACKAGE)
    assert rooms.pop("domain") == {name.removesuffix(".py") for name in entries(PACKAGE / "domain")}
    assert not any(rooms.values())


def test_the_tests_are_where_it_says() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert set(drawn("tests/")) == folders - NO_ROOMS


@pytest.fixture(scope="module")
def contracts() -> ConfigParser:
    """What import-linter holds."""
    read = ConfigParser()
    read.read(ROOT / ".importlinter")
    return read


def listed(contracts: ConfigParser, name: str, key: str) -> list[str]:
    return contracts[f"importlinter:contract:{name}"][key].split("\n")[1:]


def test_the_layers_are_those_that_are_checked(contracts: ConfigParser) -> None:
    layers = listed(contracts, "layers", "layers")
    assert "\n".join(layers) in [one.text.strip() for one in blocks("ARCHITECTURE.md")]


def test_families_do_not_know_each_other(contracts: ConfigParser) -> None:
    families = sorted(family.__name__ for family in registry._FAMILIES)
    assert listed(contracts, "one-family-a-file", "modules") == families


def test_duties_do_not_know_each_other(contracts: ConfigParser) -> None:
    duties = {path.stem for path in (PACKAGE / "worker").glob("*.py")} - {"__init__"}
    duties -= {module.__name__.rpartition(".")[2] for module in (backoff, duty, loop)}
    modules = [f"muniment.worker.{name}" for name in sorted(duties)]
    assert listed(contracts, "one-duty-a-file", "modules") == modules


# References -----------------------------------------------------------------------------------


def numbered(document: str) -> set[str]:
    """Sections and their items: ``4`` and ``4.3``."""
    found: set[str] = set()
    section = ""
    for line in text_of(document).splitlines():
        if heading := re.match(r"## (\d+)\. ", line):
            section = heading[1]
            found.add(section)
        elif item := re.match(r"(\d+)\. ", line):
            found.add(f"{section}.{item[1]}")
    return found


def texts() -> Iterator[tuple[str, str]]:
    """Every text that people wrote or that is generated, by its place."""
    files = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    files += [*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / ".importlinter"]
    for path in files:
        if path.suffix in {".py", ".md", ".sql", ".toml", ".json", ".tsv"} and path.is_file():
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_rules_and_sections_that_are_named_are_there() -> None:
    known = {"RULES": numbered("docs/rules.md"), "DESIGN": numbered("docs/design.md")}
    named = {
        (place, kind, number)
        for place, text in texts()
        for kind, numbers in _REFERENCE.findall(text)
        for number in re.findall(r"\d+(?:\.\d+)?", numbers)
    }
    assert len(named) > 40
    assert not {one for one in named if one[2] not in known[one[1]]}


@pytest.mark.parametrize(
    ("document", "there", "not_there"),
    [
        ("docs/rules.md", {"1", "4.3", "11.8", "16.3"}, {"0", "17", "4.6", "10.1"}),
        ("docs/design.md", {"1", "3", "12", "5.7"}, {"13", "5.8"}),
    ],
)
def test_what_counts_as_there(document: str, there: set[str], not_there: set[str]) -> None:
    assert there <= numbered(document)
    assert not not_there & numbered(document)
