"""Who does what to whom in a sentence: its words, each with what stands before its phrase."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late_regex
from muniment.domain.quantities import Token

OWNS: Final = "ofits"
"""Stands for the ending of "the user's"."""
_BE: Final = word_set("am is are was were be been being isn't aren't wasn't weren't get gets got")
_AUXILIARY: Final = _BE | word_set(
    "has have had do does did will would shall should can could may might must"
)
_DETERMINER: Final = word_set("a an the my her his their its our your this these those each")
_CLASSES: Final = {
    "in": "in within during inside", "at": "at", "on": "on", "of": f"of {OWNS}", "from": "from",
    "with": "with", "to": "to into onto towards", "for": "for", "by": "by",
    "than": "than instead over butnot", "and": "and or but plus", "about": "about regarding",
    "between": "between", "against": "against", "through": "through via", "without": "without",
    "until": "until till", "under": "under below",
    "above": "above", "near": "near beside", "behind": "behind", "around": "around across along",
}  # fmt: skip
_CLAUSES: Final = {
    "when": "when if once while whenever unless", "then": "then before", "after": "after",
    "because": "because since as", "who": "who which whose whom that",
}  # fmt: skip
_CLAUSE: Final = {word: name for name, words in _CLAUSES.items() for word in words.split()}
_PREPOSITIONS: Final = {word: name for name, words in _CLASSES.items() for word in words.split()}
_PARTICIPLES: Final = word_set(
    "sent built paid bought sold held kept left lost made met read run set cut put shut hit sung"
    " won told taught caught found fed led spent understood brought done overwritten rewritten"
)
_PURE: Final = word_set(
    "written taken given driven broken chosen eaten spoken stolen forgotten hidden known shown"
    " grown thrown drawn seen worn torn frozen woken beaten proven ridden shaken overwritten"
)
"""Participles that are no past."""
_ED: Final = late_regex(r"\p{L}{2,}ed", regex.IGNORECASE)
_TIMED: Final = frozenset({"date", "day", "time", "span", "months"})
_OBJECTS: Final = word_set("me him her us")
_OF_OF: Final = "of of"
SOME: Final = "\0some "
"""What a unit without a number starts with."""
_FLOATS: Final = word_set("work works worked run runs apply applies open opens happen happens")
"""Verbs before which "only" speaks of what follows them."""
_SEASONS: Final = word_set("weekend summer winter spring autumn")
_WEAK: Final = word_set(
    "show shows showed shown see seen count counts counted come comes happen happens occur occurs"
    " exist exists appear appears become becomes reporting"
)
"""Verbs of which one and the same may stand before or behind what they speak of."""
_NOMINAL: Final = late_regex(r"\p{L}+(?:er|ers|or|ors|ist|ists|ion|ions|ment)|lessons?")
_PAUSE: Final = late_regex(r"[,;:!?](?:\s|$)|(?<=\w{3})\.(?:\s|$)|\s[-\u2013\u2014]\s")
Word = tuple[str, int]
"""A word, and which time it stands there."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The words of a sentence in order, each with what stands before its phrase."""

    place: Mapping[Word, int]
    marker: Mapping[Word, str]
    timed: Mapping[Word, str]
    """Days, dates and times, and which of them."""
    loose: frozenset[Word]
    """Adverbs, and verbs that say little: where they stand tells nothing."""
    nominal: frozenset[Word]
    """Nouns made of verbs: "teacher"."""
    hyphened: frozenset[Word]
    """Parts of words with a hyphen."""
    pronouns: frozenset[str]
    """What stands before "her" and "them"."""
    user: frozenset[str]
    """What stands before the user."""
    passive: frozenset[Word]
    """Verbs that say what is done to what stands before them."""
    nouns: frozenset[Word]
    """What an article stands before, or "of" behind."""
    front: frozenset[Word]
    """Words of phrases that stand before everything else."""
    linked: frozenset[int]
    """Before which places a form of "to be" stands that makes no passive."""
    paused: frozenset[int]
    """Before which places there is a comma."""
    only: frozenset[str]
    """The words that "only" speaks of; "" where that is open."""


def roles(text: str, read_tokens: Sequence[Token], line: Sequence[Sequence[str]]) -> Roles:
    """The roles of the words of ``line``, which stand for ``read_tokens`` of the text."""
    return _Walk(text, read_tokens, line).roles()


class _Walk:
    """Goes over the tokens once, from the left."""

    def __init__(
        self, text: str, read_tokens: Sequence[Token], line: Sequence[Sequence[str]]
    ) -> None:
        self._text = text
        self._tokens = read_tokens
        self._line = line
        self._clause = self._phrase = ""
        self._full = self._bare = False
        self._last: list[Word] = []
        self._written: dict[str, set[str]] = defaultdict(set)
        for one, words in zip(read_tokens, line, strict=True):
            for form in words:
                self._written[form].add(one.text.casefold())
        self._seen: Counter[str] = Counter()
        self._place: dict[Word, int] = {}
        self._markers: dict[Word, str] = {}
        self._sets: defaultdict[str, set[Word]] = defaultdict(set)
        self._timed: dict[Word, str] = {}
        self._pronouns: set[str] = set()
        self._user: set[str] = set()
        self._linked: set[int] = set()
        self._paused: set[int] = set()
        self._only: set[str] = set()
        self._be = False
        self._article = False
        self._waiting = ""

    def roles(self) -> Roles:
        """What was found."""
        for at, one in enumerate(self._tokens):
            before = self._tokens[at - 1].start if at else 0
            if _PAUSE.search(self._text, before, one.start):
                self._clause = self._phrase = ""
                self._full = self._be = False
                self._paused.add(len(self._place))
            self._person(at)
            if one.family or not self._function(at, one.text.casefold()):
                self._content(at)
        if self._waiting not in ("", "more") and self._place and not self._is_counted():
            self._only.add(list(self._place)[-1][0])
        return Roles(
            place=self._place,
            marker=self._markers,
            timed=self._timed,
            loose=frozenset(self._sets["loose"]),
            nominal=frozenset(self._sets["nominal"]),
            hyphened=frozenset(self._sets["hyphened"]),
            pronouns=frozenset(self._pronouns - {""}),
            user=frozenset(self._user),
            passive=frozenset(self._sets["passive"]),
            nouns=frozenset(self._sets["noun"]),
            front=frozenset(self._sets["front"]),
            linked=frozenset(self._linked),
            paused=frozenset(self._paused),
            only=frozenset(self._only),
        )

    def _function(self, at: int, low: str) -> bool:
        """True if it is a word that only says how others stand."""
        if low == OWNS:
            self._owner()
        elif low in ("only", "solely", "just", "merely"):
            self._waiting = "only" if self._place else "^"
            if at and self._tokens[at - 1].text.casefold() in _AUXILIARY:
                self._leave_open()
        elif low in _CLAUSE:
            self._clause, self._phrase, self._full = _CLAUSE[low], "", False
            self._waiting = self._waiting and "phrase"
        elif low in _PREPOSITIONS:
            self._preposition(low)
        elif low in _AUXILIARY:
            self._auxiliary(low)
        elif low in _DETERMINER:
            self._phrase = "" if self._full else self._phrase
            self._be = False
            self._article = True
        else:
            return False
        return True

    def _owner(self) -> None:
        for word in self._last:
            held = self._markers[word]
            self._markers[word] = _OF_OF if held == "of" else held or "of"
        self._full = False

    def _preposition(self, low: str) -> None:
        if low == "of":
            self._sets["noun"].update(self._last)
        self._be = low == "and" and bool(self._last) and self._sets["passive"] >= {*self._last}
        again = low == "of" and self._phrase == "of" and self._full
        self._phrase, self._full = _OF_OF if again else _PREPOSITIONS[low], False
        self._waiting = self._waiting and "phrase"

    def _auxiliary(self, low: str) -> None:
        self._phrase, self._full = "", False
        if self._waiting:
            self._leave_open()
        if low in _BE:
            self._be = True
            self._linked.add(len(self._place))

    def _leave_open(self) -> None:
        """What "only" speaks of beside "is" or "has" cannot be seen."""
        self._only.add("")
        self._waiting = ""

    def _is_counted(self) -> bool:
        """ "1,200 people only": how many are counted is said by the number."""
        at = max(at for at, words in enumerate(self._line) if words)
        return bool(at and self._tokens[at - 1].family)

    def _person(self, at: int) -> None:
        low = self._tokens[at].text.casefold()
        marker = f"{self._clause} {self._phrase}".strip()
        if low in ("user", "users"):
            owner = at + 1 < len(self._tokens) and self._tokens[at + 1].text == OWNS
            self._user.add("of" if owner else marker)
        elif low in _OBJECTS and not (at + 1 < len(self._tokens) and self._line[at + 1]):
            self._pronouns.add(self._phrase)

    def _is_hyphened(self, at: int) -> bool:
        start = self._tokens[at].start
        end = start + len(self._tokens[at].text)
        return "-" in (self._text[start - 1 : start], self._text[end : end + 1])

    def _content(self, at: int) -> None:
        found = self._line[at]
        if not found:
            self._bare = self._bare or not (self._clause or self._phrase)
            self._last = []
            return
        one = self._tokens[at]
        if one.family == "code":
            # A name, in whose place a word may stand.
            found = [f"code {one.value}"]
        passive = not one.family and self._is_passive(at)
        if passive:
            self._linked.discard(len(self._place))
        timed = self._time_of(one, found[0])
        marker = f"{self._clause} {self._phrase}".strip()
        if timed and marker in ("in", "at", "on", ""):
            marker = "@"
        self._bare = self._bare or not marker
        self._last = [self._added(form, one, marker) for form in found]
        if timed:
            self._timed.update(dict.fromkeys(self._last, timed))
        self._sort(one, passive=passive, hyphened=self._is_hyphened(at))
        self._only_before(one, found[0], counted=bool(one.family) and not timed)
        self._full = True
        self._article = False
        if not one.text.endswith("ly"):
            self._be = False

    @staticmethod
    def _time_of(one: Token, form: str) -> str:
        if form.startswith("part:") or form in _SEASONS:
            return "part"
        return "" if form.startswith(SOME) or one.family not in _TIMED else one.family

    def _added(self, form: str, one: Token, marker: str) -> Word:
        """The word, told apart from others of its meaning in the sentence."""
        if len(self._written[form]) > 1:
            form = f"{form}~{one.text.casefold()}"
        word = (form, self._seen[form])
        self._seen[form] += 1
        self._place[word] = len(self._place)
        self._markers[word] = marker
        return word

    def _sort(self, one: Token, *, passive: bool, hyphened: bool) -> None:
        low = one.text.casefold()
        for name, is_so in (
            ("hyphened", hyphened),
            ("passive", passive),
            ("noun", self._article),
            ("front", not self._bare),
            ("loose", low.endswith("ly") or low in _WEAK),
            ("nominal", _NOMINAL.fullmatch(low) is not None),
        ):
            if is_so:
                self._sets[name].update(self._last)

    def _only_before(self, one: Token, form: str, *, counted: bool) -> None:
        if self._waiting == "only" and one.text.casefold() in _FLOATS:
            self._only.add("")
        elif self._waiting and not counted:
            self._only.add(f"^{form}" if self._waiting == "^" else form)
        self._waiting = "more" if self._waiting == "phrase" else ""

    def _is_passive(self, at: int) -> bool:
        low = self._tokens[at].text.casefold()
        if low in _PURE:
            return True
        if not (_ED.fullmatch(low) or low in _PARTICIPLES):
            return False
        return self._be or any(
            behind.text.casefold() == "by" for behind in self._tokens[at + 1 : at + 2]
        )
