"""Probes: deterministic assertions on a running store, printed as rates.

One kind of fault a probe; each plants what it needs for users of its own, asks, and compares with
what the rules say. ``NEVER`` names those whose faults nobody forgives.
"""

from collections.abc import Callable, Mapping

from muniment_evals.probes import erasing, facts, fading, going_on, lifetimes, repeats, sharing
from muniment_evals.probes.probe import Check, Figures, Place, Probe, Series, measure

PROBES: Mapping[str, Probe] = {
    probe.__name__: probe
    for probe in (
        facts.stale_answers,
        facts.told_in_conversation,
        facts.as_of,
        facts.wrong_supersession,
        repeats.duplicates_on_retry,
        repeats.duplicates_in_other_words,
        repeats.values_kept_apart,
        repeats.durative_after_recurrence,
        lifetimes.ttl_by_kind,
        lifetimes.stale_after,
        lifetimes.pinned_stays,
        lifetimes.held_is_kept,
        sharing.organisation_and_users,
        sharing.unconfirmed_does_not_bind,
        sharing.tenant_leaks,
        sharing.quarantine_leaks,
        erasing.deletion_leaks,
        fading.decay_on_schedule,
        going_on.resume_success,
    )
}
NEVER = (
    "stale_answers",
    "told_in_conversation",
    "wrong_supersession",
    "tenant_leaks",
    "quarantine_leaks",
    "deletion_leaks",
    "resume_success",
)

__all__ = ["NEVER", "PROBES", "Check", "Figures", "Place", "Series", "run"]


def run(place: Place, progress: Callable[[str], None]) -> dict[str, Figures]:
    """Every probe, by name."""
    figures = {}
    for name, probe in PROBES.items():
        figures[name] = measure(probe, place)
        progress(f"{name}: {figures[name].failed} of {figures[name].checks}")
    return figures
