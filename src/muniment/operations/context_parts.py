"""Where the candidates of a context come from: a search, the profile, a data source, a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, Protocol, cast
from uuid import UUID

from muniment.domain import ranking
from muniment.domain.assembly import Section
from muniment.domain.binding import binds
from muniment.domain.mode import Mode
from muniment.domain.mode.situation import Situation
from muniment.domain.ranking import parse_question
from muniment.domain.same_words import words_of
from muniment.domain.text import analyzer_for
from muniment.domain.timeline import micros
from muniment.operations.context_items import (
    Candidate,
    Gathered,
    of_item,
    of_profile,
    of_row,
)
from muniment.operations.context_run import held_by_run
from muniment.operations.items import Item, item_of
from muniment.operations.run_state import StaleInput, view_of
from muniment.operations.types import Level
from muniment.ports import Context, ScopeRow
from muniment.records.alongside import Alongside, answer_of
from muniment.records.analyses import HeldAsked, OnSource, answer_held_on, ask_held_on
from muniment.records.index_rows import asked_vector
from muniment.records.items import Moment, is_past, moment_of
from muniment.records.knowledge_search import found_chunks, look_for_chunks
from muniment.records.outdated import OutdatedTurn, behind_findings, outdated_turns
from muniment.records.profiles import ProfileRow, ask_profile
from muniment.records.runs import RunRow
from muniment.records.search import Ask, Found, search
from muniment.records.sources import SourceNames, ask_source, source_of

_CHARACTERS: Final = 16
"""Of a token, at most, as the longest of Llama 2 has them."""
_SEARCHED: Final[Mapping[str, frozenset[Section]]] = {
    "semantic": frozenset({"facts", "findings", "knowledge"}),
    "episodic": frozenset({"interactions"}),
    "knowledge": frozenset({"knowledge"}),
}
_OF_THE_USER: Final[tuple[Section, ...]] = ("profile", "facts", "interactions")
_BOUND: Final = ("finding", "data_quality", "domain_pattern")


class Asked(Protocol):
    """What is asked of a context."""

    @property
    def query(self) -> str: ...
    @property
    def k(self) -> int: ...
    @property
    def data_source(self) -> str | None: ...
    @property
    def mode(self) -> Mode | None: ...
    @property
    def as_of(self) -> datetime | None: ...
    @property
    def known_at(self) -> datetime | None: ...
    @property
    def org_known_at(self) -> datetime | None: ...
    @property
    def run_id(self) -> str | None: ...


@dataclass
class Parts:
    """A context that is being gathered: what is asked, where, and what came of it so far."""

    ctx: Context
    asked: Asked
    scopes: Sequence[ScopeRow]
    tiers: frozenset[str]
    wanted: frozenset[Section]
    budget: int
    source: SourceNames | None
    gathered: Gathered
    known: dict[str, datetime]
    found: dict[Section, list[tuple[Candidate, Item]]] = field(default_factory=dict)
    outdated: Alongside[OutdatedTurn] | None = None
    abstained: bool = False
    stale: Sequence[StaleInput] = ()

    def known_at(self, level: str) -> datetime | None:
        """The moment on the record that a scope is asked about; None: as it stands."""
        return (self.asked.org_known_at if level == "org" else None) or self.asked.known_at

    def moment(self, scope: ScopeRow) -> Moment:
        """The instants of a read of a scope, those of the search where there was one."""
        mark = self.known.get(scope.level, scope.watermark)
        return moment_of(self.ctx, mark, self.asked.as_of, self.known_at(scope.level))

    @property
    def present(self) -> bool:
        """Whether it is asked about as things stand now."""
        asked = self.asked
        return (asked.as_of, asked.known_at, asked.org_known_at) == (None, None, None)

    @property
    def own(self) -> ScopeRow | None:
        """The user's scope, if there is one."""
        return next((scope for scope in self.scopes if scope.level == "user"), None)


async def gather(parts: Parts, run: RunRow | None) -> None:
    """Candidates of every section that is wanted, each in the first that has a claim to it."""
    ctx, named = parts.ctx, parts.asked.data_source
    names = None if named is None or "semantic" not in parts.tiers else ask_source(ctx, named)
    profile = await _search(parts)
    if names is not None and named is not None:
        if parts.scopes:
            await answer_of(ctx, parts.scopes[0].scope_id, names)
        parts.source = source_of(named, names.rows)
    asked = _ask_held(parts)
    # What was asked goes along with what the run is asked for.
    of_run = [] if run is None or "run_state" not in parts.wanted else await _of_run(parts, run)
    listed = await _profile(parts, profile)
    held = [] if asked is None else await _held(parts, asked)
    _flags(parts, held)
    parts.gathered.add("run_state", of_run)
    parts.gathered.add("profile", listed)
    _facts(parts, held)
    _findings(parts, held)
    await _interactions(parts)
    _words_of_findings(parts, held)
    _knowledge(parts)


async def _search(parts: Parts) -> Alongside[ProfileRow] | None:
    """What answers the question, in every scope, the best first by the strength of its scope.

    What can be asked along with the searches is.
    """
    searched = {tier for tier in parts.tiers if _SEARCHED[tier] & parts.wanted}
    question = await _question(parts.ctx, parts.asked)
    memories = frozenset(searched - {"knowledge"})
    asks = [(scope, _ask(parts, scope, question, memories)) for scope in parts.scopes]
    documents = [
        look_for_chunks(parts.ctx, *one)
        for one in asks
        if "knowledge" in searched and one[0].level == "org" and one[0].chunks
    ]
    profile = None
    found: list[Found] = []
    for scope, ask in asks:
        if memories:
            found.append(await search(parts.ctx, scope, ask))
            _hold(parts, found[-1])
        if scope.level == "user":
            profile = _ask_more(parts, scope, found)
    for one in documents:
        found.append(await found_chunks(parts.ctx, one))
        _hold(parts, found[-1])
    _rank(parts, found)
    parts.abstained = bool(searched) and not parts.found
    return profile


def _hold(parts: Parts, answer: Found) -> None:
    moment = answer.moment.known_at
    parts.known[answer.level] = max(moment, parts.known.get(answer.level, moment))


def _ask_more(
    parts: Parts, scope: ScopeRow, found: Sequence[Found]
) -> Alongside[ProfileRow] | None:
    """What the profile may have, and which of the turns that were found are outdated."""
    moment = parts.moment(scope)
    turns = [row.id for one in found for row, _ in one.rows if row.kind == "event"]
    if turns:
        parts.outdated = outdated_turns(parts.ctx, scope.scope_id, turns, moment)
    if "profile" not in parts.wanted or "semantic" not in parts.tiers:
        return None
    return ask_profile(parts.ctx, scope.scope_id, moment, _CHARACTERS * parts.budget)


def _rank(parts: Parts, found: Sequence[Found]) -> None:
    """The answers of the scopes together; each in its section."""
    strongest = max((answer.strength for answer in found), default=0.0) or 1.0
    ranked: list[tuple[float, Candidate, Item]] = []
    for answer in found:
        level = cast("Level", answer.level)
        for row, hit in answer.rows:
            score = round(hit.score * answer.strength / strongest, 6)
            item = item_of(parts.ctx, row, level, answer.moment, score=score)
            told = of_item(item, answer.scope_id, answer.moment.known_at)
            ranked.append((score, told, item))
    ranked.sort(key=lambda one: -one[0])
    for _, told, item in ranked:
        parts.found.setdefault(_section_of(item), []).append((told, item))


async def _question(ctx: Context, asked: Asked) -> ranking.Question:
    analyzer = analyzer_for(ctx.language)
    question = parse_question(asked.query, analyzer, now=micros(asked.as_of or ctx.now))
    question = question.with_vector(await asked_vector(ctx, asked.query, question.content))
    return question.with_related(ctx.words, analyzer)


def _ask(parts: Parts, scope: ScopeRow, question: ranking.Question, tiers: frozenset[str]) -> Ask:
    # What is below the floor is left out here, with its reason, and not by the search.
    return Ask(
        question=question,
        as_of=parts.asked.as_of,
        known_at=parts.known_at(scope.level),
        k=parts.asked.k,
        tiers=tiers,
        kinds=None,
        min_confidence=0.0,
        predicate=None,
    )


def _ask_held(parts: Parts) -> HeldAsked | None:
    if parts.source is None or not parts.scopes:
        return None
    moments = {scope.scope_id: parts.moment(scope) for scope in parts.scopes}
    known = None if parts.present else {one: each.known_at for one, each in moments.items()}
    at = max(each.as_of for each in moments.values())
    return ask_held_on(parts.ctx, parts.scopes, parts.source, at, known, _BOUND)


async def _held(parts: Parts, asked: HeldAsked) -> list[tuple[OnSource, Candidate]]:
    """What is held on the data source, each with how it is told."""
    rows = await answer_held_on(parts.ctx, asked)
    scopes = {scope.scope_id: scope for scope in parts.scopes}
    told = []
    for row in rows:
        scope = scopes[row.scope_id]
        binding = binds(scope.level, row.trust, row.observers or 0)
        seen_at = parts.moment(scope).known_at
        told.append((row, of_row(row, scope.level, seen_at, parts.ctx.now, binding=binding)))
    return told


def _flags(parts: Parts, held: Sequence[tuple[OnSource, Candidate]]) -> None:
    """Faults of the data: what binds is required, what does not yet is shared knowledge."""
    flags = [one for row, one in held if row.kind == "data_quality"]
    parts.gathered.add("required_workarounds", [one for one in flags if not one.item.unconfirmed])
    if "knowledge" in parts.wanted:
        parts.gathered.add("knowledge", [one for one in flags if one.item.unconfirmed])


async def _of_run(parts: Parts, run: RunRow) -> list[Candidate]:
    view = await view_of(parts.ctx, run)
    parts.stale = view.stale_inputs
    return held_by_run(view, run)


async def _profile(parts: Parts, asked: Alongside[ProfileRow] | None) -> list[Candidate]:
    """What a session starts with; what answers the question too is preferred."""
    own = parts.own
    if asked is None or own is None:
        return []
    moment = parts.moment(own)
    rows = await answer_of(parts.ctx, own.scope_id, asked)
    scores = {
        one.item.id: one.item.score or 0.0 for every in parts.found.values() for one, _ in every
    }
    told = [
        of_profile(
            row,
            own.scope_id,
            moment.known_at,
            at,
            stale=is_past(parts.ctx, row.slot, row.as_of, moment),
        )
        for at, row in enumerate(rows)
    ]
    return sorted(told, key=lambda one: -scores.get(one.item.id, 0.0))


def _facts(parts: Parts, held: Sequence[tuple[OnSource, Candidate]]) -> None:
    """What is known of the user and answers the question; how they work with the data source."""
    if "facts" in parts.wanted:
        parts.gathered.add("facts", _answering(parts, "facts"))
        parts.gathered.add("facts", [one for row, one in held if row.kind == "domain_pattern"])


def _findings(parts: Parts, held: Sequence[tuple[OnSource, Candidate]]) -> None:
    """By the mode: none where it is ``fresh``, one that is to be confirmed, those that are current,
    or all.
    """
    if "findings" not in parts.wanted:
        return
    told = _answering(parts, "findings")
    if parts.source is not None:
        situation = Situation(parts.asked.query, parts.ctx.now, language=parts.ctx.language)
        on_source = [(row, one) for row, one in held if row.kind == "finding"]
        on_source.sort(key=lambda one: (-situation.closeness(one[0].text), -one[0].confidence))
        told = [one for _, one in on_source]
    kept = _by_mode(parts.asked.mode, told)[: parts.asked.k]
    parts.gathered.add("findings", kept)
    for one in told[: parts.asked.k]:
        if one not in kept:
            reason: Literal["expired", "mode"] = "mode"
            if one.item.stale and parts.asked.mode in {None, "extend"}:
                reason = "expired"
            parts.gathered.drop("findings", one.item.id, "semantic", reason)


def _by_mode(mode: Mode | None, told: list[Candidate]) -> list[Candidate]:
    current = [one for one in told if not one.item.stale]
    return {"fresh": [], "revalidate": told[:1], "re-run": told}.get(mode or "", current)


async def _interactions(parts: Parts) -> None:
    """Turns and summaries; not a turn whose facts all have been superseded since, nor, for a fresh
    look, one that a finding rests on.
    """
    if "interactions" not in parts.wanted:
        return
    told = _answering(parts, "interactions")
    out: dict[UUID, tuple[Literal["mode", "superseded"], UUID | None]] = {}
    if parts.outdated is not None and parts.own is not None:
        rows = await answer_of(parts.ctx, parts.own.scope_id, parts.outdated)
        out = {row.event_id: ("superseded", row.by) for row in rows}
    if parts.asked.mode == "fresh" and parts.own is not None:
        found = await behind_findings(
            parts.ctx, parts.own.scope_id, [one.item.id for one in told], parts.source,
            parts.moment(parts.own),
        )  # fmt: skip
        out |= {row.id: ("mode", row.by) for row in found}
    for one in told:
        if one.item.id in out:
            reason, by = out[one.item.id]
            parts.gathered.drop("interactions", one.item.id, "episodic", reason, by)
    parts.gathered.add("interactions", [one for one in told if one.item.id not in out])


def _words_of_findings(parts: Parts, held: Sequence[tuple[OnSource, Candidate]]) -> None:
    """For a fresh look, nothing that is told of the user has the words of a finding either."""
    if parts.asked.mode != "fresh":
        return
    findings = [one for row, one in held if row.kind == "finding"]
    findings += [
        one
        for one, item in parts.found.get("findings", ())
        if not _of_another_source(parts.source, item)
    ]
    by = {words_of(one.item.text): one.item.id for one in findings}
    for name in _OF_THE_USER:
        kept = []
        for one in parts.gathered.sections.pop(name, []):
            finding = by.get(words_of(one.item.text))
            if finding is None:
                kept.append(one)
            else:
                parts.gathered.drop(name, one.item.id, one.item.tier, "mode", finding)
        if kept:
            parts.gathered.sections[name] = kept


def _knowledge(parts: Parts) -> None:
    if "knowledge" in parts.wanted:
        parts.gathered.add("knowledge", _answering(parts, "knowledge"))


def _answering(parts: Parts, section: Section) -> list[Candidate]:
    """What the search found for a section; what is below the floor or of another source is out."""
    told = []
    for one, item in parts.found.get(section, ()):
        if parts.gathered.has(one.item):
            continue
        sure = 1.0 if item.confidence is None else item.confidence
        if sure < parts.ctx.policy.confidence.recall_floor:
            parts.gathered.drop(section, item.id, item.tier, "floor")
        elif _of_another_source(parts.source, item):
            parts.gathered.drop(section, item.id, item.tier, "other_source")
        else:
            told.append(one)
    return told


def _section_of(item: Item) -> Section:
    if item.scope == "org":
        return "knowledge"
    if item.tier == "episodic":
        return "interactions"
    return "findings" if item.kind == "finding" else "facts"


def _of_another_source(source: SourceNames | None, item: Item) -> bool:
    """Whether it holds on other data than what is asked about."""
    if source is None or item.kind not in _BOUND:
        return False
    return item.data_source is not None and item.data_source not in source.names
