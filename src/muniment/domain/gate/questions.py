"""Questions and requests: bare, or resting on a fact about the speaker or their world."""

import re
from itertools import dropwhile

from muniment.domain.gate.tokens import Words, word_set
from muniment.domain.late import late

_WH = word_set("what who whose whom which where when why how")
_AUXILIARIES = word_set(
    "is are am was were do does did can could would will should shall may might must has have had"
)
_SUBJECTS = word_set("you there it this that i we he she they the a an any my your")
_PRONOUNS = word_set("you i we he she they")
_BEFORE_A_MONTH = word_set("from in by to")
_ALSO_ORDERS = word_set("do have had may must might")
_CONNECTIVES = word_set(
    """
    and but so or then also now well anyway hey oh btw curious if please just maybe perhaps in for
    on at to from with by about of um hmm okay ok actually too like
    """
)
_OPENERS = (
    _WH
    | _AUXILIARIES
    | word_set(
        """
    any anything anyone anybody anywhere ever got have had is are tips thoughts questions ideas
    suggestions advice remember mind care want wanna need ready seen heard tried read been thought
    planning going doing up still yet another other others else and i'm am recommendations details
    more picked isn't don't won't pics pictures photos
    """
    )
)

# A question's own frame ("should I", "I was wondering if") states nothing about the speaker.
_FRAME = late(
    r" (?:(?:can|could|should|would|may|might|shall|do|am|must|will) (?:i|we)"
    r"|i (?:was|am)(?: just)? (?:wondering|curious|asking)|i wonder|i would (?:like|love) (?:to|"
    r"you to)"
    r"|i (?:want|need) (?:to know|you to|to ask|some help|help)|i have (?:a|one|another) question"
    r"|did (?:i|we) (?:say|tell|mention|ask|write)|have (?:i|we) (?:said|told|mentioned|asked)"
    r"|i (?:just |already )?(?:said|told you|mentioned|asked)(?: you)?"
    r"|like i am (?:five|5|a \S+)|i (?:mean|guess|think|bet|hope|see|know)|if i may|are we|"
    r"as we speak) "
)
_ABOUT_SELF = late(r" (?:where|when|what|who|how old|how) (?:do|am|was) (?:i|we)(?: [a-z]+)? $")
_FIRST_PERSON = late(r" (?:i|we|i'd|we'd) ")
_POSSESSIVE = late(
    r" (?:my|our|mine|ours) (?:own |best |favou?rite |full |first |last |current )*+([^ ]+) ([^ ]*)"
)
_YOUR = late(r" (?:your|ur) (?:own |old |new |little |other )*+([^ ]+)")
_ASKED_VALUE = late(r" what (?:is|are) your [^ ]+(?: [^ ]+)? $")
_ATTRIBUTES = word_set(
    """
    name names age email address birthday birthdate city location balance profile preferences
    preference phone number password username timezone language job employer favorite favourite
    favorites color colour food book books movie movies song songs hobby hobbies opinion question
    questions mind answer last previous first turn own way best behalf grammar spelling account
    """
)
_YOUR_COMMON = (
    word_set(
        """
    opinion opinions thoughts thought take day days week weekend night morning evening time plan
    plans advice mind experience experiences favorite favourite go-to hobbies hobby interests
    interest goals goal life heart best next first biggest most main top current view views idea
    ideas progress inspiration work feelings feeling mood free spare secret tips choice preferred
    own
    """
    )
    | _ATTRIBUTES
)
_DATE = late(
    r" (?:(?:on |this |next |last |by |until )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|april|june|july|august|september|october|november|december"
    r"|\d{1,2}(?:st|nd|rd|th)|\d{1,2} (?:march|may)|(?:march|may) \d{1,2}|\d{4} \d{2} \d{2}|"
    r"christmas|easter"
    r"|(?:next|last|this coming) (?:week|month|year|quarter|spring|summer|autumn|fall|winter)) "
)
_CLOCK = late(r"\b\d{1,2}:\d{2}\b|\b\d{1,2} ?[ap]\.?m\b|\b\d{4}-\d{2}-\d{2}\b", re.IGNORECASE)
_DECLARED = late(
    r" (?:because|given that|seeing that|considering that|now that|he is|she is|they are|he has|"
    r"she has|"
    r"they have|it is broken|(?:he|she) (?!(?:like|think|feel|do|go|say|want|react|get|have|be|"
    r"come|know)"
    r" )[a-z]+s) "
)
_SINCE = late(r" (?:since|while|when|after|before|if|as|that|but|and|so) (?:i|we|my|our|he|she) ")
_GENERAL_NAME = word_set(
    "of in to for the a an between from than with about into by at on like as and or vs versus "
    "wrote invented discovered called named painted play plays use using won"
)
_THE_EVENT = late(
    r" (?:how|when|did|has|is|was|does|will|why|are) (?:is |was |did |does |are |"
    r"do )?the (?!same |best |most |"
    r"weather |sky |sun |moon |earth |sea |ocean |world |universe |grass |capital |population |"
    r"difference |"
    r"meaning |point |name |worst |time |date |answer |rest )[a-z]+(?: [a-z]+)? (?:going|go|"
    r"coming|doing|start|"
    r"starting|end|fail|failing|broken|down|late|slow|work|working|arrive|close|closing|due) "
)
_SHARED_PAST = late(r" remember (?:the|this|that|our|when|how|those|these|last) ")
_REQUEST_LEADS = late(
    r"^ (?:(?:please|kindly|just|now|then|so|and|ok|okay|also|maybe|perhaps|hey|alexa|siri|"
    r"(?:can|could|would|will) (?:you|u|we)|you (?:can|could|should)|i (?:want|need|"
    r"would like) you to|"
    r"i was wondering if you (?:can|could)|do you mind|would you mind|is it possible to|"
    r"help me(?: to)?(?= (?:tell|explain|describe|write|draft|compose|make|create|find|"
    r"understand|choose|pick|think) )|try to|go ahead and|feel free to) )*+"
)
_SAYING = word_set(
    """
    tell explain describe define translate summarise summarize show give list write compare
    elaborate clarify repeat rephrase reword paraphrase compose draft suggest recommend brainstorm
    say spell read calculate compute convert count name outline analyse analyze discuss solve
    teach proofread shorten simplify expand rewrite continue proceed retry guess sing answer
    """
)
_MAKING = word_set(
    "make create generate build find search look check fix improve edit correct try do go help "
    "think pick "
    "choose share sort play google send keep repeat redo start stop come bring"
)
_MAKING_OBJECTS = word_set(
    """
    it this that these those one ones me us some any something anything more again on up for to a
    an the random new number numbers word words example examples idea ideas list lists table image
    picture poem story joke function code script text formatting typo typos grammar spelling
    answer answers response shorter longer better simpler clearer nicer bigger smaller formal
    funnier less so please into out over quick simple short long different another few two three
    four five six seven eight nine ten in with and your magic best pictures pics photos photo
    thoughts recipe details info information
    """
)
_STANDING = late(
    r" (?:always|never|every|each time|whenever|from now on|in future|in the future|"
    r"going forward|next time|"
    r"instead|rather than|only|unless|not|no longer|except|by default|anymore|any more|as usual) "
)
_NUMBERED = late(r" \S*\d\S* ")
_COMPOSING = word_set("write draft compose send")
_TOPICAL = word_set("a an about in into on of like as by")
_ARTICLES = word_set("the a an of in")
_FAMILY = late(r" the (?:kids|children|baby|twins|dogs?|cats?|wife|husband|boys|girls) ")
_MAX_BARE_WORDS = 18
_ELLIPTIC = 4


def is_question(words: Words, start: int) -> bool:
    """Whether the sentence does nothing but ask: it opens as questions do, with or without a mark.

    A statement with a question behind it ("It's late, isn't it?") is not one.
    """
    rest = list(dropwhile(_CONNECTIVES.__contains__, words.words[start:])) or ["and"]
    led = words.words[start : len(words.words) - len(rest)]
    if words.asks and (rest[0] in _OPENERS or (len(rest) <= _ELLIPTIC and "you" in rest)):
        return True
    if len(rest) < 2:
        return False
    first, second = rest[0], rest[1]
    if first == "may" and led and led[-1] in _BEFORE_A_MONTH:
        return False
    if first in _WH:
        return second in _AUXILIARIES or (
            first == "how" and second in {"many", "much", "long", "far"}
        )
    return second in (_PRONOUNS if first in _ALSO_ORDERS else _SUBJECTS) and first in _AUXILIARIES


def specifics(words: Words, start: int, sentence: str) -> str | None:
    """The rule by which an assistant's offer names something of this user's; ``None`` if bare."""
    line = f" {' '.join(words.words[start:])} "
    if _CLOCK.search(sentence) or _DATE.search(line) or _NUMBERED.search(line):
        return "date"
    if _their_world(line):
        return "your_world"
    named = any(
        capital and not paused
        for capital, paused in zip(words.capital[start:], words.paused[start:], strict=True)
    )
    return "name" if named else None


def presupposes(words: Words, start: int, sentence: str) -> str | None:
    """The rule by which a question or request rests on a fact worth keeping; ``None`` if bare."""
    line = f" {' '.join(words.words[start:])} "
    if _CLOCK.search(sentence) or _DATE.search(line):
        return "date"
    if _ABOUT_SELF.search(line):
        return None
    if _owned(line):
        return "possessive"
    if _DECLARED.search(line) or _SINCE.search(line):
        return "clause"
    if _FIRST_PERSON.search(_FRAME.sub(" ", line)):
        return "first_person"
    if _their_world(line):
        return "your_world"
    if _FAMILY.search(line):
        return "family"
    if _SHARED_PAST.search(line):
        return "shared_past"
    if _THE_EVENT.search(line):
        return "event"
    return "name" if _named(words, start) or _addressed(words, start) else None


def _addressed(words: Words, start: int) -> bool:
    """Whether something is to be written that concerns a named person, not a topic."""
    if not _COMPOSING & set(words.words[start : start + 4]):
        return False
    return any(
        words.capital[index] and words.words[index - 1] not in _TOPICAL
        for index in range(start + 1, len(words.words))
    )


def _owned(line: str) -> bool:
    return any(
        match.group(1) not in _ATTRIBUTES
        or (
            match.group(2) in {"is", "and"}
            and not line.startswith((" what ", " who ", " do you ", " which "))
        )
        for match in _POSSESSIVE.finditer(line)
    )


def _their_world(line: str) -> bool:
    if _ASKED_VALUE.search(line):
        return False
    return any(match.group(1) not in _YOUR_COMMON for match in _YOUR.finditer(line))


def _named(words: Words, start: int) -> bool:
    """Whether a name stands that is neither called out at the end nor a topic of knowledge."""
    inner = range(start + 1, len(words.words) - 1)
    return any(words.capital[index] and not _is_topic(words, index) for index in inner)


def _is_topic(words: Words, index: int) -> bool:
    if words.words[index].endswith("'s") and words.words[index - 1] not in _ARTICLES:
        return False
    before = words.words[index - 1]
    if words.words[0] in _WH and before in _AUXILIARIES:
        return True
    return before in _GENERAL_NAME or words.capital[index - 1]


def _requested(words: Words, start: int) -> tuple[str, list[str]]:
    line = f" {' '.join(words.words[start:])} "
    lead = _REQUEST_LEADS.match(line)
    return line, line[lead.end() if lead else 1 :].split()


def is_bare_request(words: Words, start: int) -> bool:
    """Whether the sentence only tells the listener to say or make something generic."""
    line, rest = _requested(words, start)
    if not rest or len(rest) > _MAX_BARE_WORDS or _STANDING.search(line):
        return False
    if rest[0] in _SAYING:
        return True
    if rest[0] not in _MAKING or _NUMBERED.search(line):
        return False
    return all(word in _MAKING_OBJECTS for word in rest[1:])
