"""Which shape the value behind a cue of a default slot has."""

import re
from typing import Final

from muniment.domain.extraction.values import Shape, shape_of, short_thing, thing, tidy, title
from muniment.domain.extraction.words import CHANNEL, LANGUAGE
from muniment.domain.late import late

TECHNOLOGY: Final = (
    r"(?:python|rust|golang|go|java|javascript|typescript|kotlin|swift|scala|ruby|perl"
    r"|php|c\+\+|c#|haskell|elixir|erlang"
    r"|clojure|julia|matlab|sas|stata|spss|r|sql|plsql|excel|vba|html|css|bash"
    r"|powershell|terraform|ansible|kubernetes"
    r"|docker|git|dbt|spark|pandas|numpy|tableau|power ?bi|looker|figma|photoshop"
    r"|illustrator|autocad|latex|cobol|fortran"
    r"|lua|dart|flutter|react|vue|angular|svelte|django|flask|rails|spring"
    r"|postgres(?:ql)?|mysql|mongodb|redis|kafka|airflow"
    r"|snowflake|bigquery|hadoop|linux|aws|azure|gcp|salesforce|sap|jira|graphql"
    r"|solidity|assembly|prolog|lisp|ocaml|f#"
    r"|f sharp|zig|nim|groovy|sketch|blender|unity|unreal|arduino|labview|qgis|arcgis"
    r"|pytorch|tensorflow|shell|vim|emacs)"
)
_TECHNOLOGY: Final = late(
    r"(?:(?:a|an|some|the|my|in|bit|of|little|lot|basic|good|decent|enough|advanced"
    r"|fluent|both|quite|really|well|pretty|much|only|also) )*"
    rf"(?P<name>{TECHNOLOGY}|{LANGUAGE})(?![\w+#-])",
    re.IGNORECASE,
)
_PROPER = late(
    r"(?:(?:a|an|the|my|our|new|thing|project|app|tool|product|site|service|startup"
    r"|game|called|named|codename|codenamed|code|"
    r"something|little|side|\w+ (?:called|named)|it is|it) )*(?P<called>(?:called"
    r"|named|codenamed|codename) )?"
    r"(?P<name>[A-Z][\w'’-]*(?: (?:[A-Z0-9][\w'’-]*))*|[a-z0-9]+(?:[-_][a-z0-9]+)+)"
)
_CALLED = late(
    r"\b(?:called|named|codenamed?:?"
    r"|code name(?: is)?) (?P<name>[\w'’-]+(?: [A-Z][\w'’-]+)*)",
    re.IGNORECASE,
)
_NOT_HATED = late(
    r"^(?:it|that|this|to|when|how|you|him|her|them|myself|having to|the fact"
    r"|being the|if|what|why|waiting to say)\b",
    re.IGNORECASE,
)
_SPAN = late(
    r"[,.!?();:]+(?=\s|$)|\s(?:but|so|because|since|when|while|if|that|which|at all"
    r"|any ?more|and (?=I\b|we\b|it\b|my\b|prefer)|as|either|too|more than"
    r"|with a passion|even|though)\b",
    re.IGNORECASE,
)


def technology(rest: str) -> str | None:
    """A language, of people or of machines, or a tool."""
    match = _TECHNOLOGY.match(rest)
    return None if match is None else match["name"]


def skill(rest: str) -> str | None:
    """A technology, or another thing that one can be good at."""
    return technology(rest) or short_thing(rest)


def project(rest: str) -> str | None:
    """The name of a project."""
    match = _CALLED.search(rest[:80]) or _PROPER.match(rest)
    if match is None or match["name"].lower() in {"i", "it", "the", "a", "this"}:
        return None
    return tidy(match["name"])


_PROJECT_NAME = late(
    r"(?:the |our |my )?(?P<name>[A-Z][\w'’-]*(?: [A-Z0-9][\w'’-]*){0,2}"
    r"|[a-z0-9]+(?:[-_][a-z0-9]+)+)(?=$|[,.!;:]| )"
)
_NO_PROJECT = late(
    r"(?:I|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February"
    r"|March|April|May|June|July|August|September|October|November|December|English"
    r"|German|French|Europe|Asia|Africa|America|Christmas|Slack|Teams|WhatsApp|CEO|CTO"
    r"|CFO|VP|The|It|This|That|My|Our|We|full-time|part-time|follow-up|check-in"
    r"|well-being|so-called)\b",
    re.IGNORECASE,
)
_CALLED_SMALL = late(r"(?P<name>[a-z][\w-]{2,20})(?=$|[,.!;])")


def project_name(rest: str) -> str | None:
    """A name that is written as names of projects are."""
    match = _PROJECT_NAME.match(rest)
    if match is None or _NO_PROJECT.match(match["name"]) or technology(match["name"]):
        return None
    return tidy(match["name"])


def project_called(rest: str) -> str | None:
    """A name behind "called", in small letters too."""
    match = _CALLED_SMALL.match(rest)
    return project_name(rest) or (None if match is None else match["name"])


def disliked(rest: str) -> str | None:
    """What somebody does not like: a thing, or doing it."""
    if _NOT_HATED.match(rest):
        return None
    stop = _SPAN.search(rest)
    head = tidy(rest if stop is None else rest[: stop.start()])
    head = re.sub(
        r"^(?:the|a|an|any|all|that|those|these|how|having|your|my|taste of|smell of"
        r"|sound of|the (?:taste|smell|sound|sight|texture) of|sight of) ",
        "",
        head,
        flags=re.IGNORECASE,
    )
    words = head.split()
    return head if 0 < len(words) <= 6 and (words[0].endswith("ing") or thing(head)) else None


def allergen(rest: str) -> str | None:
    """What somebody is allergic to."""
    found = short_thing(
        re.sub(
            r"^(?:any|all|most|some|a|an|the|certain|every|basically|both|raw)\s+(?:kinds? of "
            r"|sorts? of |types? of )?",
            "",
            rest,
            flags=re.IGNORECASE,
        )
    )
    if found is None or _NO_ALLERGEN.search(found) or _NO_SUBSTANCE.search(found):
        return None
    if re.fullmatch(rf"(?!latex|cocoa|rust){TECHNOLOGY}", found, re.IGNORECASE):
        return None
    return found


_NO_SUBSTANCE = late(
    r"^(?!herring|whiting|pudding|dressing|bedding|stuffing|icing|seasoning|filling"
    r"|lacing)\w+ing\b"
    r"|\b(?:daily|weekly|monthly|mondays?|mornings?|evenings?|reviews?|reports?|meetings?|works?"
    r"|spreadsheets?|slides?|emails?|mails?|calls?|people|rules|change|plans?|jira|excel"
    r"|powerpoint"
    r"|deadlines?|bullshit|nonsense|jargon|small talk|stupidity|chart|charts|graphs?|numbers)$",
    re.IGNORECASE,
)
"""Of what nobody's body takes harm, though it is said in fun."""


_NO_ALLERGEN = late(
    r"\b(?:people|work|mornings?|mondays?|meetings?|bullshit|nonsense|stupidity"
    r"|deadlines?|powerpoint|slides?|small talk|bad code"
    r"|jargon|buzzwords|fools|food|allerg\w+|severe|serious|bad|strong|slight|nasty"
    r"|mild|terrible|known|an?|emails?|javascript|excel|exercise|ties|effort|it)\b",
    re.IGNORECASE,
)


NOT_A_PET: Final = late(
    r"(?:OMG|Yeah|Yes|No|Nope|His|Her|She|He|Its|It|They|Their|The|This"
    r"|That|These|Those|Wow|Aww+|Oh|Haha|Hey|Hi|Thanks"
    r"|So|And|But|Also|Sure|I|We|My|Our|What|Not|Name|Both|All|Just|Well"
    r"|Okay|OK|Meet|About|When|If|Only|Now|Since"
    r"|One|Two|Three|Four|For|With|In|On|At|Yep)\b"
)


def pet_name(rest: str) -> str | None:
    """The name of an animal."""
    match = re.match(r"(?:called |named )?([A-Z][\w'’-]+)", rest)
    return None if match is None or NOT_A_PET.match(match[1]) else match[1]


def channel_preferred(rest: str) -> str | None:
    """A way to reach somebody, where nothing else is said to be preferred of it."""
    match = re.match(
        r"(?:(?:by|my|via|to be (?:reached|contacted) (?:by|on|via|over)"
        rf"|using) )*(?P<name>{CHANNEL})(?=[,.!]|$| (?:for|over|to|rather|any|than|always"
        r"|please|when|as|instead|if|and not)\b)",
        rest,
        re.IGNORECASE,
    )
    return None if match is None else match["name"]


def _any_title(rest: str) -> str | None:
    """A title, or whatever one is said to work as."""
    found = title(rest) or short_thing(rest)
    return None if found is None or re.match(r"(?:part|expected|usual|well)\b", found) else found


_BY_CUE: Final[dict[tuple[str, str], Shape]] = {
    ("skill", "know *"): technology,
    ("role", "work as *"): _any_title,
    ("role", "be working as *"): _any_title,
    ("role", "start as *"): _any_title,
    ("role", "be promoted to *"): _any_title,
    ("contact_channel", "prefer *"): channel_preferred,
}
_BY_SLOT: Final[dict[str, Shape]] = {
    "skill": skill,
    "project": project,
    "dislike": disliked,
    "allergy": allergen,
    "pet": pet_name,
}


def shape_for(slot: str, cue: str, value_type: str) -> Shape:
    """How the value behind this cue of this slot is found."""
    return _BY_CUE.get((slot, cue)) or _BY_SLOT.get(slot) or shape_of(slot, value_type)
