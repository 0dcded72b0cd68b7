"""What the tables of ``muniment.domain.learned`` are learned from: labelled texts."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "evals/cases"
EXAMPLES = CASES / "learned"
NAMES: Final = ("requests", "turns")
UNREAD: Final = {"extraction_dev4": "h09", "extraction_dev5": "f10", "extraction_dev6": "g10"}
"""The conversations from here on are a check of what is learned from the others."""


@dataclass(frozen=True)
class Example:
    """A labelled text and who wrote it."""

    author: str
    text: str
    label: str


def examples(name: str) -> list[Example]:
    """The labelled texts of a table: requests to an analyst with what they ask for; what users say
    with whether it is kept, alone or in labelled conversations.
    """
    lines = (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    given = [Example(**json.loads(line)) for line in lines]
    return given + list(_of_conversations()) if name == "turns" else given


def _of_conversations() -> Iterator[Example]:
    for file in sorted(CASES.glob("extraction_dev*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            conversation = json.loads(line)
            if conversation["id"] >= UNREAD.get(file.stem, "~"):
                continue
            turns = (turn for session in conversation["sessions"] for turn in session["turns"])
            for turn in turns:
                if turn["role"] == "user" and turn["signal"] is not None:
                    label = "keep" if turn["signal"] else "drop"
                    yield Example(file.stem, turn["content"], label)


def digest(name: str) -> str:
    """Of which texts a table is: the SHA-256 of its examples as JSON Lines, in hexadecimal."""
    lines = [json.dumps(asdict(one)) for one in examples(name)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
