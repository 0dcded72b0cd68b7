"""Standing instructions: orders and polite questions that hold beyond the one occasion."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from muniment.domain.gate.forms import (
    CODE_LANGUAGES,
    FORM_PHRASES,
    FORMATS,
    LANGUAGES,
    MANNERLY,
    MANNERS,
    MEASURES,
    OUTPUT,
    OUTPUTS,
    SPOKEN,
    UNITS,
)
from muniment.domain.gate.tokens import MAX_READ, read, word_set
from muniment.domain.late import late


def _any(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(words)) + ")"


# What is quoted, and a title that begins with such a word, is spoken of and orders nothing.
_MENTION: Final = late(
    r"\"[^\"]*\"|“[^”]*”|(?<!\w)['‘][^'’]+['’](?!\w)"
    r"|(?<!^)\b(?:Always|Never|Every|Each|All|Any|Stop|Whenever)(?: [A-Z][a-z]+)+"
    r"|^(?:Always|Never|Every|Each|All|Any|Stop|Whenever)(?: [A-Z][a-z]+){2,}"
)
_TIME = (
    r"(?:from (?:now|here|this point) on(?:wards?)?|henceforth|(?:going|moving) forward"
    r"|in (?:the )?future|by default|as (?:a|the) (?:rule|default|standard)|at all times"
    r"|in general|next time|(?:every|each|any) (?:single )?time|whenever|all the time"
    r"|(?:when|if) (?:i (?:ask|request|mention|send)|you (?:write|draft|answer|reply|respond|make"
    r"|give|show|create|generate|send|use|summari[sz]e|translate|recommend|suggest|mention|list"
    r"|report|quote|explain|email|cite|build|compose|format|refer)))"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PERIOD: Final = late(
    r"(?<! for)(?<! of) (?:(?:every|each) (?:single |other )?(?:day|night|morning|afternoon"
    rf"|evening|week|weekend|month|quarter|year|hour|{_DAY})|on (?:{_DAY}s|weekdays|weekends)"
    r"|(?:daily|weekly|monthly)(?= $| please | at | to )) "
)
_COURTESIES = (
    r"(?:please|kindly|just|also|maybe|perhaps|possibly|and|but|so|then|now|well|actually|oh|ok"
    r"|okay|no|yes|sure|hey|hi|hello|thanks|thank you)"
)
_FRAME = (
    r"(?:(?:do|would) you mind|(?:can|could|would|will) (?:you|u|we)|(?:is|would) it (?:be )?"
    r"possible to|i (?:want|need|would like|would love|would prefer) you to"
    r"|you (?:should|must|have to|need to)|(?:may|might|can|could) i ask you to"
    r"|(?:can|could|may) i(?= (?:have|get) ))"
)
_ADVERBS = (
    rf"(?P<adverbs>(?:(?:please|kindly|just|also|maybe|perhaps|possibly|always|never|not|only"
    rf"|(?:make sure|be sure|try|remember)(?: that)?(?: you| to)?|be so kind as to|{_TIME}) )*)"
)
_ORDER: Final = late(
    rf"^ (?:{_COURTESIES} )*(?P<before>(?:{_TIME} )*)(?:\S+ )*?(?P<frame>{_FRAME}) {_ADVERBS}"
    r"(?P<verb>\S+) (?P<rest>.*)$"
)
_COMMAND: Final = late(
    rf"^ (?:{_COURTESIES} )*(?P<before>(?:{_TIME} )*)(?P<frame>){_ADVERBS}"
    r"(?P<verb>\S+) (?P<rest>.*)$"
)
_ASKED: Final = late(
    rf"^ (?:{_COURTESIES} )*(?:what|who|whose|whom|which|where|why|how|do you (?!mind )|did|does"
    r"|when (?!i |you ))"
)
_VERBS = word_set(
    """
    tell explain describe translate summarise summarize show give list write compose draft suggest
    recommend say spell read calculate convert count name outline continue answer make create
    generate build check fix edit go help think pick choose share sort send keep start stop use
    quote display reply respond speak talk switch stick stay print report state express present
    put add include cite mention format round call address sign begin end finish cc copy prefer
    exclude omit skip avoid ask remind email post update run back archive
    sync ping schedule book order confirm verify label tag measure
    price phrase word
    """
)
_MENTAL = word_set(
    "see hear get have trust believe know feel expect rely afford win find eat buy say remember "
    "understand tell think go come wait love like live swim do"
)
"""Verbs of which "can you always" and "can you not" ask whether one is able to."""
_OPINIONS = word_set("recommend suggest advise choose pick want prefer")
"""Verbs of which "would you" asks what one thinks."""
_SKILLS = _MENTAL | word_set("read speak talk spell count calculate fix")
_PERSONAL = word_set("use go try start stop keep read think stay speak talk")
"""Verbs of what anybody does every day."""
_NO_ORDER: Final = late(
    r"(?:mind|say|been|had|have|was|were|seen|heard|thought|knew|wanted|loved|liked|felt|did|a|an"
    r"|the|in|so|on|at|with|good|great|nice|happy|glad|fun|better|this|i|you|we|he|she|they|it"
    r"|\S+ed|\S+ing)"
)
_TOPIC: Final = late(
    r" (?:what|who|whose|whom|which|where|why|how|that|whether|about|because|called|titled"
    r"|(?:poem|story|song|joke|essay|novel|life|cities) (?:in|on|of)) .*$"
)
_OF_TOPICS = word_set("explain describe tell define discuss imagine predict list")
_RECURS: Final = late(
    rf" (?:{_TIME}|(?:every|each|any)(?: \S+)? {_any(OUTPUT)}"
    rf"|(?:in|to|on|with|at the \S+ of) all(?: of)?(?: my| your| our)? (?:\S+ )?{_any(OUTPUTS)}"
    rf"|(?:all|any) (?:\S+ )?{_any(OUTPUTS)} (?:to|as|by|with|without|in)) "
)
_EACH_WAY: Final = late(r"(?: |^)(?:always|never) (?:in|with|to|as|by|using|on|from) ")
_EACH_LAST: Final = late(r" (?!(?:for|of|with|word|about) )\S+ (?:always|never) (?:please )?$")
_LOOKING = word_set(
    "find search look list count show read check compare give tell explain describe"
)
_CHEER: Final = late(r"^(?:give|keep) (?:up|it up|going) ")
_NO_HABIT = word_set(
    "anything something nothing everything morning evening string thing king spring ring wing "
    "ceiling building"
)
_NO_MORE: Final = late(
    rf"^ (?:{_COURTESIES} )*no more (?:\S+ing |(?:\S+ )?{_any(FORMATS | OUTPUTS)} )"
    r"| no (?:\S+ ){1,2}ever (?:please )?$"
)
_ONCE: Final = late(
    r" (?:this|that|these|those|it|here|today|below|above|following|once|for now"
    r"|one|two|three|\d+(?! hour)) "
)
_NAMED = _any(LANGUAGES | CODE_LANGUAGES | UNITS | FORMATS)
_FORM = (
    rf"(?:(?:the |a |an )?(?:\S+ )?{_NAMED}(?: (?:spelling|english|system|units?|format|points"
    rf"|lists|tables|style|time|notation|and \S+))*|{FORM_PHRASES})"
)
_END = (
    r"(?: (?:please|instead|with me|to me|for me|for us|and|not|rather|only|thanks|when|whenever"
    rf"|in your|for (?:all |your |the )?(?:\S+ )?{_any(OUTPUTS)}|for (?:all|everything))\b.*| ?)$"
)
_QUALIFIED = r"(?:(?!(?:the|a|an|some|his|her|their) )\S+ )?"
_GENERAL = (
    rf"(?:me |us )?(?:{_QUALIFIED}{_any(SPOKEN)}"
    rf"|(?:(?:all|any|your|my|our) )+(?:of )?{_QUALIFIED}{_any(OUTPUTS)})"
)
_EVERY = rf"(?:me |us )?(?:every|each) (?:\S+ )?{_any(OUTPUT)}"
_THINGS = r"(?:me |us )?(?:things|everything|stuff)"
_IN_FORM: Final = late(
    rf"^(?:{_GENERAL} |{_EVERY} |{_THINGS} |(?:to )?(?:me|us) |)(?:back )?(?:only )?"
    rf"(?:in|to|as|with|using) {_FORM}{_END}"
)
_OBJECT_FORM: Final = late(rf"^(?:in |with |to |using )?{_FORM}{_END}")
_BARE_FORM: Final = late(r"^(?:back )?(?:only )?(?:in|with|as|using|to) ")
_YOURS: Final = late(rf"^(?:all )?(?:of )?your (?:\S+ )?{_any(OUTPUTS)} ")
_IN_YOURS: Final = late(rf" in (?:all )?(?:of )?your (?:\S+ )?{_any(OUTPUTS)} ")
_BE_SO: Final = late(
    rf"^ (?:{_COURTESIES} )*(?:can|could|should) (?:{_GENERAL}|everything) (?:please )?be "
    rf"(?:in {_FORM}{_END}|(?:a bit |more |less )?{_any(MANNERS)} (?:please )?$)"
)
_MANNERED: Final = late(
    rf"^{_THINGS} {_any(MANNERLY)} "
    rf"|^(?:me |us )?(?:(?:less|more|fewer) \S+ |{_any(MANNERS)} ){_any(SPOKEN - MEASURES)} "
    rf"|^{_any(SPOKEN - MEASURES)} (?:\S+ )?{_any(MANNERS)} "
)
_ADDED: Final = late(
    rf"^(?:me |us )?{_QUALIFIED}{_any(MEASURES | {'code', 'docs', 'answers', 'replies'})} "
    r"(?:with|without|including|excluding|before|after|per) "
)
_ADDRESS: Final = late(
    r"^(?:refer to me (?:as|by)|address me|call me (?!(?:back|later|tomorrow|a|an|at|on|when|in|if"
    r"|now|today|tonight|please|for|about|to) )\S+) "
)
_MANNER: Final = late(
    rf"^(?:(?:a|bit|little|more|less|very|much|as|always|really) )*{_any(MANNERS)}"
    r"(?: (?:please|with me|and \S+|than \S+|as possible))* $"
)
_REPLYING = word_set("answer reply respond write speak talk continue")
_SHAPING = _REPLYING | word_set(
    """
    say show give have get list quote display convert print report state express present put explain
    format measure price phrase word send make keep translate spell draft round
    """
)
_USING = word_set("use prefer adopt switch stick stay default change go")
_REMAKING = word_set("make keep write give format limit")


@dataclass(frozen=True, slots=True)
class _Told:
    before: str
    frame: str
    adverbs: tuple[str, ...]
    verb: str
    rest: str
    """What follows the verb, a space behind it."""

    @property
    def polite(self) -> bool:
        return bool(self.frame)


def is_standing(sentence: str) -> bool:
    """Whether a sentence orders, or politely asks for, what is to be done every time, the end of
    a habit, or a form, unit or language of answers in general.
    """
    line = read(_MENTION.sub(" this ", sentence[:MAX_READ])).line
    if _ASKED.search(line):
        return False
    if _NO_MORE.search(line) or _BE_SO.search(line):
        return True
    told = _told(line)
    return told is not None and (_every_time(told) or _ends_habit(told) or _in_general(told))


def _told(line: str) -> _Told | None:
    match = _ORDER.match(line) or _COMMAND.match(line)
    if match is None:
        return None
    before, adverbs = match["before"], tuple(match["adverbs"].split())
    verb = _plain(match["verb"]) if match["frame"].endswith("mind") else match["verb"]
    told = _Told(before, match["frame"], adverbs, verb, match["rest"])
    if told.polite or told.verb in _VERBS:
        return told
    each = bool({"always", "never"} & set(adverbs))
    return told if each and not _NO_ORDER.fullmatch(told.verb) else None


def _plain(verb: str) -> str:
    """The verb of an "ing" form, where it is a known one."""
    stem = verb.removesuffix("ing")
    return next((each for each in (stem, f"{stem}e", stem[:-1]) if each in _VERBS), verb)


def _every_time(told: _Told) -> bool:
    unlikely = told.verb in _MENTAL and not told.frame.startswith("would it")
    if told.frame == "would you" and told.verb in _OPINIONS:
        unlikely = True
    if _CHEER.match(f"{told.verb} {told.rest}"):
        return False
    if {"always", "never"} & set(told.adverbs):
        return not unlikely and (told.verb != "be" or _MANNER.match(told.rest) is not None)
    if re.search(rf" {_TIME} ", f" {told.before}{' '.join(told.adverbs)} "):
        return True
    rest = _TOPIC.sub(" ", f" {told.rest}")
    return not unlikely and (_recurs(told.verb, rest) or _each(told.verb, rest))


def _recurs(verb: str, rest: str) -> bool:
    if _PERIOD.search(rest) and verb in _VERBS - _PERSONAL - _OF_TOPICS:
        return True
    if _RECURS.search(f" {verb}{rest}") is None:
        return False
    return verb not in _LOOKING or re.search(rf" {_TIME} ", rest) is not None


def _each(verb: str, rest: str) -> bool:
    """Whether "always" or "never" stands behind the verb and belongs to it."""
    if _EACH_WAY.search(rest):
        return True
    return verb not in _OF_TOPICS and _EACH_LAST.search(rest) is not None


def _ends_habit(told: _Told) -> bool:
    first, _, rest = told.rest.partition(" ")
    if told.verb in {"stop", "quit", "cease"}:
        return first.endswith("ing") and first not in _NO_HABIT
    if told.verb == "avoid":
        return _plain(first) in _VERBS or bool(FORMATS & {first, rest.partition(" ")[0]})
    if told.verb == "refrain":
        return first == "from"
    if "not" not in told.adverbs or not told.polite or told.verb not in _VERBS - _SKILLS:
        return False
    return _ONCE.search(f" {told.rest}") is None


def _in_general(told: _Told) -> bool:
    rest = told.rest
    if _ADDRESS.match(f"{told.verb} {rest}"):
        return True
    if (_YOURS.match(rest) and told.verb in _REMAKING) or _IN_YOURS.search(f" {rest}"):
        return True
    if told.verb == "be":
        return _MANNER.match(rest) is not None
    if _ONCE.search(f" {rest}"):
        return False
    if told.verb in _USING or (told.verb in {"speak", "talk"} and _insists(told)):
        return _OBJECT_FORM.match(rest) is not None
    return told.verb in _SHAPING and _shapes(told.verb, rest)


def _insists(told: _Told) -> bool:
    """Whether it is no question about what the listener is able to do."""
    return not told.polite or "please" in told.adverbs


def _shapes(verb: str, rest: str) -> bool:
    if _MANNERED.match(rest) or _ADDED.match(rest):
        return True
    objectless = _BARE_FORM.match(rest) is not None
    return (not objectless or verb in _REPLYING) and _IN_FORM.match(rest) is not None
