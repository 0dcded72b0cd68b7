"""Requests not to be remembered: "don't store that", "this is off the record"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.tokens import read, word_set
from muniment.domain.late import late
from muniment.domain.text import Analyzer
from muniment.domain.trust import Role

_NOT_BY_SUBJECT = "".join(
    f"(?<! {subject})"
    for subject in ("i", "we", "they", "you", "he", "she", "it", "who", "why", "people", "users")
)
_NOT_KEEP = (
    rf"(?:{_NOT_BY_SUBJECT} (?:do not|never)(?: ever| please)?"
    r"|(?:make sure|ensure)(?: that)? you do not"
    r"|(?:can|could|would|will) you(?: please)?(?: not| do not)|please not|no need to"
    r"|you (?:do not (?:need|have) to|should not|must not|need not|can not)"
    r"|i (?:do not|would rather not|would prefer not) (?:want|wish|like)? ?"
    r"(?:you to|for you to|that you|have you)"
    r"|i would (?:rather|prefer)(?: it)?(?: if| that)? you (?:do|did) not(?: please)?)"
)
_STORE = (
    r"(?:remember|memori[sz]e|store|save|record|retain|log|keep|note|hold on to|"
    r"take note of|take notes (?:on|of|about)|make a note of|keep a (?:note|record) of)"
)
# Of these it must be said where: code and files are written, too.
_WRITE = r"(?:write|jot|put|add|commit)"
_OBJECT = (
    r"(?:this|that|it|any of (?:this|that|it)"
    r"|what i (?:just )?(?:said|told you|wrote|am (?:telling you|saying))"
    r"|(?:this|that|the|my last|our) (?:conversation|chat|message|turn|session|one|part|bit|"
    r"detail|info|information|last (?:message|part|bit)))"
)
_PLACE = (
    r"(?: (?:down|anywhere|on file|on record|(?:to|in|into|on|from) (?:your |the |any |my )?"
    r"(?:memory|memories|notes?|records?|record|file|profile|history|database|logs?)))"
)
_OWN = (
    r"(?:(?:your |the )?(?:memory|memories)|your (?:notes?|records?|logs?|history|file|profile)"
    r"|my (?:file|profile)|the record)"
)
_AFTER = (
    r"(?= $| (?:but|and|please|ok|okay|because|since|for|as|turn|or|so|either|though|i|we|my|"
    r"thanks|at all)\b)"
)
_PRIVATE = late(
    rf"{_NOT_KEEP} {_STORE}(?: down)? {_OBJECT}(?: (?:conversation|chat|message) turn)?"
    rf"{_PLACE}?{_AFTER}"
    rf"|{_NOT_KEEP} {_WRITE}(?: {_OBJECT}{_PLACE}| down {_OBJECT}){_AFTER}"
    rf"|{_NOT_KEEP} (?:remember|memori[sz]e) (?:my|any of my) \S+"
    r"| (?:this is|that is|that was|it is|keep (?:this|that|it)|strictly|this stays) "
    r"(?:strictly )?off the record "
    r"|^ off the record |^(?!.* (?:told|said|says|spoke|admitted) ).* off the record $"
    r"| (?:keep|leave) (?:this|that|it) out of (?:your |the )?"
    r"(?:memory|memories|notes?|records?|log|history) "
    rf"| (?:keep|leave) (?:this|that|it) out of {_OWN} "
    rf"| (?:delete|erase|remove|wipe|scratch|strike|clear) {_OBJECT} from {_OWN} "
    r"| (?:is|are|stays|was) not (?:to be|for|being) "
    r"(?:remembered|stored|saved|recorded|kept|the record|your memory) "
    r"| (?:this|that) (?:should|must|can) not be (?:remembered|stored|saved|recorded|kept) "
    r"|(?<! not)(?<! never)(?<! i) forget (?:that )?i (?:just |ever |even )?"
    r"(?:said|told|mentioned|asked|brought)"
    r"(?: you| up)?(?: that| this| it| anything| about it| about that)*(?= $| (?:please|ok)) "
    rf"|{_NOT_KEEP} {_STORE} what i (?:just )?(?:said|told you|wrote|mentioned) about \S+"
)
# Around a request that says nothing else.
_COURTEOUS = word_set(
    "oh ah um hm hmm well so and also but then now please pls thanks thank you sorry ok okay yes "
    "no yeah hey hi wait actually just never mind disregard ignore it that this either though too "
    "can could would will one more thing btw by the way"
)
_ALONE = 160
_TOPIC = late(
    r" (?:what i (?:just )?(?:said|told you|wrote|mentioned) about"
    r"|(?:remember|memori[sz]e)(?: any of)? my) (.{1,80})"
)
_NEGATION = late(
    r"not\b|n['’`´]?t\b|\bnever\b|\bno need\b|\bout\b|\boff\b"
    r"|\b(?:forget|delete|erase|remove|wipe|scratch|strike|clear)\b"
)
_STORING = late(
    r"\b(?:remember|memor|stor|sav|record|retain|log|note|ke[ep]|writ|jot|put\b|add|said\b|told\b|"
    r"mention|asked|brought|commit|hold|hist|profile|file)"
)
_ENDS = 4_096
_MAX_HINTS = 32
_REACH = 64
_BEFORE, _BEHIND = 120, 160


def asks_privacy(text: str) -> tuple[bool, bool]:
    """Whether the turn asks not to be remembered, and whether it says nothing but that.

    A turn that says nothing else speaks of what its speaker said before it. Of a long text the
    two ends are read.
    """
    for sentence in _hinted(text.lower()):
        match = _PRIVATE.search(read(sentence).line)
        if match is not None:
            return True, _says_nothing_else(text)
    return False, False


def _says_nothing_else(text: str) -> bool:
    if len(text) > _ALONE:
        return False
    lines = [read(sentence).line for sentence in split_sentences(text.lower())]
    rest = {word for line in lines for word in _PRIVATE.sub("  ", line).split()}
    topics = {word for line in lines for found in _TOPIC.findall(line) for word in found.split()}
    return len(rest - _COURTEOUS - topics) <= 1


def _hinted(text: str) -> Iterator[str]:
    """The sentences in which a word of storing follows a word of denying."""
    ends = (text,) if len(text) <= 2 * _ENDS else (text[:_ENDS], text[-_ENDS:])
    for end in ends:
        covered = 0
        for verb in islice(_STORING.finditer(end), _MAX_HINTS):
            reach = max(0, verb.start() - _REACH)
            if verb.end() > covered and _NEGATION.search(end, reach, verb.start()):
                covered = verb.end() + _BEHIND // 2
                yield from split_sentences(
                    end[max(0, verb.start() - _BEFORE) : verb.end() + _BEHIND]
                )


# Nobody asks to forget these: who says so after one speaks of what came before it.
_PASSING = frozenset({Reason.GREETING, Reason.THANKS, Reason.FILLER, Reason.EMPTY})


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """A turn before the one that asks, with the reason that the gate gave for it."""

    turn: int
    role: Role
    name: str | None
    content: str
    reason: str


def spoken_of(
    asks: str, name: str | None, before: Sequence[SaidBefore], analyzer: Analyzer
) -> list[int]:
    """The turns that a turn which says only "don't remember that" (``asks``) speaks of, in order.

    ``before`` are the turns before it, latest first. It is what its speaker (``name``) said last,
    a mere thanks or greeting aside, or last about the matter that it names; and where an assistant
    said it again since then, that too. Asked twice, nothing more is meant.
    """
    topic = _TOPIC.search(read(asks).line)
    about = frozenset(analyzer.stems(topic[1])) if topic else frozenset()
    since: list[SaidBefore] = []
    for said in before:
        if said.role == "assistant":
            since.append(said)
        if said.role != "user" or _is_another(said.name, name) or said.reason in _PASSING:
            continue
        if said.reason == Reason.PRIVACY and not about:
            return []
        own = frozenset(analyzer.stems(said.content))
        if 2 * len(about & own) >= len(about):
            again = [one for one in since if own and own <= frozenset(analyzer.stems(one.content))]
            return sorted(one.turn for one in (said, *again))
    return []


def _is_another(name: str | None, asking: str | None) -> bool:
    """Of whom no name is known may be either."""
    return name is not None and asking is not None and name != asking
