"""Reasons of the gate, and the cues that say why a sentence is worth keeping."""

import re
from enum import StrEnum

from muniment.domain.gate.tokens import Words
from muniment.domain.late import late

_LEADS = (
    "(?:(?:please|just|but|and|ok|okay|so|also|then|you (?:should|must|can)|can you|could you|"
    "hey|hi) )*+"
)


class Reason(StrEnum):
    """Why a turn was kept or dropped: a closed vocabulary, stored with the verdict."""

    PREFERENCE = "preference"
    DECISION = "decision"
    CORRECTION = "correction"
    RETRACTION = "retraction"
    IDENTITY = "identity"
    STANDING_INSTRUCTION = "standing_instruction"
    FACT = "fact"
    TOOL_RESULT = "tool_result"
    COMMITMENT = "commitment"
    DATE = "date"
    ANSWER = "answer"
    RECOMMENDATION = "recommendation"
    UNJUDGED = "unjudged"
    GREETING = "greeting"
    THANKS = "thanks"
    FILLER = "filler"
    MOOD = "mood"
    QUESTION = "question"
    OFFER = "offer"
    BARE_REQUEST = "bare_request"
    REPETITION = "repetition"
    ECHO = "echo"
    PRIVACY = "privacy"
    EMPTY = "empty"


def _cue(*alternatives: str, opening: str = "") -> re.Pattern[str]:
    """A pattern over ``Words.line``; ``opening`` ones count at the head of the sentence alone."""
    anywhere = " (?:" + "|".join(alternatives) + ") "
    return late(f"{anywhere}|^ {_LEADS}(?:{opening}) " if opening else anywhere)


_USER_CUES: tuple[tuple[Reason, str, re.Pattern[str]], ...] = (
    (
        Reason.RETRACTION,
        "retraction",
        _cue(
            r"(?:i|we|he|she|they) (?:no longer|stopped|quit|gave up|cancelled|canceled)",
            r"(?:do|does|am|are|is|did) not (?:\S+ ){1,8}?(?:any ?more|any longer|anymore)",
            r"any more|anymore|no longer",
            r"(?:forget|ignore|disregard|scratch|undo|drop|delete|remove) (?:that|what i|"
            r"my (?:earlier|previous|last|old)|the rule|everything i|the earlier)",
        ),
    ),
    (
        Reason.CORRECTION,
        "correction",
        _cue(
            r"(?:no|nope|wait|sorry|actually|oops) (?:it|that|the|i|we|he|she|they|my|our|not|no|"
            r"actually|wait)",
            r"i (?:meant|misspoke|mistyped)|you (?:misunderstood|got (?:that|it) wrong|are wrong)",
            r"(?:that|this|it) is (?:wrong|incorrect|not (?:right|true|correct))",
            r"actually|correction|rather than what",
        ),
    ),
    (
        Reason.STANDING_INSTRUCTION,
        "standing",
        _cue(
            r"from now on|going forward|in future|by default|(?:whenever|every time|"
            r"each time) (?:i ask|you)",
            r"(?:please|should|must|just|but|and|you) (?:always|never) [a-z]+",
            r"no (?:\S+ ){1,3}please",
            opening=r"(?:remember|note|keep in mind|bear in mind|do not forget|make sure|"
            r"be sure) (?:that|to|this|the|my)"
            r"|(?:always|never) (?!(?:been|had|was|were|seen|heard|thought|knew|wanted|loved|"
            r"liked|felt|tried|did|"
            r"a|the|in|mind|so|[a-z]+ing) )[a-z]+|(?:use|exclude|include|avoid|skip|stop|keep|"
            r"prefer|round|format|call me|"
            r"address me|(?:reply|answer|respond|write) (?:\S+ )?in|do not|set) (?!it |that |"
            r"this |going |up )[a-z0-9]+",
        ),
    ),
    (
        Reason.IDENTITY,
        "identity",
        _cue(
            r"my (?:full |first |last |middle )?(?:name|pronouns|birthday|nickname|surname|job|"
            r"title) (?:is|are)",
            r"call me|i go by|(?:this|it) is [a-z]+ from|i am (?:called|named|from|based in|born|"
            r"originally|married|single|divorced|retired|self employed)",
            r"i am (?:a|an|the) (?:\S+ ){0,3}?(?!(?:bit|little|lot|fan|big|huge) )\S+|i am \d+",
            r"i (?:was born|live in|work (?:as|at|for|in)|moved to|grew up|come from|run the|"
            r"run a|own a|teach|study)",
        ),
    ),
    (
        Reason.PREFERENCE,
        "preference",
        _cue(
            r"i (?:really |do |just |absolutely |also |still )*(?:prefer|like|love|hate|dislike|"
            r"enjoy|adore|loathe|despise)",
            r"i (?:do not|never|can not) (?:really )?(?:like|enjoy|stand|eat|drink|want|use)",
            r"i would (?:rather|prefer)|(?:not )?a (?:big |huge )?fan of|"
            r"my (?:all time )?favou?rites?",
            r"works? (?:best|better) for (?:me|us)|(?:is|are) better for me|i am (?:vegan|"
            r"vegetarian|allergic|into)",
        ),
    ),
    (
        Reason.DECISION,
        "decision",
        _cue(
            r"(?:i|we) (?:have |had )?(?:finally |also |just )?(?:decided|chose|chosen|agreed|"
            r"settled|picked|opted)",
            r"(?:we|i) (?:are|am) (?:going with|dropping|switching|moving to|keeping)|(?:let us|"
            r"lets) (?:go with|use|do|take|pick|keep)",
            r"(?:go|going|went) (?:with|for)|(?:i|we) will (?:take|go with|use|keep)|decision is|"
            r"go ahead",
        ),
    ),
    (
        Reason.COMMITMENT,
        "commitment",
        _cue(
            r"(?:i|we) will|(?:i am|we are) (?:going to|planning to|about to|gonna)",
            r"(?:i|we) (?:promise|promised|plan to|intend to|commit|committed|agreed to)|remind me",
        ),
    ),
)
_ASSISTANT_CUES: tuple[tuple[Reason, str, re.Pattern[str]], ...] = (
    (
        Reason.TOOL_RESULT,
        "result",
        _cue(
            r"(?:i|we) have (?:now |just |already |successfully )*(?!noted|seen|"
            r"read )[a-z]+(?:ed|t|de|ne|wn)",
            r"(?:has|have) been [a-z]+|(?:is|are) (?:now |all )?(?:booked|sent|done|cancelled|"
            r"canceled|"
            r"confirmed|saved|scheduled|created|updated|deleted|deployed|paid|ordered|fixed|"
            r"ready|live)",
            r"done|went through|completed|succeeded|failed",
        ),
    ),
    (
        Reason.RECOMMENDATION,
        "recommendation",
        _cue(
            r"i (?:would |strongly |highly )*(?:recommend|suggest|advise|propose)|my (?:suggestion|"
            r"recommendation|advice)|you (?:should|could|may want to|might want to)|consider|"
            r"it is best to",
        ),
    ),
    (Reason.COMMITMENT, "commitment", _cue(r"(?:i|we) (?:will|shall|am going to|are going to)")),
)
_DATED = late(
    r"\b(?:\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day"
    r"|\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december) \d{1,2})\b",
    re.IGNORECASE,
)


def keep_reason(
    words: Words, sentence: str, *, assistant: bool, standing: bool = False
) -> tuple[Reason, str]:
    """Why a sentence that is no low-value talk is kept, and the cue; ``fact`` when none fits.

    ``standing``: it is known to be a standing instruction, whatever the cues for one say.
    """
    for reason, rule, cue in _ASSISTANT_CUES if assistant else _USER_CUES:
        if cue.search(words.line) or (standing and reason is Reason.STANDING_INSTRUCTION):
            return reason, rule
    if _DATED.search(sentence):
        return Reason.DATE, "date"
    return Reason.FACT, "default"
