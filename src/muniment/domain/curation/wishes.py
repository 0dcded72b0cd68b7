"""Wishes for the task at hand: what is asked for, and in which form.

| said | asked for | compared by |
|---|---|---|
| "show me that by week" | it by week | by week |
| "show me the churn by week" | it by week | by week |
| "as a table please" | it as a table | as a table |
| "drop the test rows first" | : Drop the test rows first | all of it |
| "show me the churn" | the churn: a task, no general wish | all of it |
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from muniment.domain.curation.words import (
    ASKING,
    ASKS_WHAT,
    FORM,
    FORMED,
    GIVEN,
    HOW,
    METHOD,
    OF_THIS,
    ORDERED,
    POLITE,
    VAGUE,
    WANTS,
)
from muniment.domain.likeness import Likeness, likeness
from muniment.domain.text import Analyzer, analyzer_for

_SHORT: Final = 5


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. ``ordered``: in the words of an order; ``formed``: in a certain form.

    ``general``: it says how things are wanted, not which thing. ``compared`` is what another wish
    must have to be the same.
    """

    what: str
    compared: str
    ordered: bool
    formed: bool
    general: bool


def aside(analyzer: Analyzer, names: Iterable[str] = ()) -> frozenset[str]:
    """Stems that say only that something is asked for, and of whom."""
    return frozenset(analyzer.stems(f"{ASKING} user team asking {' '.join(names)}"))


def wish_of(sentence: str) -> Wish | None:
    """The wish of a sentence; None if it is none, or says not what for."""
    text = " ".join(POLITE.sub("", sentence).split()).rstrip(" .!?,")
    order = _ordered(text)
    asked = _asked_for(text) or (None if order else _formed(sentence))
    what = asked or order
    if what is None or not _read(what).size:
        return None
    ordered = asked is None
    forms = FORM.findall(what)
    if ordered and METHOD.match(what):
        return Wish(_upper(what), text, ordered=True, formed=bool(forms), general=True)
    if not forms:
        shown = _upper(what) if ordered else what
        return Wish(shown, text, ordered=ordered, formed=False, general=False)
    rest = _read(FORM.sub(" ", what))
    denied = ["not"] if likeness(text, analyzer_for()).denied else []
    compared = " ".join([*denied, *forms, *sorted(value for _, value in rest.values)])
    if not rest.words:
        shown = _upper(what) if ordered else what
        return Wish(shown, compared, ordered=ordered, formed=True, general=True)
    manner = " ".join(form for form in forms if HOW.match(form))
    if not manner:
        return Wish(_upper(what) if ordered else what, text, ordered, formed=True, general=False)
    return Wish(f"it {manner}", compared, ordered=False, formed=True, general=True)


def _ordered(text: str) -> str | None:
    """The order in a sentence: "drop the test rows"."""
    match = ORDERED.match(text)
    return None if match is None else str(match["what"])


def _asked_for(text: str) -> str | None:
    """What somebody wants to be given: "show me that by week", "I want it by week"."""
    given = GIVEN.match(text)
    if given is None or ASKS_WHAT.match(given["what"]):
        return None
    asked = str(given["what"])
    if WANTS.match(text) and not (OF_THIS.match(asked) or FORM.search(asked)):
        return None
    return OF_THIS.sub("it", asked, count=1)


def _formed(text: str) -> str | None:
    """A form alone: "as a table please", "weekly"."""
    formed = FORMED.match(text.rstrip(" .!?"))
    if formed is None or (text.endswith("?") and "please" not in text.casefold()):
        return None
    asked = POLITE.sub("", formed["what"]).strip(" ,.!?")
    if HOW.match(asked):
        asked = f"it {asked[0].lower()}{asked[1:]}"
    return asked if len(asked.split()) <= _SHORT and FORM.search(asked) else None


def _read(text: str) -> Likeness:
    return likeness(text, analyzer_for(), aside=_generic())


@cache
def _generic() -> frozenset[str]:
    analyzer = analyzer_for()
    return aside(analyzer) | frozenset(analyzer.stems(VAGUE))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
