"""The files for operators as tests read them: Containerfile, compose.yaml, the systemd unit."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import typer.main
import yaml  # type: ignore[import-untyped]

from muniment.settings import Settings
from muniment.surfaces.cli.main import make_cli
from tests.support.documents import ROOT

_REFERENCE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Containerfile and the number of its stage, 0 before the first."""

    name: str
    text: str
    stage: int

    @property
    def words(self) -> list[str]:
        """Its arguments: of the JSON form, or separated by blanks."""
        if self.text.startswith("["):
            return [str(word) for word in json.loads(self.text)]
        return self.text.split()


def containerfile() -> list[Instruction]:
    """Its instructions in order, continued lines joined, comments left out."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    found: list[Instruction] = []
    stage = 0
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.strip().partition(" ")
        if name:
            stage += name == "FROM"
            found.append(Instruction(name, rest.strip(), stage))
    return found


def of(name: str, stage: int | None = None) -> list[Instruction]:
    """The instructions of one name, of one stage or of all."""
    return [one for one in containerfile() if one.name == name and stage in (None, one.stage)]


def health_command() -> list[str]:
    """The image's health check."""
    (check,) = of("HEALTHCHECK")
    words: list[str] = json.loads(check.text.partition(" CMD ")[2])
    return words


def environment_of_image() -> dict[str, str]:
    """What the last stage sets."""
    (instruction,) = of("ENV", 2)
    return dict(word.split("=", 1) for word in instruction.words)


def arguments_of_build(stage: int) -> dict[str, str]:
    """What the ARG instructions of a stage give where a build names nothing else."""
    return {
        name: value
        for one in of("ARG", stage)
        for name, given, value in [one.text.partition("=")]
        if given
    }


def interpolated(text: str, values: Mapping[str, str]) -> str:
    """As compose does it: ``${NAME}``, ``${NAME:-default}``, ``${NAME:?message}``.

    Raises KeyError for a name without value that must have one.
    """

    def value(match: re.Match[str]) -> str:
        name, kind, default = match.groups()
        return values.get(name) or (default if kind == "-" else values[name])

    return _REFERENCE.sub(value, text)


def references(text: str) -> set[str]:
    """Names that a text wants from outside."""
    return {match[1] for match in _REFERENCE.finditer(text)}


def compose_text() -> str:
    """compose.yaml as it is."""
    return (ROOT / "compose.yaml").read_text(encoding="utf-8")


def compose(values: Mapping[str, str]) -> dict[str, Any]:
    """compose.yaml with names replaced by values."""
    document: dict[str, Any] = yaml.safe_load(interpolated(compose_text(), values))
    return document


def unit() -> dict[str, dict[str, list[str]]]:
    """The systemd unit: section, key, values in order."""
    found: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in (ROOT / "deploy/muniment.service").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(section, {}).setdefault(key, []).append(value)
    return found


def assignments(name: str) -> dict[str, str]:
    """The variables of an environment file, those in comments too."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^#?([A-Z][A-Z_]*)=(.*)$", text, re.MULTILINE))


def known_settings() -> set[str]:
    """The name of every setting in the environment."""
    return {f"MUNIMENT_{name.upper()}" for name in Settings.model_fields}


def commands() -> set[tuple[str, ...]]:
    """Every command of the command line as its words."""
    return set(_commands(typer.main.get_command(make_cli()), ()))


def _commands(command: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, child in getattr(command, "commands", {}).items():
        yield (*above, name)
        yield from _commands(child, (*above, name))


def pyproject_value(pattern: str) -> str:
    """What the first group of a pattern finds in pyproject.toml."""
    found = re.search(pattern, (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml has nothing like {pattern}")
    return found[1]
