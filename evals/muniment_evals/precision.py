"""Does recall give what was asked for and nothing else (precisionMemBench's form).

A file has users with stored beliefs, one a session, and cases: a question in some scopes, and which
beliefs must come back, as what. A belief is a memory about an entity that goes by the belief's name
and aliases; a scope is a namespace; what is pinned comes with the profile; what a question names
comes by name, one hop around it included. A case passes if everything that it expects holds.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.client import Client
from muniment.client.models import Item
from muniment.errors import Conflict, InvalidInput
from muniment_evals.reading import numbered_lines

EVERYWHERE = "user:universal"
_QUESTION = "open_question"
_PREFERENCES = {"preference"}
_RELATION = "relation"
_RELATES = "relates_to"
_MOST = 12
_TOKENS = 4000


@dataclass(frozen=True)
class Report:
    """Cases passed, all and by category, and what was wrong with each of the others."""

    cases: int
    passed: int
    by_category: Mapping[str, Mapping[str, int]]
    failures: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class _Answer:
    """What one question gets: ids of beliefs, and the text that a session starts with."""

    prelude: str
    pinned: frozenset[str]
    questions: frozenset[str]
    relevant: frozenset[str]


def read_users(path: Path) -> list[dict[str, Any]]:
    """The users of a file. Raises InvalidInput naming the line that breaks the format."""
    users = []
    for number, line in numbered_lines(path):
        try:
            user = json.loads(line)
            for session in user["sessions"]:
                _ = (session["turns"][0]["text"], session["meta"]["canonical_name"])
            users.append(user)
        except (ValueError, KeyError, IndexError, TypeError):
            raise InvalidInput(f"{path}, line {number}: is no user with beliefs.") from None
    return users


def evaluate(
    client: Client, users: Iterable[Mapping[str, Any]], progress: Callable[[str], None]
) -> Report:
    """Store the beliefs of every user, then ask every question."""
    given = list(users)
    client.slots.define(name=_RELATES, cardinality="many")
    for user in given:
        _store(client, user)
        progress(f"{user['id']}: {len(user['sessions'])} beliefs")
    by_category: dict[str, dict[str, int]] = {}
    failures = {}
    for user in given:
        for case in user["questions"]:
            wrong = list(_faults(_ask(client, user["id"], case), case["expect"]))
            count = by_category.setdefault(case["category"], {"cases": 0, "passed": 0})
            count["cases"] += 1
            count["passed"] += not wrong
            if wrong:
                failures[case["id"]] = wrong
    cases = sum(count["cases"] for count in by_category.values())
    return Report(cases, cases - len(failures), by_category, failures)


def _store(client: Client, user: Mapping[str, Any]) -> None:
    """Oldest first: what was superseded is stored, then taken back."""
    sessions = sorted(user["sessions"], key=lambda one: one["meta"]["superseded_by"] is None)
    for session in sessions:
        for scope in session["meta"]["scope"]:
            _define(client, user["id"], scope, session["meta"])
    for session in sessions:
        for scope in session["meta"]["scope"]:
            _remember(client, user["id"], scope, session)


def _define(client: Client, user: str, scope: str, meta: Mapping[str, Any]) -> None:
    """An entity under its names; one that another has already is left out."""
    name, aliases = _name(meta), list(meta["aliases"])
    while True:
        try:
            client.entities.define(
                name=name, kind=meta["type"], aliases=aliases, user_id=user, namespace=scope
            )
        except Conflict as error:
            taken = {int(fault.pointer.rpartition("/")[2]) for fault in error.faults}
            aliases = [one for at, one in enumerate(aliases) if at not in taken]
        else:
            return


def _remember(client: Client, user: str, scope: str, session: Mapping[str, Any]) -> None:
    meta = session["meta"]
    made = client.memories.remember(
        kind="user_preference" if meta["type"] in _PREFERENCES else "fact",
        text=session["turns"][0]["text"],
        user_id=user,
        namespace=scope,
        subject=_name(meta),
        metadata={"belief": session["session_id"], "type": meta["type"]},
        **_relation(client, user, scope, meta),
    )
    if made.id is None:
        raise InvalidInput(f"{session['session_id']}: is not kept ({made.rule}).")
    if meta["epistemic_status"] == "superseded":
        client.memories.retract(id=made.id)
    elif meta["pinned"]:
        client.memories.pin(id=made.id)


def _relation(client: Client, user: str, scope: str, meta: Mapping[str, Any]) -> dict[str, Any]:
    """What a relation leads to: the entity whose name ends the relation's own."""
    if meta["type"] != _RELATION:
        return {}
    words = _name(meta).split()
    known: dict[str, str] = {}
    for one in client.entities.list(user_id=user, namespace=scope, limit=200).items:
        known |= {name.casefold(): one.name for name in (one.name, *one.aliases)}
    for start in range(1, len(words)):
        found = known.get(" ".join(words[start:]).casefold())
        if found is not None:
            return {"slot": _RELATES, "value": found}
    return {}


def _name(meta: Mapping[str, Any]) -> str:
    return str(meta["canonical_name"]).replace("_", " ")


def _ask(client: Client, user: str, case: Mapping[str, Any]) -> _Answer:
    scopes = case["scope"]
    prelude = client.profile.get(user_id=user, namespace=EVERYWHERE, max_tokens=_TOKENS)
    starts = [
        item
        for scope in scopes
        if scope != EVERYWHERE
        for item in client.profile.get(user_id=user, namespace=scope, max_tokens=_TOKENS).items
        if item.pinned
    ]
    pinned = {_belief(item) for item in starts if item.metadata["type"] != _QUESTION}
    most = (case["budget"] or {}).get("maxBeliefs")
    room = _MOST if most is None else min(_MOST, most - len(pinned))
    items = [item for scope in scopes for item in _named(client, user, scope, case, room)]
    return _Answer(
        prelude=prelude.text,
        pinned=frozenset(pinned),
        questions=frozenset(_belief(i) for i in starts if i.metadata["type"] == _QUESTION),
        relevant=frozenset({_belief(item) for item in items} - pinned),
    )


def _named(
    client: Client, user: str, scope: str, case: Mapping[str, Any], room: int
) -> Sequence[Item]:
    if not case["text"].strip() or room <= 0:
        return ()
    return client.recall(
        user_id=user,
        namespace=scope,
        query=case["text"],
        match="named",
        k=room,
        filter={"pinned": False, "metadata.type": {"$ne": _QUESTION}},
    ).items


def _belief(item: Item) -> str:
    return str(item.metadata["belief"])


def _faults(answer: _Answer, expected: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What of a case does not hold, in a sentence each."""
    got = {
        "pinnedFacts": answer.pinned,
        "openQuestions": answer.questions,
        "relevantBeliefs": answer.relevant,
    }
    for name, wanted in expected.items():
        if name == "personaPrelude":
            yield from _of_prelude(answer.prelude, wanted)
            continue
        found = got[name]
        only = wanted.get("shouldOnlyInclude")
        lacking = {*wanted.get("mustInclude", ()), *(only or ())} - found
        too_many = found & set(wanted.get("mustExclude", ()))
        too_many |= set() if only is None else found - set(only)
        yield from (f"{name} lacks {one}" for one in sorted(lacking))
        yield from (f"{name} has {one}" for one in sorted(too_many))


def _of_prelude(text: str, wanted: Mapping[str, Any]) -> Iterator[str]:
    if wanted.get("nonEmpty") and not text:
        yield "the prelude is empty"
    folded = text.casefold()
    for word in wanted.get("contains", ()):
        if word.casefold() not in folded:
            yield f"the prelude lacks {word}"
    for word in wanted.get("mustNotContain", ()):
        if word.casefold() in folded:
            yield f"the prelude has {word}"
