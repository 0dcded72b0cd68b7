"""Candidates in words: third person, so that they stand alone."""

import re
from typing import Final

from muniment.domain.extraction.found import Found
from muniment.domain.extraction.grammar import ADVERBS
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

_SAYS: Final = {
    "name": "The user's name is {value}.",
    "city": "{who} lives in {value}.",
    "employer": "{who} works at {value}.",
    "role": "{who} works as {value}.",
    "timezone": "{whose} time zone is {value}.",
    "language": "{whose} language is {value}.",
    "address": "{whose} address is {value}.",
    "deploy_region": "{who} deploys to {value}.",
    "contact_channel": "{who} wants to be contacted by {value}.",
    "do_not_contact": "{who} must not be contacted by {value}.",
    "account_tier": "{whose} account tier is {value}.",
    "pet": "{who} has a pet: {value}.",
    "project": "{who} works on the project {value}.",
    "skill": "{who} has the skill {value}.",
    "dislike": "{who} dislikes {value}.",
    "allergy": "{who} is allergic to {value}.",
}
_WAS: Final = ((" lives ", " lived "), (" works ", " worked "), (" deploys ", " deployed "),
               (" is ", " was "), (" wants ", " wanted "))  # fmt: skip
_VERB_FORMS: Final = {
    "am": "is",
    "have": "has",
    "do": "does",
    "are": "is",
    "go": "goes",
    "was": "was",
    "were": "was",
}
_UNBENT: Final = word_set(
    """
    will shall can could would should must may might is was had did has does not
    """
)
# "I long for", of all the words that stand before a verb, is a verb itself.
_BEFORE_A_VERB: Final = (ADVERBS - {"long"}) | word_set(
    "nowadays twice thus therefore yet no longer"
)
_VERBS_IN_LY: Final = word_set("rely reply apply supply fly")
_PAST: Final = word_set(
    """
    left went came got put made took gave sold quit began became bought signed won lost told
    met wrote fell held ran said had did was were thought knew found kept built drove rode
    spoke forgot chose broke brought caught dealt drank ate fed felt flew froze grew hung heard
    hid lent meant paid rang rose saw sent sang sat slept spent stood stole stuck swam taught tore
    threw understood woke wore withdrew
    """
)
_FIRST = late(
    rf"\b(?P<who>I|[Ww]e) (?P<rest>(?:(?:{'|'.join(sorted(_BEFORE_A_VERB))}"
    rf"|(?!(?:{'|'.join(sorted(_VERBS_IN_LY))}) )[a-z]+ly) )*[a-z]+)\b"
)
# A mine may be one of coal.
_THEIRS = late(
    r"(^|[,;:.!?] |\b(?:of|is|are|was|were|be|not|for|than|with|to|like|and|or|but|in|on|as|from"
    r"|about|at|by|without|both|unlike) )(mine|ours)\b",
    re.IGNORECASE,
)
_LEAD = late(
    r"^(?:(?:oh|ah|well|ok|okay|hm+|so|and|but|also|yes|great|(?:no|nah)(?=[,.!])"
    r"|right|thanks|btw|by the way|hey|hi|please note that|actually|quick one|one more"
    r"|one more thing|whoa|ha|yep|yeah|then|God no)[ ,:.!]+)+",
    re.IGNORECASE,
)


def in_words(found: Found, user_name: str | None) -> str:
    """One or two sentences about the user, or about the data."""
    who = user_name or "The user"
    if found.slot is not None and found.value is not None:
        return _of_slot(found, who)
    text = tidy_sentence(found.text or found.clause.whole)
    if found.rule in ("forget.asked", "over.statement"):
        return f"No longer so: {third_person(text, who)}"
    if found.kind in ("data_quality", "domain_pattern"):
        return third_person(text, who)
    if found.rule.startswith("wish.") and not re.search(r"\b(?:I|[Ww]e)\b", text):
        return f"{who} asks: {third_person(text, who, inner=True)}"
    return third_person(text, who)


def _of_slot(found: Found, who: str) -> str:
    slot, value = found.slot or "", found.value or ""
    if slot == "price" or found.rule == "work.last_day":
        return third_person(tidy_sentence(found.clause.whole), who)
    says = _SAYS.get(slot, f"{{whose}} {slot.replace('_', ' ')} is {{value}}.")
    if slot == "name" and found.value:
        return says.format(value=value)
    if found.closed:
        for now, then in _WAS:
            says = says.replace(now, then)
    if found.retracts:
        says = f"No longer so: {says}"
    return says.format(who=who, whose=f"{who}'s", value=value)


def tidy_sentence(text: str) -> str:
    """A sentence without the words that lead into it, ended by a stop."""
    text = _LEAD.sub("", " ".join(text.split())) or text
    text = text.strip(" ,;:-")
    first = text.split(" ", 1)[0]
    if not re.search(r"[_\d.]\w", first):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def third_person(text: str, who: str, *, inner: bool = False) -> str:
    """Words of the user as words about the user."""
    text = _FIRST.sub(lambda match: _bent(match, who), text)
    text = re.sub(r"\bI\b", who, text)
    their, theirs = (f"{who}'s", f"{who}'s") if inner else ("their", "theirs")
    text = _THEIRS.sub(lambda match: match[1] + _cased(theirs, match[2]), text)
    text = re.sub(r"\b[Mm]y\b", lambda match: _cased(their, match[0]), text)
    text = re.sub(r"\b[Oo]ur\b", lambda match: _cased("their", match[0]), text)
    text = re.sub(r"\b(?:[Mm]yself|[Oo]urselves)\b", "themselves", text)
    text = re.sub(r"\bme\b", who if who != "The user" else "the user", text)
    text = re.sub(r"(?<![-/.@_])\bus\b(?![-/@_])", "them", text)
    return re.sub(r"(?<=[a-z,] )The user\b", "the user", text)


def _cased(told: str, said: str) -> str:
    return told[:1].upper() + told[1:] if said[0].isupper() else told


def _bent(match: re.Match[str], who: str) -> str:
    subject = who if match["who"] == "I" else f"{who}'s team"
    adverbs, gap, verb = match["rest"].rpartition(" ")
    bends = verb in _VERBS_IN_LY or not (verb in _BEFORE_A_VERB or verb.endswith("ly"))
    return f"{subject} {adverbs}{gap}{_third(verb) if bends else verb}"


def _third(word: str) -> str:
    if word in _VERB_FORMS:
        return _VERB_FORMS[word]
    if word in _UNBENT or word in _PAST or word.endswith(("ed", "ing")):
        return word
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}s"
