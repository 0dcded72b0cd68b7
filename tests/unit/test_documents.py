"""The documents say what is there.

| what | must be |
|---|---|
| a link inside the repository | a file that exists, and a heading of it |
| a word of the glossary's list | in the glossary, once |
| a status of a memory, a state of a job | in docs/state-machines.md, in the diagram |
| a target of the Makefile | in its help, and in README.md |
| a command `muniment ...` in a document | one of the command line |
| a variable `MUNIMENT_...` in a document | a setting |
| a file named by its folder, `domain/trust.py` | in the repository, the package or its `postgres` |
| an operation | in CHANGELOG.md |
| a decision record | in the index, with its four parts |
"""

import re
from collections.abc import Iterator
from typing import get_args
from urllib.parse import unquote

import pytest
import typer.main

from muniment.domain.memory import Status
from muniment.operations.jobs import JobState
from muniment.operations.registry import REGISTRY
from muniment.settings import Settings
from muniment.surfaces.cli.main import make_cli
from tests.support.documents import ROOT, anchors, blocks, codes, documents, links, text_of

WORDS = (
    "write", "recall", "consolidate", "promote", "reconcile", "supersede", "reinforce", "contest",
    "quarantine", "retract", "archive", "decay", "expire", "forget", "erase", "claim", "resume",
    "approve", "replay", "tier", "kind", "event", "episode", "memory", "slot", "trust", "evidence",
    "validity window", "scope", "memory view", "mode", "checkpoint", "tool ledger", "approval",
    "artifact", "hold", "receipt", "audit entry", "trajectory", "as_of", "known_at",
    "valid_from, valid_to", "recorded_at, superseded_at",
)  # fmt: skip
NEEDED = (
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
    "docs/quickstart.md", "docs/concepts.md", "docs/glossary.md", "docs/state-machines.md",
    "docs/evaluation.md", "docs/benchmarks.md", "docs/how-to/keys.md", "docs/how-to/external-postgres.md",
    "docs/how-to/embedded-postgres.md", "docs/how-to/import.md", "docs/how-to/deploy.md",
    "docs/how-to/upgrade.md", "docs/how-to/backup.md", "docs/how-to/tls.md", "docs/how-to/model.md", "docs/adr/README.md",
    "docs/rules.md", "docs/design.md",
)  # fmt: skip
# What ARCHITECTURE.md shows how to add, and what the design has for later.
EXAMPLES = {("people", "get", "nora"), ("db", "distribute")}
PARTS = ("**Context.**", "**Decision.**", "**Consequences.**", "**Revisit when**")
_COMMAND = re.compile(r"(?:^|[\s(`]|=\$\()muniment((?: +[a-z][a-z0-9_-]*)+)", re.MULTILINE)

_FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:py|sql|toml|md|lock|tsv|service|yaml)")


def test_the_documents_are_there() -> None:
    assert set(NEEDED) <= set(documents())


@pytest.mark.parametrize("document", documents())
def test_links_resolve(document: str) -> None:
    for target in links(document):
        if target.startswith("https://"):
            continue
        path, _, anchor = unquote(target).partition("#")
        found = (ROOT / document).parent / path if path else ROOT / document
        assert found.exists(), f"{document} links to {target}, which is not there"
        assert found.resolve().is_relative_to(ROOT), f"{document} links out of the tree: {target}"
        if anchor:
            known = anchors(found.resolve().relative_to(ROOT).as_posix())
            assert anchor in known, f"{document} links to {target}, a heading that is not there"


def test_the_glossary_has_every_word() -> None:
    entries = re.findall(r"^\| ([^|]+?) \|", text_of("docs/glossary.md"), re.MULTILINE)
    for word in WORDS:
        wanted = 2 if word == "checkpoint" else 1  # what is done, and what there is
        assert entries.count(word) == wanted, (
            f"the glossary has {word!r} {entries.count(word)} times"
        )


def diagrams() -> Iterator[str]:
    return (one.text for one in blocks("docs/state-machines.md") if one.language == "mermaid")


def states(diagram: str) -> set[str]:
    """Both ends of every move."""
    moves = re.findall(r"^\s*(\S+) --> ([^\s:]+)", diagram, re.MULTILINE)
    return {state for move in moves for state in move} - {"[*]"}


def test_the_diagram_of_a_memory_has_every_status() -> None:
    memory, _, _ = diagrams()
    assert states(memory) == set(get_args(Status))
    for status in get_args(Status):
        assert f"| `{status}` |" in text_of("docs/state-machines.md")


def test_the_diagram_of_a_job_has_every_state_that_the_service_uses() -> None:
    _, _, job = diagrams()
    unused = {"cancelled", "aborting", "aborted"}
    assert states(job) == set(get_args(JobState)) - unused
    for state in unused:
        assert f"`{state}`" in text_of("docs/state-machines.md")


def targets() -> dict[str, str]:
    """Targets of the Makefile that people call, with what help says of each."""
    makefile = text_of("Makefile")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    said = dict(re.findall(r"^([a-z-]+):.*## (.+)$", makefile, re.MULTILINE))
    assert set(said) == set(phony.group(1).split())
    return said


@pytest.mark.parametrize("target", sorted(targets()))
def test_the_readme_names_every_target(target: str) -> None:
    assert f"make {target}" in text_of("README.md")


def test_no_document_names_a_target_that_is_not_there() -> None:
    named = {
        (document, name)
        for document in documents()
        for code in [*codes(document), *(one.text for one in blocks(document))]
        for name in re.findall(r"(?:^|\s)make ([a-z-]+)", code)
    }
    assert {name for _, name in named} >= {"demo", "test", "check"}
    assert not {(document, name) for document, name in named if name not in targets()}


def commands() -> set[tuple[str, ...]]:
    """Every command of the command line as its words, groups too."""
    root = typer.main.get_command(make_cli())
    found: set[tuple[str, ...]] = set()
    for name, command in getattr(root, "commands", {}).items():
        found.add((name,))
        found |= {(name, action) for action in getattr(command, "commands", {})}
    return found


def named_commands(document: str) -> set[tuple[str, ...]]:
    """The words after ``muniment`` in its shell blocks and inside its lines."""
    shell = [one.text for one in blocks(document) if one.language == "sh"]
    inline = [code for code in codes(document) if code.startswith("muniment ")]
    found = {tuple(words.split()) for text in (*shell, *inline) for words in _COMMAND.findall(text)}
    return found - EXAMPLES


def test_commands_exist() -> None:
    known = commands()
    groups = {words[0] for words in known if len(words) == 2}
    named = {(document, words) for document in documents() for words in named_commands(document)}
    assert len(named) > 20
    # A group takes its action along; what follows are arguments.
    unknown = {
        (document, words)
        for document, words in named
        if words[: 2 if words[0] in groups and len(words) > 1 else 1] not in known
    }
    assert not unknown


def test_settings_exist() -> None:
    known = {f"MUNIMENT_{name.upper()}" for name in Settings.model_fields}
    for document in documents():
        named = set(re.findall(r"\bMUNIMENT_[A-Z_]+\b", text_of(document)))
        assert named <= known, f"{document}: {named - known}"


def test_files_exist() -> None:
    named = {
        (document, code)
        for document in documents()
        for code in codes(document)
        if _FILE.fullmatch(code) and "NNNN" not in code
    }
    assert len(named) > 20
    places = (ROOT, ROOT / "src/muniment", ROOT / "src/muniment/postgres")
    assert not {one for one in named if not any((place / one[1]).exists() for place in places)}


def test_the_changelog_names_every_operation() -> None:
    missing = {name for name in REGISTRY if f"`{name}`" not in text_of("CHANGELOG.md")}
    assert not missing


def test_decision_records_are_whole() -> None:
    records = sorted((ROOT / "docs/adr").glob("0*.md"))
    index = set(links("docs/adr/README.md"))
    assert index == {path.name for path in records}
    assert len({path.name[:4] for path in records}) == len(records)
    for path in records:
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {path.name[:4]}: ")
        places = [text.find(part) for part in PARTS]
        assert places == sorted(places), path.name
        assert -1 not in places, path.name


def test_the_licence_is_whole() -> None:
    licence = text_of("LICENSE")
    assert "Apache License" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
    assert "l2_supercat_256.safetensors" in text_of("NOTICE")
