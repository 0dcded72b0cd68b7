"""What a model may answer, and what becomes of it: candidates, or nothing at all.

| the output | then |
|---|---|
| an unknown field, kind or slot; a text over its limit or with hidden characters | invalid |
| a slot without a value, or the other way round | invalid |
| an instant without an offset, a window that ends before it starts | invalid |
| a cited turn that was not sent, or none | invalid |
| no turn of the user or a tool is cited, or only what is there to be read along | left out |
| a retraction of what the cited turns hardly mention | left out |
| what is said to be replaced, and they hardly mention it | a candidate that replaces nothing |
| the rest | candidates, each once |

One invalid candidate makes the whole output invalid: what breaks one rule is not trusted further.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

import regex
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from muniment.domain.extraction import Extracted, SaidTurn
from muniment.domain.slot import Slot
from muniment.domain.statement import STATING
from muniment.domain.text import analyzer_for
from muniment.domain.timeline import parse_instant

ProposedKind = Literal["fact", "user_preference", "domain_pattern", "data_quality"]
"""Kinds that conversations give: findings come from reports, procedures from operators."""

RULE = "model"
"""What stands as the rule of a candidate that a model proposed."""

MOST_CANDIDATES = 100
_MOST_TEXT = 1000
# Small models go on for ever where nothing bounds them.
_MOST_CITED = 20
_MOST_NAME_BYTES = 256
_THE_USER = frozenset({"user", "the user"})
# Controls, surrogates, private use, separators of lines, and what shows nothing; joiners and
# variation selectors belong to scripts and emoji.
_UNSEEN = regex.compile(
    r"[[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cf}\uFFFD]--[\u200c\u200d]]", regex.V1
)


def _plain(value: str) -> str:
    text = " ".join(value.split())
    if not text:
        raise ValueError("is empty")
    if _UNSEEN.search(text):
        raise ValueError("has characters that are not seen")
    return text


def _name(value: str) -> str:
    text = _plain(value)
    if len(text.encode()) > _MOST_NAME_BYTES:
        raise ValueError(f"has more than {_MOST_NAME_BYTES} bytes")
    return text


def _instant(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("is no instant such as 2026-05-26T09:30:00+02:00")
    return parse_instant(value)


Sentence = Annotated[str, Field(max_length=_MOST_TEXT), AfterValidator(_plain)]
Name = Annotated[str, Field(max_length=_MOST_NAME_BYTES), AfterValidator(_name)]
Instant = Annotated[
    datetime, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})
]


class Proposal(BaseModel):
    """One memory that is proposed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    kind: ProposedKind
    text: Sentence = Field(description="One self-contained sentence in the third person.")
    slot: Name | None = Field(default=None, description="A slot of the list, or null.")
    value: Name | None = Field(
        default=None, description="The slot's value, in the user's own words, or null."
    )
    subject: Name | None = Field(
        default=None, description="Whom it is about, if that is not the user; or null."
    )
    data_source: Name | None = Field(
        default=None, description="The data set that it is about, or null."
    )
    valid_from: Instant | None = Field(
        default=None, description="From when it is so, if the turns say the day."
    )
    valid_to: Instant | None = Field(
        default=None, description="Until when, not included, if the turns say so."
    )
    cited: Annotated[list[int], Field(min_length=1, max_length=_MOST_CITED)] = Field(
        description="Numbers of the turns that say so."
    )
    retracts: bool = Field(
        default=False, description="True if the turns say that it is no longer so."
    )
    replaces: Sentence | None = Field(
        default=None, description="What it replaces, if they name it; or null."
    )


class Proposals(BaseModel):
    """Everything that is proposed from the turns; an empty list if there is nothing to keep."""

    model_config = ConfigDict(extra="forbid", strict=True)

    candidates: Annotated[list[Proposal], Field(max_length=MOST_CANDIDATES)]


@dataclass(frozen=True)
class Admitted:
    """The candidates of one answer, and how many a rule left out."""

    candidates: tuple[Extracted, ...]
    left_out: int


def faults_of(
    proposals: Proposals, sent: Mapping[int, SaidTurn], slots: Mapping[str, Slot]
) -> list[str]:
    """What is wrong with an output beyond its form; names places, and quotes nothing."""
    faults = []
    for at, one in enumerate(proposals.candidates):
        place = f"candidates[{at}]"
        if (one.slot is None) != (one.value is None):
            faults.append(f"{place}: slot and value go together")
        if one.slot is not None and one.slot not in slots:
            faults.append(f"{place}.slot: is none of the slots")
        if one.slot is not None and one.kind != "fact":
            faults.append(f"{place}.slot: only a fact has a slot")
        if not sent.keys() >= set(one.cited):
            faults.append(f"{place}.cited: names a turn that is not there")
        if one.valid_from and one.valid_to and one.valid_to <= one.valid_from:
            faults.append(f"{place}.valid_to: is not after valid_from")
    return faults


def admitted(proposals: Proposals, sent: Mapping[int, SaidTurn], user_name: str | None) -> Admitted:
    """The candidates that the rules admit, of an output without faults."""
    found: dict[Extracted, None] = {}
    left_out = 0
    for one in proposals.candidates:
        said = [sent[turn] for turn in one.cited if _may_state(sent[turn])]
        if not said or (one.retracts and not _mentioned(one.value or one.text, said, user_name)):
            left_out += 1
            continue
        replaces = one.replaces
        if replaces is not None and not _mentioned(replaces, said, user_name):
            replaces = None
        found[_extracted(one, user_name, replaces)] = None
    return Admitted(tuple(found), left_out)


def proposable() -> Sequence[str]:
    """The kinds that a model may propose."""
    return get_args(ProposedKind)


def _may_state(turn: SaidTurn) -> bool:
    return turn.role in STATING and not turn.echo


def _mentioned(text: str, turns: Sequence[SaidTurn], user_name: str | None) -> bool:
    """Whether at least half of what a text is about stands in the turns.

    What would close a memory is about something that was spoken of, or it is made up.
    """
    stems = analyzer_for().stems
    known = {*stems(f"user {user_name or ''}")}
    about = {*stems(text)} - known
    spoken = {stem for turn in turns for stem in stems(turn.content)}
    return bool(about) and 2 * len(about & spoken) >= len(about)


def _extracted(one: Proposal, user_name: str | None, replaces: str | None) -> Extracted:
    subject = one.subject
    if subject is not None and subject.casefold() in {*_THE_USER, (user_name or "").casefold()}:
        subject = None
    return Extracted(
        kind=one.kind,
        text=one.text,
        subject=subject,
        slot=one.slot,
        value=one.value,
        data_source=one.data_source,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        cited=tuple(sorted(set(one.cited))),
        rule=RULE,
        retracts=one.retracts,
        replaces=replaces,
    )
