"""Mutants: what the service would be with one rule gone, each alone, in the process that replays.

What none of the trajectories notices is a gap in the corpus.
"""

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from muniment.domain import binding, context_text, echo, fence, ledger, trust
from muniment.domain.gate import Reason
from muniment.domain.gate.judge import judge
from muniment.domain.policy import Policy
from muniment.domain.ranking import ScopeIndex
from muniment.operations import run_tools, stating
from muniment.ports import Redacted
from muniment.postgres.index_cache import IndexCache
from muniment.postgres.queries import named_queries
from muniment.records import duplicates as records_duplicates
from muniment.records import events, runs
from muniment.replay.local import LocalPlace

_NUMBER = re.compile(r"\d+(\.\d+)?")
Patch = contextlib.AbstractContextManager[None]


@dataclass(frozen=True)
class Mutant:
    """A rule that is gone: what is done to the code, and which trajectories are tried first."""

    name: str
    rule: str
    patch: Callable[[LocalPlace], Patch]
    first: tuple[str, ...]
    usual: bool = False


@contextlib.contextmanager
def _in_the_place_of(target: Any, name: str, other: Any) -> Iterator[None]:
    before = getattr(target, name)
    setattr(target, name, other)
    try:
        yield
    finally:
        setattr(target, name, before)


@contextlib.contextmanager
def _statement(name: str, *changes: tuple[str, str]) -> Iterator[None]:
    """A statement with other words; each must be there."""
    statements = cast(dict[str, str], named_queries())
    before = text = statements[name]
    for old, new in changes:
        assert old in text, f"{name}: {old}"
        text = text.replace(old, new)
    statements[name] = text
    try:
        yield
    finally:
        statements[name] = before


@contextlib.contextmanager
def _every(*patches: Patch) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for one in patches:
            stack.enter_context(one)
        yield


@contextlib.contextmanager
def _policy(place: LocalPlace, change: Callable[[Policy], Policy]) -> Iterator[None]:
    worlds = (place.app, place.worker)
    before = [world.policy for world in worlds]
    for world in worlds:
        object.__setattr__(world, "policy", change(world.policy))
    try:
        yield
    finally:
        for world, policy in zip(worlds, before, strict=True):
            object.__setattr__(world, "policy", policy)


def _gate_off(_place: LocalPlace) -> Patch:
    def kept(*said: Any) -> Any:
        verdict = judge(*said)
        return verdict if verdict.reason is Reason.PRIVACY else replace(verdict, kept=True)

    return _in_the_place_of(events, "judge", kept)


def _post_filter(_place: LocalPlace) -> Patch:
    ranked = ScopeIndex.rank

    def rank(self: ScopeIndex, question: Any, view: Any, k: int) -> Any:
        if view.ids is None:
            return ranked(self, question, view, k)
        found = ranked(self, question, replace(view, ids=None), k)
        return replace(found, hits=tuple(hit for hit in found.hits if hit.id.bytes in view.ids))

    return _in_the_place_of(ScopeIndex, "rank", rank)


def _fence_of_the_lease_ignored(_place: LocalPlace) -> Patch:
    def anybody(_run: Any, _fence: int) -> None:
        return None

    return _every(
        _in_the_place_of(runs, "is_held_by", anybody),
        _in_the_place_of(run_tools, "is_held_by", anybody),
    )


def _scope_lock_removed(_place: LocalPlace) -> Patch:
    without = _statement(
        "scope_bump",
        ("UPDATE scope_state\nSET version = version + 1, watermark = ", "SELECT scope_id, version + 1 AS version, rebuilt, "),
        ("'1 microsecond')", "'1 microsecond') AS watermark FROM scope_state"),
        ("RETURNING scope_id, version, rebuilt, watermark", ""),
    )  # fmt: skip
    # Whoever is not known goes the long way, which comes to that one.
    return _every(without, _statement("scope_bump_known", ("u.opted_out_at IS NULL", "false")))


def _ttl_ignored(place: LocalPlace) -> Patch:
    def endless(policy: Policy) -> Policy:
        kinds = {name: kind.model_copy(update={"ttl": None}) for name, kind in policy.kinds.items()}
        return replace(policy, kinds=kinds)

    return _policy(place, endless)


def _trust_flipped(_place: LocalPlace) -> Patch:
    orders: Mapping[Any, Any] = {
        "user": tuple(reversed(trust.GRADES)),
        "system": tuple(reversed(trust._ORDER["system"])),
    }
    return _in_the_place_of(trust, "_ORDER", orders)


def _system_authority_ignored(_place: LocalPlace) -> Patch:
    orders: Mapping[Any, Any] = {"user": trust.GRADES, "system": trust.GRADES}
    return _in_the_place_of(trust, "_ORDER", orders)


def _numbers_unguarded(_place: LocalPlace) -> Patch:
    compared = records_duplicates._compared

    def without_numbers(ctx: Any, text: str, source: str | None) -> Any:
        return compared(ctx, _NUMBER.sub("0", text), source)

    return _in_the_place_of(records_duplicates, "_compared", without_numbers)


def _across_slots(_place: LocalPlace) -> Patch:
    return _statement(
        "versions_in_slot", ("v.slot = %(slot)s", "(v.slot = %(slot)s OR v.slot IS NOT NULL)")
    )


def _pinned_decays(_place: LocalPlace) -> Patch:
    return _every(
        _statement("faded_due", (" AND NOT v.pinned", "")),
        _statement("faded", (" AND NOT v.pinned", ""), ("o.pinned OR ", "")),
        _statement("faded_versions", ("v.expires_at, v.pinned", "v.expires_at, false AS pinned")),
    )


def _echo_extracted(_place: LocalPlace) -> Patch:
    return _every(
        _in_the_place_of(events, "unless_echo", lambda _said, verdict, _heard: verdict),
        _in_the_place_of(echo, "echoes", lambda *_said: False),
    )


def _vectors_left(_place: LocalPlace) -> Patch:
    return _every(
        _in_the_place_of(IndexCache, "discard", lambda *_scope: None),
        _statement("scope_rebuilt", ("rebuilt = version", "rebuilt = rebuilt")),
    )


def _ledger_after_the_call(_place: LocalPlace) -> Patch:
    def made_anyway(call: Any, arguments: bytes, *, retry: bool = False) -> Any:
        return ledger.Claim("execute", 1 if call is None else call.attempt + 1)

    return _in_the_place_of(ledger, "claim", made_anyway)


def _fence_open(_place: LocalPlace) -> Patch:
    return _every(
        _in_the_place_of(fence, "escaped", lambda text: text),
        _in_the_place_of(context_text, "escaped", lambda text: text),
    )


def _secrets_kept(place: LocalPlace) -> Patch:
    def nothing(_self: Any, text: str, *, named: str | None = None) -> Redacted:
        return Redacted(text, ())

    return _in_the_place_of(type(place.app.redactor), "redact", nothing)


def _instructions_pass(_place: LocalPlace) -> Patch:
    return _every(
        _in_the_place_of(events, "is_suspect", lambda *_said: False),
        _in_the_place_of(stating, "is_suspect", lambda *_said: False),
    )


def _one_word_binds(_place: LocalPlace) -> Patch:
    return _in_the_place_of(binding, "ENOUGH", 1)


def _single_values_decay(_place: LocalPlace) -> Patch:
    single = "coalesce(v.cardinality, 'many') = 'many'"
    return _every(_statement("faded_due", (single, "true")), _statement("faded", (single, "true")))


MUTANTS = (
    Mutant("the gate keeps everything", "10", _gate_off, ("gate-drops-small-talk",)),
    Mutant("a filter comes after the rank", "11.1", _post_filter, ("filters-come-before-ranks",)),
    Mutant("a write neither locks its scope nor moves its version", "5", _scope_lock_removed, ("world-changed",)),
    Mutant("the lease of a run is not asked for", "14.2", _fence_of_the_lease_ignored, ("tool-call-in-doubt",)),
    Mutant("lifetimes are ignored", "1.6", _ttl_ignored, ("lifetimes-by-kind",), usual=True),
    Mutant("the order of trust is flipped", "4.1", _trust_flipped, ("lower-grade-is-contested",)),
    Mutant("a system has no authority", "4.1", _system_authority_ignored, ("system-slot-trust-order",)),
    Mutant("duplicates without the guard of numbers", "8.1", _numbers_unguarded, ("numbers-are-never-duplicates",)),
    Mutant("supersession across slots", "5", _across_slots, ("slots-do-not-touch",), usual=True),
    Mutant("what is pinned decays", "9", _pinned_decays, ("decay-spares-the-pinned",)),
    Mutant("a single value decays", "9", _single_values_decay, ("decay-spares-the-pinned",)),
    Mutant("an echo is extracted again", "10", _echo_extracted, ("what-was-recalled-is-no-news",)),
    Mutant("a forget leaves vectors", "15.2", _vectors_left, ("forget-a-session", "forget-single-items")),
    Mutant("the ledger is asked after the call", "14.2", _ledger_after_the_call, ("tool-ledger-claims-first",), usual=True),
    Mutant("a fence is not escaped", "12.2", _fence_open, ("context-in-a-fence",)),
    Mutant("secrets are kept", "10", _secrets_kept, ("secrets-never-stored",)),
    Mutant("instructions are no suspects", "5", _instructions_pass, ("instructions-are-quarantined",)),
    Mutant("one agent's word binds", "2.3", _one_word_binds, ("faults-bind-when-two-saw-them",)),
)  # fmt: skip
