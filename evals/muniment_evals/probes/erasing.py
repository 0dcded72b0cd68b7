"""What is forgotten is in no answer any more, and does not come back."""

from collections.abc import Iterator
from typing import Any

from muniment.errors import MunimentError, NotFound
from muniment_evals.probes.probe import Check, Place

_WORD = "zephyrine"
_USERS = 1


def deletion_leaks(place: Place) -> Iterator[Check]:
    """One call forgets a user: turns, summary, memories, entities, working memory, profile."""
    for number in range(_USERS):
        user = f"gone-{number}"
        said = f"I keep the {_WORD} of lot {number} in the shed, and I live in {_WORD.title()}."
        turn = place.say(user, "s", said, place.ago(days=3))
        made = place.state(user, "city", _WORD.title(), place.ago(days=3), session="t").id
        place.remember(
            kind="fact", text=f"Keeps the {_WORD} in the shed.", user_id=user, evidence=[turn]
        )
        place.client.working.put(user_id=user, session_id="s", key="note", value={"at": _WORD})
        place.consolidate(user, "s")
        before = place.recall(user_id=user, query=f"Where is the {_WORD}?")
        yield Check(_WORD in str(before).casefold(), "what was planted is not recalled")
        place.client.forget(user_id=user)
        for where, answer in _answers(place, user):
            yield Check(_WORD not in answer.casefold(), f"{where} still has it")
        yield Check(_gone(place, made), "a memory is there by its id")
        try:
            place.say(user, "s", said, place.ago(days=3))
        except MunimentError:
            yield Check(True, "")
        found = str(place.recall(user_id=user, query=f"Where is the {_WORD}?"))
        yield Check(_WORD not in found.casefold(), "the same turn, sent again, brings it back")


def _answers(place: Place, user: str) -> Iterator[tuple[str, str]]:
    client = place.client
    query = f"Where is the {_WORD}?"
    yield "recall", str(place.recall(user_id=user, query=query))
    yield "recall as of then", str(place.recall(user_id=user, query=query, as_of=place.ago(days=1)))
    yield "recall by name", str(place.recall(user_id=user, query=query, match="named"))
    yield "the list", str(place.items(user, standing=["asserted", "contested", "archived"]))
    yield "the profile", str(client.profile.get(user_id=user))
    yield "working memory", str(_or_nothing(client.working.list, user_id=user, session_id="s"))
    yield "the entities", str(_or_nothing(client.entities.list, user_id=user))
    yield "the context", str(_or_nothing(client.context.assemble, user_id=user, query=query))


def _or_nothing(call: Any, **given: Any) -> Any:
    try:
        return call(**given)
    except NotFound:
        return None


def _gone(place: Place, made: Any) -> bool:
    try:
        place.client.memories.get(id=made)
    except NotFound:
        return True
    return False
