"""The general path by classes: whether a clause states something of the user's that lasts.

A clause is read for its subject, tense, verb and what follows it, and each class of subject has the
classes of verbs and of nouns that make it last. What passes, is supposed, or is the task at hand
says no for all of them.
"""

import re
from typing import Final

from muniment.domain.extraction.grammar import Reading, Subject, Tense, read_clause, without_lead
from muniment.domain.extraction.lasting_words import (
    AWAY,
    CHOSEN,
    DEGREE,
    FLEETING,
    FOR_NOW,
    FROM_THEN,
    GIVEN_UP,
    HEADS,
    HELD,
    IT_IS,
    LIMIT,
    LINK,
    LIVES,
    MADE,
    OF_MINE,
    OFFICE,
    ONLY_WHEN,
    OURS_TOO,
    PLAYFUL,
    POINTS,
    PUTS,
    SENSES,
    SINCE,
    SINCE_ALONE,
    SKILLED,
    STAYS_ON,
    TRANSIENT,
    TREATED,
    WAYS,
)
from muniment.domain.extraction.nouns import (
    CLOSE,
    DAY_OF,
    GROUP,
    ILL,
    KEPT,
    PASSING,
    RELATED,
    ROLE,
    STANDING,
    THEIRS,
    WORKING,
)
from muniment.domain.extraction.predicates import RECURS, TIMED
from muniment.domain.extraction.verbs import (
    ABLE,
    CHANGE,
    HABITUAL,
    MENTAL,
    SMALL_CHANGE,
    SPEECH,
    STUDIES,
    TURNS,
)


def passes(text: str) -> bool:
    """Whether a sentence speaks of what is so just now, of the task at hand, or in play."""
    text = FROM_THEN.sub(" ", _lived(text))
    return FLEETING.search(text) is not None or PLAYFUL.search(text) is not None


def _lived(text: str) -> str:
    """Without "at the moment", where one says how one lives."""
    without = FOR_NOW.sub(" ", text).strip()
    return without if LIVES.match(without) else text


def lasting(text: str, *, dated: bool) -> str | None:
    """The class by which a clause, with its days, lasts; None where nothing says that it does."""
    if passes(text) or text.rstrip(" \"')").endswith("?"):
        return None
    text = _lived(text)
    plain = without_lead(text)
    if IT_IS.match(plain):
        return "decision"
    if LIMIT.match(plain):
        return "rule"
    if SINCE_ALONE.match(plain):
        return "since"
    reading = read_clause(text)
    if reading is None or (reading.tense is Tense.MODAL and reading.modal in {"might", "may"}):
        return None
    timed = dated or TIMED.search(text) is not None or RECURS.search(text) is not None
    if reading.tense is Tense.GOING_ON and not reading.negated and LIVES.match(plain):
        return "state"
    decide = _BY_SUBJECT.get(reading.subject)
    return None if decide is None else decide(reading, timed)


def _of_user(reading: Reading, timed: bool) -> str | None:
    if POINTS.match(reading.rest):
        return None
    if reading.verb == "be" and not reading.passive:
        return _is(reading, timed)
    if reading.verb == "have" and not reading.passive:
        return _has(reading, timed)
    by_tense = {
        Tense.PRESENT: _does,
        Tense.PAST: _did,
        Tense.PERFECT: _did,
        Tense.SO_FAR: _so_far,
        Tense.GOING_ON: _going_on,
        Tense.FUTURE: _will,
        Tense.MODAL: _can,
    }
    return by_tense[reading.tense](reading, timed)


def _is(reading: Reading, timed: bool) -> str | None:
    rest = reading.rest
    if reading.tense is Tense.PAST or TRANSIENT.match(rest):
        return None
    if reading.tense is Tense.FUTURE:
        return "away" if AWAY.match(rest) and timed else None
    if STANDING.match(rest) or ILL.match(rest):
        return "status"
    if ROLE.match(rest) and not reading.negated:
        return "role"
    if WAYS.match(rest) or (timed and AWAY.match(rest)):
        return "state"
    if (
        reading.tense is Tense.PERFECT
        and SINCE.search(rest)
        and re.match(r"(?:an?|the|with|in|at|on) ", rest)
    ):
        return "state"
    return None


def _has(reading: Reading, timed: bool) -> str | None:
    if reading.tense is Tense.PAST and not ILL.match(reading.rest):
        return None
    if re.match(r"rid of ", reading.rest):
        return "change"
    if ILL.match(reading.rest):
        return "health"
    if KEPT.match(reading.rest):
        return "possession"
    if RECURS.search(reading.rest) and len(reading.rest.split()) > 1:
        return "habit"
    treated = reading.tense is Tense.GOING_ON and TREATED.search(reading.rest)
    return "date" if timed and (DAY_OF.match(reading.rest) or treated) else None


def _does(reading: Reading, timed: bool) -> str | None:
    if reading.passive:
        return "state" if timed or reading.verb in {"base", "own", "insure", "train"} else None
    if reading.verb == "know":
        of_it = re.match(r"(?:the|my|your|our|him|her|his|their|all|how|what) ", reading.rest)
        return "skill" if SKILLED.search(reading.rest) and of_it is None else None
    if (reading.verb, _first(reading.rest)) in TURNS and not timed:
        return "decision" if CHOSEN.match(f"{reading.verb} {reading.rest}") else None
    if reading.verb in MENTAL or reading.verb not in HABITUAL:
        return (
            "habit"
            if RECURS.search(f"{reading.front} {reading.rest}") and reading.verb not in MENTAL
            else None
        )
    if re.match(r"to [a-z]", reading.rest) and reading.verb not in {"have", "need"}:
        return None
    words = len(reading.rest.split()) + len(reading.front.split())
    often = RECURS.search(f"{reading.front} {reading.rest}") is not None
    if words < 2 and not often and not (words and not reading.negated):
        return "habit" if reading.verb in ABLE | {"work"} and reading.negated else None
    return "habit"


_OBJECTS: Final = {("lose", False): SENSES, ("do", False): DEGREE}
"""Of a verb that says little what its object has to be."""


def _did(reading: Reading, timed: bool) -> str | None:
    verb, rest = reading.verb, reading.rest
    if reading.negated:
        return None
    if (verb, _first(rest)) in TURNS:
        return "change"
    if verb in CHANGE:
        return "change" if rest and not ONLY_WHEN.match(rest) else None
    if (verb, reading.passive) in _OBJECTS and _OBJECTS[verb, False].search(rest):
        return "health" if verb == "lose" else "study"
    if verb == "grow" and rest.startswith("up "):
        return "origin"
    if reading.passive and verb in {
        "bear",
        "raise",
        "diagnose",
        "promote",
        "appoint",
        "elect",
        "hire",
    }:
        return "change"
    if verb in SMALL_CHANGE and (KEPT.match(rest) or (DAY_OF.match(rest) and timed)):
        return "change"
    if verb in {"stop", "start", "begin"} and re.match(r"\w+ing\b", rest):
        return "change"
    if reading.tense is Tense.PERFECT and verb in HABITUAL and SINCE.search(rest):
        return "since"
    return None


def _so_far(reading: Reading, _timed: bool) -> str | None:
    if reading.verb in MENTAL or reading.verb in {"try", "wait", "go", "do", "have"}:
        return None
    return "since" if SINCE.search(reading.rest) else None


def _going_on(reading: Reading, timed: bool) -> str | None:
    verb, rest = reading.verb, reading.rest
    if reading.negated:
        return None
    if (verb, _first(rest)) in TURNS or verb in CHANGE:
        return "change" if rest else None
    if verb in STUDIES and rest and not re.match(r"(?:the|a|an) (?:file|report|numbers?)\b", rest):
        return "study"
    if verb == "expect" and re.match(r"(?:a baby|twins|our|triplets)", rest):
        return "family"
    if verb in {"write", "build", "renovate", "restore"} and re.match(
        r"(?:my|our|an?) (?:\w+ )?(?:thesis|book|novel|house|dissertation|phd|memoir|shed|boat)\b",
        rest,
    ):
        return "project"
    if (
        verb in SMALL_CHANGE | HABITUAL
        and timed
        and verb not in MENTAL
        and verb not in {"look", "work", "do", "go", "read", "check", "have"}
    ):
        return "date"
    return None


def _will(reading: Reading, timed: bool) -> str | None:
    if reading.verb in {"stay", "keep", "remain", "stick"} and STAYS_ON.match(reading.rest):
        return None if reading.negated else "decision"
    if not timed or reading.negated or not reading.rest:
        return None
    return (
        "date"
        if reading.verb in CHANGE or (reading.verb in SMALL_CHANGE and KEPT.match(reading.rest))
        else None
    )


def _can(reading: Reading, _timed: bool) -> str | None:
    if reading.modal in {"can", "could"} and reading.modal == "can":
        if reading.negated:
            return (
                "inability"
                if reading.verb in ABLE and not re.match(r"(?:the|a|an|it|my) ", reading.rest)
                else None
            )
        return "skill" if SKILLED.search(reading.rest) else None
    if not reading.modal and RECURS.search(f"{reading.front} {reading.rest}"):
        return "obligation"
    return None


def _of_ours(reading: Reading, timed: bool) -> str | None:
    noun, rest = re.sub(r"(?: [A-ZÀ-Þ][\w'’-]+)+$", "", reading.noun), reading.rest
    made = reading.verb == "be" and MADE.match(rest) is not None
    if (PASSING.match(noun) and not made) or reading.tense is Tense.MODAL or not rest:
        return None
    if THEIRS.match(noun) and RELATED.match(noun) and not OURS_TOO.search(rest):
        # Who they are to the user is told by a name; what they are or do is their own.
        return "ours" if _IS_NAMED.match(f"{reading.verb} {rest}") else None
    if reading.verb == "be" and not reading.passive:
        return _ours_is(reading, noun)
    named = reading.passive and reading.verb in {"call", "name"}
    helps = WORKING.match(noun) is not None and (OURS_TOO.search(rest) or OFFICE.match(rest))
    if RELATED.match(noun) and not (named or helps or CLOSE.match(noun)):
        return None
    if reading.passive:
        return "ours" if timed or reading.verb in HELD else None
    return _ours_does(reading, timed)


_IS_NAMED: Final = re.compile(r"(?:(?:be|call|name) (?:called |named )?)(?-i:[A-ZÀ-Þ])")


def _ours_is(reading: Reading, noun: str) -> str | None:
    rest = reading.rest
    points = POINTS.match(rest) is not None and OURS_TOO.search(rest) is None
    if reading.tense is Tense.PAST or TRANSIENT.match(rest) or points:
        return None
    if re.match(r"no more\b|no longer\b|gone\b", rest):
        return "change"
    kept = any(one.match(noun) for one in (RELATED, GROUP, KEPT))
    if re.match(r"an? ", rest) and not (kept or re.search(r"[A-ZÀ-Þ\d]", rest)):
        return None
    told = LINK.match(rest) or OFFICE.match(rest)
    return "ours" if told and not reading.negated else None


def _ours_does(reading: Reading, timed: bool) -> str | None:
    if reading.verb in SPEECH or (reading.tense is Tense.FUTURE and not timed):
        return None
    if reading.tense in (Tense.PAST, Tense.PERFECT):
        shuts = timed and reading.verb in {"close", "open", "shut", "end", "expire"}
        puts = reading.verb == "put" and PUTS.match(reading.rest) is not None
        return "change" if _changes(reading) or shuts or puts or reading.verb == "approve" else None
    if reading.tense is Tense.GOING_ON:
        return "change" if reading.verb in CHANGE and timed else None
    points = POINTS.match(reading.rest) is not None and OURS_TOO.search(reading.rest) is None
    verbs = HABITUAL | {"cost", "begin"} | (CHANGE if timed else frozenset())
    lasts = reading.verb in verbs and reading.verb not in MENTAL
    return "ours" if lasts and not points else None


def _changes(reading: Reading) -> bool:
    return reading.verb in CHANGE or (reading.verb, _first(reading.rest)) in TURNS


def _of_group(reading: Reading, timed: bool) -> str | None:
    named = re.match(r"(?P<whose>.*?)(?:'s|s')? (?:name|birthday|address|number)$", reading.noun)
    if named is not None and RELATED.match(named["whose"]) and reading.verb == "be":
        return "ours"
    if PASSING.match(reading.noun) or not reading.rest:
        return None
    group = GROUP.match(reading.noun) is not None
    if reading.tense in (Tense.PAST, Tense.PERFECT):
        shuts = timed and reading.verb in {"close", "open", "shut"}
        return "change" if (_changes(reading) and group) or shuts else None
    if reading.tense not in (Tense.PRESENT, Tense.FUTURE) or reading.verb in MENTAL | SPEECH:
        return None
    if RELATED.match(reading.noun) and not OURS_TOO.search(reading.rest):
        return None
    if reading.passive:
        return "ours" if timed and (reading.verb in HELD or reading.verb in CHANGE) else None
    if reading.verb == "be":
        return (
            "ours"
            if timed and LINK.match(reading.rest) and not TRANSIENT.match(reading.rest)
            else None
        )
    return "ours" if reading.verb in HABITUAL and (timed or group) else None


def _of_name(reading: Reading, timed: bool) -> str | None:
    if reading.tense in (Tense.FUTURE, Tense.GOING_ON):
        leaves = _changes(reading) or reading.verb in {"leave", "start", "join", "go", "come"}
        return "relation" if timed and leaves and not reading.negated else None
    if reading.tense in {Tense.PAST, Tense.PERFECT} and _changes(reading):
        return "relation" if OURS_TOO.search(reading.rest) and not reading.negated else None
    if reading.tense is not Tense.PRESENT or not reading.rest or POINTS.match(reading.rest):
        return None
    if reading.verb == "be":
        if GIVEN_UP.match(reading.rest):
            return None if reading.negated else "decision"
        mine = OF_MINE.match(reading.rest)
        if mine is not None:
            heads = HEADS.match(reading.rest, mine.start("noun")) is not None
            return None if PASSING.match(mine["noun"]) and not heads else "relation"
        if TRANSIENT.match(reading.rest) or reading.negated:
            return None
        known = (
            ROLE.match(reading.rest)
            or STANDING.match(reading.rest)
            or re.match(r"(?:the|our|my|in charge|responsible|based|off) ", reading.rest)
        )
        return "relation" if known or (timed and LINK.match(reading.rest)) else None
    if reading.verb in SPEECH | MENTAL or reading.verb not in HABITUAL:
        return None
    return "relation"


def _of_none(reading: Reading, _timed: bool) -> str | None:
    if reading.rest and _changes(reading) and not POINTS.match(reading.rest):
        return "change"
    return "state" if reading.verb == "base" and reading.rest else None


def _first(rest: str) -> str:
    return rest.split(" ", 1)[0].strip(",.;!").lower()


_BY_SUBJECT: Final = {
    Subject.USER: _of_user,
    Subject.OURS: _of_ours,
    Subject.GROUP: _of_group,
    Subject.NAME: _of_name,
    Subject.NONE: _of_none,
}
