"""Who speaks and what they are, where it is no sentence: "Dee here, analytics at Halfpint"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.people import NOT_A_NAME
from muniment.domain.extraction.values import ZONE, organisation, tidy, title
from muniment.domain.extraction.words import ROLE_HEAD, TITLED_NAME
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

_HELLO = (
    r"(?:(?:hi+|hello+|hey+|heya|hiya|yo|good (?:morning|afternoon|evening|day)|morning|evening"
    r"|afternoon|arvo"
    r"|greetings|so+|ok|okay|well|right|salam|aloha|hola|bonjour|ciao|g'day|sup|there|all|again"
    r"|everyone"
    r"|oh|and|btw|just so you know|by the way|for the record)\b[ ,.!:]*)*"
)
_FULL_NAME: Final = late(
    rf"^(?i:{_HELLO})(?:.{{0,40}}?\b(?i:intro|introduction|introduce myself)[:,] |)(?:(?i:my "
    rf"|the )?(?i:names?|name is|name's)(?i: is)? (?P<a>{TITLED_NAME})"
    rf"|(?i:I am|it is|this is|me is|they call me|everybody calls me|everyone calls me|people "
    rf"call me|call me"
    rf"|you can call me|you may call me|I go by) (?P<b>{TITLED_NAME})"
    rf"|(?P<c>{TITLED_NAME}|[a-z]{{2,12}}) (?i:here|speaking|this side|on this side|on the line|at "
    rf"your service|again)"
    rf"|(?P<d>{TITLED_NAME})(?=,))(?=[,.;!:]|$| (?i:and|from|at|with|of|over|in|is|here)\b)",
)
_SMALL_NAME: Final = late(
    r"^(?:hi+|hey+|hello+|heya|hiya|yo|sup)[ ,!]+(?:it is|its|it's|I am|this is) "
    r"(?P<v>[a-z]{3,12})[.!,]*$"
)
_OWN_NAME: Final = late(
    r"^(?:hi+|hey+|hello+|yo|so|ok|and|well|morning|evening|[ ,!])*(?:it is|I am|this is|my name is"
    r"|name is) (?P<v>[a-z]{2,14})(?=[,.!]|$| (?:and|from|here|again|by the way|btw)\b)"
)
_NO_FIRST: Final = late(
    r"(?:from|somebody|someone|nobody|everybody|till|until|since|before|after|where|when|proud"
    r"|still|over|not|sorry|same|all|works?|here|me|this|that|back|nothing|everything|we"
    r"|they|it|what"
    r"|no|yes|ok|thanks|update|news|dad|mum|mom|user|one|new|just|only|also|team|boss|he|she|you"
    r"|stuff|up"
    r"|bravo|brilliant|grand|good|great|nice|well|god|man|hm+|nah|school|half|registering|again"
    r"|right|out|rule|once|never)$",
    re.IGNORECASE,
)
_WHERE = r"(?:over at|out of|at|with|for|from|of|in|@)"
_POSITION: Final = late(
    rf"^(?:(?:and|also|now|currently|the|a|an|your|our|I am|I am the|I am an?|working as|working"
    rf"|been|still"
    rf"|the new|new) )*(?P<role>(?:[\w/&+'’-]+ ){{0,4}}?{ROLE_HEAD}|retired [a-z]+)(?P<of> of "
    rf"[\w' -]{{2,30}}?)?"
    rf"(?:,? (?P<where>{_WHERE}) (?:the )?(?P<org>\S.*))?$",
    re.IGNORECASE,
)
_FIELD: Final = late(
    r"^(?:(?:and|also|the|doing|in|I do|I do the|I run|running) )*(?P<field>[a-z][\w &/-]{1,40}?) "
    r"(?P<where>over at|at|with|for|@) (?:the )?(?P<org>(?-i:[A-ZÀ-Þ]\S*.*|[a-z]+$))$",
    re.IGNORECASE,
)
_NOBODY: Final = word_set(
    "anybody nobody somebody everybody anyone someone everyone life work money love"
)
_VERBS: Final = late(
    r"\b(?:I|we|is|are|was|were|starts?|has|have|does|do not|will|can|goes|the twins|he|she|they"
    r"|it|does not|stays?|on"
    r"|my|our|his|her)\b",
    re.IGNORECASE,
)
_SINCE_ROLE: Final = late(
    rf"^(?:(?:so|and|also|now|the|a|an|been|new|officially|I am|promoted to) )*"
    rf"(?P<role>(?:(?!I\b|we\b|my\b|our\b|the\b|is\b"
    rf"|has\b)[\w/&+'’-]+ ){{0,3}}?{ROLE_HEAD})[.!]*$",
    re.IGNORECASE,
)
_ONLY_ROLE: Final = late(
    rf"^(?:an? |the |as )?(?P<role>(?:[\w/&+'’-]+ ){{0,3}}?{ROLE_HEAD})(?:, me)?[.!]*$",
    re.IGNORECASE,
)


def introductions(
    sentences: Sequence[Sentence], speaker: str | None, *, answering: bool
) -> Iterator[Found]:
    """The name, role and employer of one who introduces themselves in the first sentences."""
    if answering:
        return
    small = _SMALL_NAME.match(sentences[0].text) if sentences else None
    if (
        small is not None
        and not _NO_FIRST.match(small["v"])
        and (speaker or small["v"]) == small["v"]
    ):
        yield Found(sentences[0].clauses[0], "intro.small", "name", small["v"])
        return
    own = _OWN_NAME.match(sentences[0].text) if sentences and speaker else None
    if own is not None and own["v"] in (speaker or "").casefold().split():
        yield Found(sentences[0].clauses[0], "intro.small", "name", own["v"])
        return
    for sentence in sentences[:2]:
        if not sentence.clauses or not sentence.clauses[0].meant or sentence.text.endswith("?"):
            continue
        match = _FULL_NAME.match(sentence.text)
        if match is None:
            continue
        name = next(one for one in match.group("a", "b", "c", "d") if one)
        rest = sentence.text[match.end() :].strip(" ,.;!:")
        parts = [*_parts(rest, sentences, sentence)]
        if not _is_name(name, match, speaker, rest, parts):
            continue
        yield Found(sentence.clauses[0], "intro.name", "name", tidy(name))
        for part in parts:
            given = [*positions(part, sentence.clauses[0])]
            yield from given
            if given and any(one.slot == "role" for one in given):
                break
        return


def _parts(rest: str, sentences: Sequence[Sentence], sentence: Sentence) -> Iterator[str]:
    yield from (
        part.strip(" .!") for part in re.split(r"[,;:]\s+|\s[-–—]\s", rest) if part.strip(" .!")
    )
    at = sentences.index(sentence)
    if (
        not rest
        and len(sentence.text.split()) <= 6
        and at + 1 < len(sentences)
        and sentences[at + 1].meant
    ):
        yield from (part.strip(" .!") for part in re.split(r",\s+", sentences[at + 1].text)[:2])


def _is_name(
    name: str, match: re.Match[str], speaker: str | None, rest: str, parts: Sequence[str]
) -> bool:
    bare = re.sub(r"^(?:Dr|Mr|Mrs|Ms|Prof)\.? ", "", name)
    if (
        bare.endswith("ing")
        or NOT_A_NAME.match(bare)
        or _NO_FIRST.match(bare)
        or re.fullmatch(ROLE_HEAD, bare, re.IGNORECASE)
    ):
        return False
    if rest.startswith(("born", "through and through")):
        return False
    known = speaker is not None and bool(
        set(bare.casefold().split()) & set(speaker.casefold().split())
    )
    if known:
        return True
    if speaker is not None and match["b"] is None:
        return False
    said_as_job = any(
        _POSITION.match(part)
        or (
            len(part.split()) <= 9
            and not _VERBS.search(part)
            and (field := _FIELD.match(part)) is not None
            and _org(field["org"]) is not None
        )
        for part in parts[:2]
    )
    greeted = (
        match.group()
        .lstrip()
        .lower()
        .startswith(("good ", "hi", "hello", "hey", "morning", "dear"))
    )
    if match["d"] and greeted and len(bare.split()) == 2 and rest and not _VERBS.match(rest):
        return True
    if match["d"] and "intro" in match.group().lower():
        return True
    if match["d"]:
        if name == rest or not (parts and (" " in bare or rest)):
            return False
        return said_as_job or (
            " " in bare and re.match(r"I (?!suppose|guess|think|know)\w+ ", rest) is not None
        )
    if match["c"]:
        return said_as_job or not name.islower()
    return said_as_job or re.search(r"\b(?:it|this) is ", match.group(), re.IGNORECASE) is None


def positions(part: str, clause: Clause) -> Iterator[Found]:
    """The role and the employer in a few words: "data analyst with Liffey Buses"."""
    match = _POSITION.match(part)
    if match is not None:
        role = (
            match["role"] if match["role"].lower().startswith("retired ") else title(match["role"])
        )
        if role is not None:
            yield Found(clause, "intro.role", "role", tidy(role), changes=True)
            org = _org(match["org"]) if match["org"] else None
            if org is None and match["of"]:
                inner = re.search(rf" {_WHERE} (?:the )?(?P<org>[A-ZÀ-Þ].*)", part)
                org = None if inner is None else _org(inner["org"])
            if org is not None:
                yield Found(clause, "intro.employer", "employer", org, changes=True)
        return
    field = _FIELD.match(part) if len(part.split()) <= 9 and not _VERBS.search(part) else None
    if field is not None and (org := _org(field["org"])) is not None:
        yield Found(clause, "intro.employer", "employer", org, changes=True)


def _org(text: str) -> str | None:
    found = organisation(text)
    if (
        found is None
        or found.lower() in _NOBODY
        or ZONE.fullmatch(found)
        or re.match(r"[A-Z]{3} ?\d", text)
    ):
        return None
    return found


def roles_in_passing(sentences: Sequence[Sentence], taken: Sequence[Found]) -> Iterator[Found]:
    """A role alone: "pricing analyst since the 5th", or "Manager!" beside a new employer."""
    if any(one.slot == "role" for one in taken):
        return
    joined = any(one.slot == "employer" and not one.retracts for one in taken)
    for sentence in sentences:
        for clause in sentence.clauses:
            if not clause.stated or clause.text.endswith("?"):
                continue
            if any(one.part == "from" for one in clause.dates):
                last = clause.text.rsplit(", ", 1)[-1]
                match = _SINCE_ROLE.match(last)
                role = None if match is None else title(match["role"])
                if role is not None and tidy(last).lower().endswith(role.lower()):
                    yield Found(clause, "role.since", "role", role, changes=True)
                    return
        if joined and len(sentence.text.split()) <= 5 and sentence.meant:
            only = _ONLY_ROLE.match(sentence.text)
            role = None if only is None else title(only["role"])
            if role is not None:
                dated = next((one for one in taken if one.slot == "employer"), None)
                clause = sentence.clauses[0] if dated is None else dated.clause
                yield replace(Found(clause, "role.only", "role", role), changes=True)
                return
