"""Signs by which a person's turn to an assistant is told to be lasting or of the moment."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from muniment.domain.gate import phrases as phrases
from muniment.domain.gate import register as register
from muniment.domain.gate.offhand import LASTING
from muniment.domain.gate.questions import is_question
from muniment.domain.gate.signwords import CLASSES, COMMON, ORDERS, VERBS
from muniment.domain.gate.tokens import MAX_READ, Words, read, word_set
from muniment.domain.gate.writing import write_out
from muniment.domain.late import late

_CLASSES_OF: dict[str, tuple[str, ...]] = {}
for _name, _words in CLASSES.items():
    for _word in _words:
        _CLASSES_OF[_word] = (*_CLASSES_OF.get(_word, ()), f"word.{_name}")
for _word in COMMON:
    _CLASSES_OF[_word] = (*_CLASSES_OF.get(_word, ()), f"the.{_word}")

_HABITS = "|".join(sorted(CLASSES["habit"]))
_CHANGES = "|".join(sorted(CLASSES["change"]))
_DAYS = (
    r"(?:\d+|[a-z]*day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|now|tomorrow|today"
    r"|midnight|yesterday|week|month|year)"
)
_LEADS = r"(?:(?:and|but|so|then|well|ah|now) )*+"
_FORMS: Final = {
    name: late(pattern)
    for name, pattern in {
        "i_am": r" (?:i am|we are|i was|myself) ",
        "i_am_at": r" (?:i am|we are) (?:in|at|on|with|from|based|back|off|away|out|over|called"
        r"|not|now|still|the|a|an) ",
        "i_have": r" (?:i|we) (?:have|had|got|own|keep) ",
        "i_do": rf" (?:i|we) (?:\S+ )?(?:{_HABITS}) ",
        "i_changed": rf" (?:i|we|they|my \S+|our \S+) (?:\S+ ){{0,2}}?(?:{_CHANGES}) ",
        "i_will": r" (?:i|we) (?:will|shall|am going to|are going to|plan|intend) ",
        "i_do_not": r" (?:i|we) (?:can not|could not|do not|will not|never|am not|are not|have not"
        r"|did not) ",
        "i_think": r" i (?:think|guess|hope|bet|swear|wonder|suppose|imagine|know|see|mean|feel"
        r"|need|want|wish) ",
        "can_not_bear": r" (?:can|could|will|do) not (?:stand|eat|bear|abide|drink|touch|have"
        r"|tolerate|do|take|like|pick|read|work|sell|want) ",
        "mine_is": r" (?:mine|me) (?:is|are|i) | me (?:you|u) ",
        "is_not": r" (?:is|are|am|do|does|did|was|were|will|can|have|has|had|should|must) not ",
        "is_at": r" (?:is|are) (?:a|an|the|in|at|on|from|now|by|for) ",
        "no_thing": r" no [a-z]+ ",
        "not_thing": r" not (?!sure|really|yet|even|bad|so|that|too|quite)[a-z0-9]+ ",
        "do_not": r"(?:^ |(?:please|just|and|so|but|also|kindly|you) )(?:do not|never|stop|avoid"
        r"|skip|exclude|leave|keep|use|drop|strike|take|put|make|write|send|call|treat|round"
        r"|always|forget|scratch|cancel|switch|note|remember|mind|remind|mark|count|sign"
        r"|address) ",
        "from_day": r" (?:from|since|until|till|by|before|after|starting|effective|as of|through"
        rf"|to|on|for) (?:the |next |last |this |coming |end of )*+{_DAYS} ",
        "no_more": r" (?:used to|no longer|any more|anymore|not any|any longer|for good|so far"
        r"|these days|nowadays|by choice|at the moment|right now) ",
        "when_you": r" (?:when|whenever|before|if|for anything|anything|everything|all) (?:you|i"
        r"|we|in|that|with) ",
        "is_called": r" (?:named|called|goes by|answers to|name is|is the name) ",
        "he": rf"^ {_LEADS}(?:he|she|they) ",
        "it": rf"^ {_LEADS}(?:it|that|this|these|those|there) ",
        "so": r"^ (?:so|then|well|now) ",
        "and": r"^ (?:and|also|oh and|plus|but) ",
        "no": r"^ (?:(?:oh|ah|ha|haha|but|and) )*+(?:no|nope|nah|not|wrong|never) ",
        "order": r"^ (?:(?:ok|okay|now|then|and|so|please|great|good|nice|right|just|also|can|could"
        rf"|you|let us|first) )*+(?:{'|'.join(sorted(ORDERS))}) ",
        "please": r" (?:please|thanks|again|go|then|now) $",
        "would": r" (?:would|could|might) ",
        "if": r" if ",
        "reported": r" (?:says?|said|thinks?|reckons?|claims?|wants|asks?|wonders?|told|wrote) ",
        "actually": r" (?:actually|rather|in fact|to be precise|strictly|meaning|i mean|i meant) ",
        "so_much": r" (?:so much|how \S+|what an?|such an?|as if|like an?|of my life|in my life"
        r"|yes yes|of course|as usual|as always|as per usual) ",
        "for_me": r" (?:for|to|with|by|on) (?:me|us) ",
        "does_it": r" (?:do|does|did|is|are|was|can|could|should|would|will|has|have) (?:i|we|it|he"
        r"|she|they|that|this|there|anybody|somebody|anyone|you|the|a) ",
        "he_did": r" (?:he|she|they|it|nobody|somebody|everyone|the \S+|my \S+) (?:\S+ )?(?:was"
        r"|were|had|did|went|came|said|got|took|made|gave|told|\S{2,}ed) ",
        "about_you": r" (?:you are|are you|you have|you can|you do|you did|you were|you sound"
        r"|you know|tell you|told you|ask you|thank you) ",
        "there_is": r" (?:here is|this is|there is|there are) ",
        "too": r" too [a-z]+ ",
        "instead": r" (?:in place of|instead of|rather than|in favour of|over to|up to|down to"
        r"|out of|back to|no more) ",
        "goes_at": r" (?:goes|go|going|moves|sits|lives|runs|belongs|sit|live|run) (?:to|by|in|at"
        r"|on|with|from|over) ",
        "let_us": r" let us ",
        "asks_first": rf"^ {_LEADS}(?:(?:is|are|does|did) (?!not )\S+ \S+ "
        r"|(?:was|were|do|has|have|can|could|should|will) (?:the|my|our|a|an|any|i|we|he|she|it"
        r"|they|that|this|there|[a-z]+days?) \S+ )",
    }.items()
}
_MARKS: Final = {
    name: late(pattern, re.IGNORECASE)
    for name, pattern in {
        "identifier": r"\b[a-z0-9]+_[a-z0-9_]+\b|\b[a-z]+-[a-z]+-\d\b|#\w+|\b\w+\.\w{2,}\b",
        "number": r"\d",
        "money": r"[$€£¥] ?\d|\d ?(?:%|percent|euros?|dollars?|usd|eur|gbp|pounds|[$€£])",
        "time": r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]m\b",
        "ordinal": r"\b\d{1,2}(?:st|nd|rd|th)\b|\bthe \d+\b",
        "log": r"\d{4}-\d\d-\d\dT|\w+=\S+",
        "colon": r":",
    }.items()
}
_WHOLE_MARKS: Final = {
    name: late(pattern, re.IGNORECASE | re.MULTILINE)
    for name, pattern in {
        "quote": r"[\"“”]|^>|```",
        "laugh": r"\ba?(?:ha){2,}h?\b|\b(?:lol|lmao|rofl|lmfao|jk|hehe)\b"
        r"|[😂🤣😜😝🙃😆😹🙈😅😄😀]",
        "asks": r"\?",
        "asks_last": r"\?\s*\Z",
        "exclaims": r"!",
        "shouts": r"(?-i:[a-z],? (?:[A-Z]{3,}|AM|IS|SO|NO)\b(?! [A-Z]{2}))",
        "owner": r"\w['’]s \w+",
    }.items()
}
_SOMEONE: Final = late(
    r"(?:(?:and|also|but|oh|so|ok|okay|yes|no|right),? )*+"
    r"(?!(?:It|That|This|There|He|She|What|Who|Where|How|When|Why|I|Here|Nobody|Everybody|Everyone"
    r"|Everything|Nothing|Something|Somebody|Today|Tomorrow|Tonight|The|My|Our|Your|Which|One)\b)"
    r"(?:(?:Mrs?|Ms|Dr|Miss|Sir)\.? )?[A-Z][\w-]+(?:(?: (?:and )?[A-Z][\w-]+)?(?:'s|’s)?"
    r" (?:is|are|was|has|have|had|does|did|do|only|still|now|always|never|will|won't|can|can't"
    r"|\w{2,}s|\w{2,}ed|left|went|got|gets|came|took)|'s|’s) "
)
_QUOTED: Final = late(r"[\"“][^\"“”]{12,2000}[\"”]")
_CONTENT_WORD: Final = 4
_LENGTHS: Final = ((2, "1"), (4, "3"), (7, "5"), (11, "8"), (17, "12"), (26, "18"))
_STATED_BY = word_set(
    "i we he she it that this there you who everybody everyone nobody my our they"
)
_PLACING = word_set("in at from to of near")
_MANY: Final = 0.6
_SOME: Final = 0.25
_MOST: Final = 24


def signs(content: str, sentences: Iterable[str], before: str | None, asked: str) -> set[str]:
    """The signs of a turn: of its words, its forms, its marks, and of what stands before it.

    What it asks and what it greets or thanks with is a sign by itself; the words that count are
    those of the rest. ``before`` is what was said last, ``asked`` what that asked for.
    """
    found = {f"asked.{asked}"}
    every = list(islice(sentences, _MOST))
    rest = [sentence for sentence in every if _states(sentence, found)]
    found.add(f"rest.{min(len(rest), 3)}")
    text = " ".join(rest) or content
    unquoted = _QUOTED.sub(" ", text).strip()
    if unquoted and unquoted != text:
        found.add("rest.unquoted")
        text = unquoted
    text = text[:MAX_READ]
    words = read(text)
    found.update(_of_words(words))
    found.update(f"form.{name}" for name, form in _FORMS.items() if form.search(words.line))
    found.update(f"mark.{name}" for name, mark in _MARKS.items() if mark.search(text))
    head = content[: 5 * MAX_READ]
    found.update(f"mark.{name}" for name, mark in _WHOLE_MARKS.items() if mark.search(head))
    found.update(_of_register(head, rest or every))
    if any(_SOMEONE.match(sentence) for sentence in rest):
        found.add("form.someone")
    if before:
        found.update(_of_echo(words, before))
    return found


def _states(sentence: str, found: set[str]) -> bool:
    """Whether a sentence is none of those that only ask or greet, which are signs themselves."""
    words = read(sentence)
    if not words.words:
        return False
    reading = phrases.classify_words(words)
    if phrases.low_value(reading) is not None:
        found.add("rest.low")
        return False
    if words.asks or is_question(words, phrases.prefix_end(words, reading)):
        found.add("rest.asks")
        return False
    return True


def _of_words(words: Words) -> Iterator[str]:
    said = words.words
    for word in said:
        yield from _CLASSES_OF.get(word, ())
    yield f"long.{next((name for most, name in _LENGTHS if len(said) <= most), '27')}"
    if not any(word in VERBS or word.endswith(("ed", "ing")) for word in said):
        yield "form.verbless"
    if _STATED_BY.isdisjoint(said):
        yield "form.subjectless"
    if said and (said[0] in VERBS or said[0] in ORDERS):
        yield "form.verb_first"
    if any(words.capital):
        yield "mark.name"
    if any(at and words.capital[at] and said[at - 1] in _PLACING for at in range(len(said))):
        yield "mark.place"
    if " not " in words.line[:8]:
        yield "form.not"


def _of_register(content: str, sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        written = write_out(sentence[:MAX_READ])
        if register.mood(written):
            yield "register.mood"
        if register.supposes(written):
            yield "register.supposes"
        lasts = LASTING.search(read(sentence).line) is not None
        if lasts:
            yield "register.lasting"
        if register.tall(written) or (register.plays(written) and not lasts):
            yield "register.plays"
    if register.brings_words(content):
        yield "register.brings"
    if register.echoes(content):
        yield "register.echoes"


def _of_echo(words: Words, before: str) -> Iterator[str]:
    """How much of what it says was said just before it."""
    own = {word for word in words.words if len(word) >= _CONTENT_WORD and word not in _CLASSES_OF}
    if own:
        said = set(re.findall(r"\w+", before[: 5 * MAX_READ].lower()))
        share = len(own & said) / len(own)
        yield "echo.most" if share >= _MANY else "echo.some" if share >= _SOME else "echo.little"
