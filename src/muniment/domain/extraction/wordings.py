"""More ways in which people give a value, slot by slot: templates with the value as ``*``.

A template is read from the start of a clause. ``<I>`` is the user with adverbs and auxiliaries.
``<ill>`` in the third place: the sentence has to speak of what an allergy does.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import regex as re

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import lead_end
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import (
    allergen,
    disliked,
    pet_name,
    project_called,
    project_name,
    shape_for,
    technology,
)
from muniment.domain.extraction.templates_person import PERSON_TEMPLATES
from muniment.domain.extraction.templates_work import WORK_TEMPLATES
from muniment.domain.extraction.values import (
    Shape,
    channel,
    language,
    organisation,
    place,
    several,
    title,
)
from muniment.domain.extraction.words import CHANNEL, LANGUAGE
from muniment.domain.late import late_regex
from muniment.domain.slot import Slot

USER = (
    r"(?:I|we)(?: (?:am|are|have|had|got|was|were|been|will|shall|can|do|now|just|also"
    r"|still|really|currently|recently|finally|mostly|mainly|only|"
    r"already|pretty|quite|very|fairly|a|bit|so|officially|all|would|should))*+"
)
_ILL: Final = late_regex(
    r"allerg|hives|rash|anaphyl|epi-?pen|swell|swollen|throat|hospital|itch|\breact(?:s|ed|ion)\b"
    r"|antihistamine|\bsick\b|\bill\b|intoleran|wheez|blister|faint|ambulance",
    re.IGNORECASE,
)
_ANY = r"(?P<v>[^,.;:!?]{1,40}?)"
_REST = r"(?P<v>\S.*)"

# slot, template, what the sentence has to be about
_ABOUT_ME = ("*", "(?:my|our) team", "(?:they", f"(?P<v>{LANGUAGE}")
"""Of a third person as its subject, and yet about the user."""
_BAD_PREFERENCE = late_regex(r"\bif\b|\bnot\b", re.IGNORECASE)


def by_wording(clause: Clause, sentence: Sentence, slots: Mapping[str, Slot]) -> Iterator[Found]:
    """The values that a clause gives by a wording of its slot."""
    given: set[str] = set()
    start = lead_end(clause.text)
    for slot, about, pattern, shape, front, whole in _compiled():
        if slot in given or slot not in slots or (clause.other and not front):
            continue
        match = pattern.match(clause.text, 0 if whole else start)
        if match is None or not _fits(about, match, sentence):
            continue
        if slot == "contact_channel" and _NONE.match(clause.text):
            continue
        text = match["p"] if about == "verb" else match["v"]
        values = (
            several(text, shape)
            if slots[slot].cardinality == "many" and slot != "pet"
            else [shape(text)]
        )
        for value in values:
            if value is not None and (
                value in text.split()[-1]
                or text.endswith(value)
                or match.end("v") == len(clause.text)
            ):
                given.add(slot)
                yield Found(clause, f"wording.{slot}", slot, value, changes=True)


_NONE: Final = re.compile(r"(?:and |so |but |please )*no\b", re.IGNORECASE)
_KEYED: Final = late_regex(
    r"^(?:[-*•>]\s*)?(?:my )?(?P<key>[a-z ]{2,18}?)\s*[:=]\s+(?P<v>\S.*)$", re.IGNORECASE
)
_KEYS: Final = {
    "name": "name",
    "full name": "name",
    "city": "city",
    "location": "city",
    "based in": "city",
    "company": "employer",
    "employer": "employer",
    "role": "role",
    "job": "role",
    "title": "role",
    "job title": "role",
    "position": "role",
    "tz": "timezone",
    "timezone": "timezone",
    "time zone": "timezone",
    "language": "language",
    "address": "address",
    "region": "deploy_region",
    "contact": "contact_channel",
    "contact me via": "contact_channel",
    "allergy": "allergy",
    "allergies": "allergy",
    "allergy note": "allergy",
    "project": "project",
    "repo": "project",
    "skills": "skill",
}


def by_key(clause: Clause, slots: Mapping[str, Slot]) -> Iterator[Found]:
    """A value behind its key, as in a form: "Location: Osaka"."""
    match = _KEYED.match(clause.text)
    slot = None if match is None else _KEYS.get(match["key"].strip().lower())
    if match is None or slot is None or slot not in slots:
        return
    shape = _name if slot == "name" else _SHAPES.get(slot) or shape_for(slot, "", "text")
    shape = project_called if slot == "project" else shape
    many = slots[slot].cardinality == "many"
    for value in several(match["v"], shape) if many else [shape(match["v"])]:
        if value is not None:
            yield Found(clause, "wording.key", slot, value)


def _name(text: str) -> str | None:
    match = re.match(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}(?=$|[,.])", text)
    return None if match is None else match.group()


def _fits(about: str, match: re.Match[str], sentence: Sentence) -> bool:
    """Whether what a wording asks of its surroundings is there."""
    if about == "ill":
        return _ILL.search(sentence.text) is not None
    if about == "homely":
        return (
            re.search(r"where I (?:live|am based)|home|my (?:flat|house|kitchen)", sentence.text)
            is not None
        )
    if about == "only":
        value = re.sub(r"[,.! ]+$", "", match["v"])
        return (
            re.fullmatch(
                rf"(?:my |the |only |an? )?{CHANNEL}(?: (?:only|for (?:everything|messages"
                r"|reminders|that|this)|over .*|to .*|please|anyway|best|fastest|first))*",
                value,
                re.IGNORECASE,
            )
            is not None
        )
    if about == "prefer":
        return _BAD_PREFERENCE.search(match.group()) is None
    if about == "whole":
        return len(match["v"].split()) <= 3
    return about != "never"


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[str, str, re.Pattern[str], Shape, bool, bool], ...]:
    found = []
    for slot, template, about in (*PERSON_TEMPLATES, *WORK_TEMPLATES):
        text = template.replace("<I>", USER)
        if "(?P<v>" not in text:
            text = re.sub(r"(?<![)\]])\*\??$", lambda _: _REST, text)
            text = (
                re.sub(r"(?<![)\]])\*\??(?!$)", lambda _: _ANY, text)
                if "(?P<v>" not in text
                else text
            )
        case = r"\b" if text[-1:].isalpha() else ""
        shape = project_called if about == "called" else _SHAPES[slot]
        found.append(
            (
                slot,
                about,
                re.compile(f"{text}{case}", re.IGNORECASE),
                shape,
                template.startswith(_ABOUT_ME),
                template.startswith("no "),
            )
        )
    return tuple(found)


def _proper_organisation(text: str) -> str | None:
    return organisation(text) if re.match(r"(?:the )?[A-ZÀ-Þ]", text) else None


_SHAPES: Final[Mapping[str, Shape]] = {
    "allergy": allergen,
    "project": project_name,
    "skill": technology,
    "contact_channel": channel,
    "do_not_contact": lambda text: text.strip(),
    "role": title,
    "employer": _proper_organisation,
    "city": place,
    "language": language,
    "dislike": disliked,
    "pet": pet_name,
    "account_tier": lambda text: text.strip() if len(text.split()) <= 2 else None,
}
