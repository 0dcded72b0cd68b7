"""What a table says of itself, and how a forget reaches it.

| table | reached |
|---|---|
| with a cascade from a scope, a session or a user, over however many others | with those |
| with a statement of its own | as that says |
| neither, with a column that makes its rows somebody's | not at all: unregistered |
| neither, without such a column | not at all, and need not be |
"""

import pytest

from muniment.bootstrap import load_policy
from muniment.domain.governance import Registered, deletion_path, ends, registered, unregistered
from muniment.settings import Settings

PARENTS = {
    "scope": ["end_user"], "session": ["scope"], "event": ["session"], "line": ["file"],
    "loop": ["pool"], "pool": ["loop"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("Turns | layer: episodic | retention: episode | owner: subject",
         Registered("Turns", "episodic", "episode", "subject")),
        ("Turns | owner: subject | layer: episodic | retention: episode",
         Registered("Turns", "episodic", "episode", "subject")),
        ("Turns | layer: episodic | owner: subject", None),
        ("Turns", None),
        ("", None),
        (None, None),
    ],
)  # fmt: skip
def test_comments(comment: str | None, said: Registered | None) -> None:
    assert registered(comment) == said


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ("event", "with session"), ("scope", "with end_user"), ("end_user", "forget"),
        ("line", None), ("loop", None), ("alone", None), ("file", "by hand"),
    ],
)  # fmt: skip
def test_paths(table: str, path: str | None) -> None:
    assert deletion_path(table, PARENTS, {"file": "by hand"}) == path


def test_what_no_forget_reaches() -> None:
    columns = {"event": ["scope_id"], "notes": ["tenant_id", "user_id"], "job": ["job_id"]}
    assert unregistered(columns, PARENTS, {}) == ["notes"]
    assert unregistered(columns, PARENTS, {"notes": "forget of the user"}) == []


def test_every_class_has_words_for_its_end() -> None:
    policy = load_policy(Settings())
    said = {name: ends(one) for name, one in policy.retention.items()}
    assert said["episode"] == "expires after 30 to 365 days"
    assert said["audit"] == "kept for ever, at least 730 days"
    assert all(said.values())
