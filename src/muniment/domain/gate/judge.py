"""The write gate: would a competent human assistant write this turn down?

English rules over words and phrases. What they cannot judge, and what they are unsure of, is kept.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import islice

from muniment.domain.gate import phrases as phrases
from muniment.domain.gate.asides import aside
from muniment.domain.gate.cues import Reason, keep_reason
from muniment.domain.gate.evidence import ENOUGH, against, least_of, weight_of
from muniment.domain.gate.language import count_marks, is_foreign
from muniment.domain.gate.offers import is_offer, is_receipt
from muniment.domain.gate.offhand import PLAY_RULES, beside, leans_on_nothing, offhand
from muniment.domain.gate.plain import says_of_own
from muniment.domain.gate.privacy import asks_privacy
from muniment.domain.gate.questions import is_bare_request, is_question, presupposes, specifics
from muniment.domain.gate.register import brings_words, echoes, without_brought
from muniment.domain.gate.replies import Asked, answers
from muniment.domain.gate.reports import says_new
from muniment.domain.gate.results import only_read
from muniment.domain.gate.sentences import (
    HEAD,
    digest,
    digests,
    head_of,
    split_sentences,
    whole_digest,
)
from muniment.domain.gate.session import NOTHING_BEFORE as NOTHING_BEFORE
from muniment.domain.gate.session import SHORT_REPLY, Finding, Session
from muniment.domain.gate.session import GateContext as GateContext
from muniment.domain.gate.session import GateInput as GateInput
from muniment.domain.gate.session import Role as Role
from muniment.domain.gate.signs import signs
from muniment.domain.gate.standing import is_standing
from muniment.domain.gate.tokens import MAX_READ, Words, read
from muniment.domain.gate.weights import IMPORTANCE as IMPORTANCE
from muniment.domain.gate.weights import ROLE_CEILING as ROLE_CEILING
from muniment.domain.gate.weights import weigh
from muniment.domain.late import late

_DROP_ORDER = (
    Reason.REPETITION,
    Reason.ECHO,
    Reason.BARE_REQUEST,
    Reason.OFFER,
    Reason.QUESTION,
    Reason.MOOD,
    Reason.THANKS,
    Reason.GREETING,
    Reason.FILLER,
    Reason.EMPTY,
)
_SETTLED = frozenset(
    {Reason.GREETING, Reason.THANKS, Reason.EMPTY, Reason.PRIVACY, Reason.REPETITION}
)
_SETTLED_RULES = ("phrases.", "session.", "text.", "language.", "privacy.")
"""What no evidence on the whole turn overrules."""
_FIRM = frozenset({Reason.CORRECTION, Reason.RETRACTION, Reason.STANDING_INSTRUCTION})
_LOW = {
    phrases.GREETING: Reason.GREETING,
    phrases.THANKS: Reason.THANKS,
    phrases.MOOD: Reason.MOOD,
}
_ALPHANUMERIC = late(r"[^\W_]")
_SYMBOL = late(r"[\u2190-\u2bff\u2600-\u27bf\U0001f000-\U0001faff]|[:;]-?[)(DPp]|<3")
_NO_RESULT = late(r"\s*(?:null|none|nil|undefined|n/a|\"\"|'')?\s*", re.IGNORECASE)
_ENOUGH = 8
_MOST = 24


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is the closed vocabulary, ``rule`` the rule's name, ``importance`` 1 to 10.

    ``withdraws_previous``: the turn says only "don't remember that", of what was said before it.
    """

    kept: bool
    reason: Reason
    rule: str
    importance: int
    withdraws_previous: bool = False


def sentence_digests(event: GateInput) -> frozenset[str]:
    """What to add to ``GateContext.seen`` once ``event`` is written, kept or dropped.

    Start ``seen`` anew after a correction or retraction: the old value may be stated again.
    """
    return digests(event.content, speaker=event.speaker)


def recalled_digests(text: str) -> frozenset[str]:
    """What to add to ``GateContext.recalled`` for a text that recall returned."""
    return digests(text, speaker="")


def judge(
    event: GateInput,
    context: GateContext = NOTHING_BEFORE,
    importance: Mapping[str, int] = IMPORTANCE,
) -> Verdict:
    """Keep or drop ``event``. Pure, total, and bounded work beyond one linear look at the text."""
    session = Session(context, event)
    finding, withdraws = _judge(event, session)
    finding = _weighed(finding, event, session)
    return replace(_verdict(event, finding, importance), withdraws_previous=withdraws)


def judge_sentences(event: GateInput) -> Iterator[tuple[str, Verdict]]:
    """Each sentence of ``event`` with a verdict of its own, without regard to what came before."""
    for sentence in split_sentences(event.content):
        alone = replace(event, content=sentence)
        finding = _judge_sentence(sentence, alone, Session(NOTHING_BEFORE, alone))
        yield sentence, _verdict(alone, finding, IMPORTANCE)


def weighed_signs(event: GateInput, context: GateContext) -> AbstractSet[str] | None:
    """The signs of a turn on which evidence is weighed; None where other rules decide alone."""
    session = Session(context, event)
    return _signs(_judge(event, session)[0], event, session)


def _signs(finding: Finding, event: GateInput, session: Session) -> AbstractSet[str] | None:
    settled = finding.reason in _SETTLED or finding.rule.startswith(_SETTLED_RULES)
    if event.role != "user" or settled or not session.may_be_with_agent:
        return None
    if finding.reason is Reason.STANDING_INSTRUCTION and _orders(event.content):
        return None
    if len(event.content.split()) <= SHORT_REPLY and (
        finding.rule.startswith("reply.") or finding.reason in _FIRM or session.chooses
    ):
        return None
    sentences = split_sentences(head_of(event.content))
    found = signs(event.content, sentences, session.before, session.asked)
    if finding.kept and _rests_on_own(found, session):
        return None
    found.add(f"rule.{finding.rule}")
    if finding.reason in _FIRM:
        found.add("rule.firm")
    return found


def _rests_on_own(found: AbstractSet[str], session: Session) -> bool:
    """Whether what asks, or opens a session, has something of its speaker: "for my son"."""
    if "word.own" in found and found.isdisjoint({"register.supposes", "register.plays"}):
        return "rest.0" in found or not session.with_agent
    return "rest.0" in found and not session.with_agent


def _orders(content: str) -> bool:
    """Whether an order for every time is in a person's own words."""
    own = "" if brings_words(content) else head_of(content)
    return any(map(is_standing, islice(split_sentences(own), _MOST)))


def _weighed(finding: Finding, event: GateInput, session: Session) -> Finding:
    """What evidence makes of what the rules of sentences say."""
    found = _signs(finding, event, session)
    if found is None:
        return finding
    weight, least = weight_of(found), least_of(found, after_agent=session.after_agent)
    if finding.kept and least is not None and weight < least:
        sentences = islice(split_sentences(head_of(event.content)), _MOST)
        own = says_of_own(sentences, found)
        return finding if own else Finding(False, *against(found))
    if not finding.kept and weight >= ENOUGH:
        reason, rule = keep_reason(read(event.content), event.content, assistant=False)
        return Finding(True, reason, f"evidence.{rule}")
    return finding


def _verdict(event: GateInput, finding: Finding, table: Mapping[str, int]) -> Verdict:
    weight = weigh(event.role, event.content, finding.reason, table) if finding.kept else 1
    return Verdict(finding.kept, finding.reason, finding.rule, weight)


def _judge(event: GateInput, session: Session) -> tuple[Finding, bool]:
    if event.role == "tool":
        return _judge_tool(event.content), False
    if _ALPHANUMERIC.search(event.content) is None:
        return _judge_symbols(event.content, session), False
    if event.role == "user":
        private, alone = asks_privacy(event.content)
        if private:
            return Finding(False, Reason.PRIVACY, "privacy.asked"), alone
    repeated = session.known(whole_digest, event.content)
    if repeated is not None and not session.may_answer(event.content.split()):
        return repeated, False
    return _judge_text(event, session), False


def _judge_tool(content: str) -> Finding:
    """A result may have changed the world whatever it says; one that is void or was only read
    is dropped.
    """
    if _NO_RESULT.fullmatch(content) or _ALPHANUMERIC.search(content) is None:
        return Finding(False, Reason.EMPTY, "tool.void")
    if only_read(content):
        return Finding(False, Reason.FILLER, "tool.read")
    return Finding(True, Reason.TOOL_RESULT, "tool.result")


def _judge_symbols(content: str, session: Session) -> Finding:
    if _SYMBOL.search(content) is None:
        return Finding(False, Reason.EMPTY, "text.void")
    if session.asked in {Asked.PROPOSAL, Asked.POLAR}:
        return Finding(True, Reason.ANSWER, "reply.symbol")
    return Finding(False, Reason.FILLER, "text.symbols")


def _judge_text(event: GateInput, session: Session) -> Finding:
    kept: list[Finding] = []
    dropped: list[Finding] = []
    looked = 0
    content = head_of(event.content)
    if event.role == "user" and session.with_agent:
        if echoes(content):
            return Finding(False, Reason.ECHO, "offhand.echo")
        content = without_brought(content) or content
    for sentence in islice(split_sentences(content), _MOST + 1):
        looked += 1
        if looked > _MOST:
            break
        if _ALPHANUMERIC.search(sentence) is None:
            continue
        finding = _judge_sentence(sentence, event, session)
        (kept if finding.kept else dropped).append(finding)
        if kept and looked >= _ENOUGH:
            break
    if not kept and (looked > _MOST or len(event.content) > HEAD):
        return Finding(True, Reason.FACT, "text.long")
    if kept and not _in_play(kept, dropped):
        return max(kept, key=lambda finding: IMPORTANCE.get(finding.reason, 1))
    return min(dropped, key=lambda finding: _DROP_ORDER.index(finding.reason))


def _in_play(kept: list[Finding], dropped: list[Finding]) -> bool:
    """Whether what is kept of a turn only goes on with what was said in play or in a mood."""
    return all(finding.rule == "user.beside" for finding in kept) and any(
        finding.rule in PLAY_RULES for finding in dropped
    )


def _judge_sentence(sentence: str, event: GateInput, session: Session) -> Finding:
    words = read(sentence)
    reading = phrases.classify_words(words)
    low = None if len(sentence) > MAX_READ else phrases.low_value(reading)
    if low is not None:
        return _judge_low(low, words, reading.letters, event, session)
    known = session.known(digest, sentence)
    if known is not None and not session.may_answer(words.words):
        return known
    if len(sentence) > MAX_READ:
        return _kept(words, sentence, event, session)
    if event.role == "external":
        return _kept(words, sentence, event, session)
    if event.role == "user" and is_standing(sentence):
        return _kept(words, sentence, event, session, standing=True)
    passing = aside(words) if event.role == "user" else None
    if passing is not None:
        return Finding(False, *passing)
    bare = _bare(sentence, words, phrases.prefix_end(words, reading), event, session)
    return bare or _kept(words, sentence, event, session)


def _judge_low(low: str, words: Words, letters: str, event: GateInput, session: Session) -> Finding:
    denies = session.asked is Asked.STATEMENT and event.role == "assistant"
    if not denies and answers(session.asked, words, letters):
        if session.asked is Asked.PROPOSAL:
            return Finding(True, Reason.DECISION, "reply.proposal")
        if session.asked is Asked.STATEMENT:
            return Finding(True, Reason.CORRECTION, "reply.denial")
        return Finding(True, Reason.ANSWER, f"reply.{session.asked}")
    if low == phrases.NO and session.asked is not Asked.CLOSING and event.role != "assistant":
        return Finding(True, Reason.ANSWER, "reply.denial")
    if words.asks and low not in _LOW:
        return Finding(False, Reason.QUESTION, "question.reaction")
    return Finding(False, _LOW.get(low, Reason.FILLER), f"phrases.{_LOW.get(low, Reason.FILLER)}")


def _bare(
    sentence: str, words: Words, start: int, event: GateInput, session: Session
) -> Finding | None:
    """A question, request, offer or receipt that rests on nothing worth keeping; else None."""
    requests = is_bare_request(words, start)
    english, elsewhere = count_marks(words.words)
    if english + requests <= elsewhere:
        return None
    if event.role == "assistant" and is_receipt(words):
        return Finding(False, Reason.FILLER, "assistant.receipt")
    if event.role == "assistant" and is_offer(words):
        rests = specifics(words, start, sentence)
        return None if rests else Finding(False, Reason.OFFER, "assistant.offer")
    if not (requests or is_question(words, start)) or presupposes(words, start, sentence):
        return None
    if requests and session.asked is Asked.PROPOSAL:
        return Finding(True, Reason.DECISION, "reply.proposal")
    if requests:
        return Finding(False, Reason.BARE_REQUEST, "request.bare")
    return Finding(False, Reason.QUESTION, "question.bare")


def _kept(
    words: Words, sentence: str, event: GateInput, session: Session, *, standing: bool = False
) -> Finding:
    sentence = sentence[:MAX_READ]
    if is_foreign(sentence):
        return Finding(True, Reason.UNJUDGED, "language.other")
    if event.role == "external":
        return Finding(True, Reason.FACT, "external.content")
    assistant = event.role == "assistant"
    before = session.answers_user if assistant else None
    if before is not None and not says_new(words, before[-MAX_READ * 5 :]):
        return Finding(False, Reason.FILLER, "assistant.talk")
    reason, rule = keep_reason(words, sentence, assistant=assistant, standing=standing)
    if event.role == "user" and session.with_agent and not standing:
        passing = offhand(sentence, words, reason)
        if passing is not None:
            return Finding(False, *passing)
        if reason is Reason.FACT and leans_on_nothing(words.line):
            passing = beside(words, sentence, event.content, asked=session.asked.is_question)
            if passing is not None:
                return Finding(False, *passing)
            rule = "beside"
    if reason is Reason.FACT and len(words.words) <= SHORT_REPLY and session.asked.is_question:
        return Finding(True, Reason.ANSWER, "reply.short")
    return Finding(True, reason, f"{event.role}.{rule}")
