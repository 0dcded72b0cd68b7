"""The commands in blocks of the documents that no test runs are commands, with these options.

| line | then |
|---|---|
| `muniment WORDS --options` | the command is there and takes what is given |
| an option or a command that is not there | fails |
| other programs, blocks that run | not looked at here |
"""

import re
import shlex
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from muniment.surfaces.cli.main import make_cli
from tests.support.documents import blocks, documents

CLI = make_cli()


def lines() -> Iterator[tuple[str, str]]:
    """Commands of ours in blocks that are not run, each with its document."""
    for document in documents():
        for block in blocks(document):
            if block.language == "sh" and "not run" in block.marks:
                for line in block.text.replace("\\\n", " ").splitlines():
                    for part in re.split(r"[|;&]+|\$\(", line):
                        words = re.sub(
                            r"^\s*(?:\w+=\S*\s+|exec\s+|sudo\s+(?:-u\s+\w+\s+)?)*", "", part
                        )
                        if words.startswith("muniment "):
                            yield document, words.strip().rstrip(")")


def refused(line: str) -> bool:
    """Whether the command line does not know a command or an option; nothing is carried out."""
    words = [
        word for word in shlex.split(line, comments=True)[1:] if not re.match(r"\d?[<>]", word)
    ]
    return CliRunner().invoke(CLI, [*words, "--help"]).exit_code != 0


@pytest.mark.parametrize(("document", "line"), [*dict.fromkeys(lines())])
def test_the_command_is_one(document: str, line: str) -> None:
    assert not refused(line)


@pytest.mark.parametrize(
    "line",
    ["muniment api --prot 1", "muniment apis", "muniment keys mint", "muniment db verify --x"],
)
def test_what_is_none_is_noticed(line: str) -> None:
    assert refused(line)
