"""The pages of suites that look at what a store makes of a life."""

from collections.abc import Mapping, Sequence
from statistics import median

from muniment_evals import life as living
from muniment_evals.checklist import Claim
from muniment_evals.page import Page, Section, Table
from muniment_evals.pages import LATENCY, milliseconds, share
from muniment_evals.plots import Plot, histogram
from muniment_evals.probes import NEVER, Figures
from muniment_evals.task import Report


def life(report: living.Report) -> Page:
    """What a year of one user becomes: growth by month, what is there, what is stale."""
    months = [str(one.month) for one in report.months]
    groups = {name: found.split("/") for name, found in report.by_group.items()}
    found = [int(one) / max(int(all_), 1) for one, all_ in groups.values()]
    return Page(
        title="A year of one user",
        lead=f"{report.sessions} sessions of {report.turns} turns, written month by month, "
        "consolidated, and asked about at the end.",
        good=report.superseded_given == 0,
        verdict=f"{report.superseded_given} of {report.superseded} old values given as current",
        figures=(
            ("current facts there", share(report.current_there)),
            ("old values given as current", f"{report.superseded_given} of {report.superseded}"),
            ("dropped by the gate", share(report.dropped_share)),
            ("memories at the end", str(report.memories)),
            ("recall, month two", milliseconds(report.recall_p50_early_ms)),
            ("recall, at the end", milliseconds(report.recall_p50_end_ms)),
        ),
        sections=(
            Section(
                "Growth",
                (
                    Plot(
                        "Turns of each month, and memories at its end",
                        "lines",
                        months,
                        {
                            "turns": [float(one.events) for one in report.months],
                            "kept": [float(one.kept) for one in report.months],
                            "memories": [float(one.memories) for one in report.months],
                        },
                        across="month",
                    ),
                ),
            ),
            Section(
                "What is there",
                (
                    Plot(
                        "Current facts that are there, by group",
                        "bars",
                        list(groups),
                        {"there": found},
                        "%",
                    ),
                    Table(
                        "Missed",
                        ("group", "how", "said"),
                        [[m.group, m.how, m.said] for m in report.missed],
                    ),
                    Table(
                        "Given as current, and not so any more",
                        ("where", "value", "text", "ended by"),
                        [[g.where, g.value, g.text, g.ended_by] for g in report.given],
                    ),
                ),
            ),
        ),
    )


def probes(figures: Mapping[str, Figures]) -> Page:
    """Rates of faults, each probe's, and how long recalls of them took."""
    wrong = [name for name in NEVER if figures[name].failed]
    checks = sum(one.checks for one in figures.values())
    rows = [
        [
            _words(name),
            str(one.checks),
            str(one.failed),
            share(one.rate),
            "fails" if name in NEVER else "is counted",
        ]
        for name, one in figures.items()
    ]
    failed = [[_words(name), line] for name, one in figures.items() for line in one.failures[:5]]
    times = [each for one in figures.values() for each in one.recall_ms]
    return Page(
        title="Probes of a running store",
        lead="Each probe plants what it needs in a fresh tenant, asks, and compares with "
        "the rules.",
        good=not wrong,
        verdict="no fault of those that nobody forgives"
        if not wrong
        else f"faults that nobody forgives: {', '.join(map(_words, wrong))}",
        figures=(
            ("probes", str(len(figures))),
            ("checks", f"{checks:,}"),
            ("failed", f"{sum(one.failed for one in figures.values()):,}"),
            ("recall, median", milliseconds(median(times)) if times else "–"),
        ),
        sections=(
            Section(
                "Rates of faults",
                (
                    Plot(
                        "Share of the checks that failed",
                        "bars",
                        [_words(one) for one in figures],
                        {"failed": [one.rate for one in figures.values()]},
                        "%",
                    ),
                    Table(
                        "Every probe",
                        ("probe", "checks", "failed", "rate", "a fault"),
                        rows,
                    ),
                    *([Table("What failed", ("probe", "seen"), failed)] * bool(failed)),
                ),
            ),
            *_series(figures),
            *(
                (Section("Time", (histogram("How long a recall took", times, note=LATENCY),)),)
                if times
                else ()
            ),
        ),
    )


def task(report: Report, file: str, command: str) -> Page:
    """Outcomes, cost and time with memory and without, task by task."""
    arms = {"with memory": report.with_memory, "without": report.without}
    return Page(
        title=f"Tasks: {file}",
        lead=f"{command}: each task with memory and without. What the agent gets right is no score "
        "of the memory, and is added to none.",
        figures=(
            *((f"passed {name}", f"{arm.passed} of {report.tasks}") for name, arm in arms.items()),
            *((f"median {name}", f"{arm.seconds_p50:.2f} s") for name, arm in arms.items()),
            *((f"cost {name}", _dollars(arm.cost_usd)) for name, arm in arms.items()),
        ),
        sections=(
            Section(
                "Outcomes",
                (
                    Plot(
                        "Tasks that were passed",
                        "bars",
                        list(arms),
                        {"passed": [arm.rate for arm in arms.values()]},
                        "%",
                    ),
                    Table(
                        "Task by task",
                        ("task", "with memory", "without", "answer with memory", "without"),
                        [
                            [
                                one.id,
                                _passed(one.with_memory),
                                _passed(one.without),
                                one.answer_with,
                                one.answer_without,
                            ]
                            for one in report.pairs
                        ],
                    ),
                ),
                f"Won by memory: {', '.join(report.won) or 'none'}. "
                f"Lost by it: {', '.join(report.lost) or 'none'}.",
            ),
            Section(
                "Time",
                [
                    histogram(f"Seconds for a task, {name}", arm.seconds, "s")
                    for name, arm in arms.items()
                ],
            ),
        ),
    )


def _dollars(cost: float | None) -> str:
    return "not told" if cost is None else f"${cost:.4f}"


def _passed(passed: bool) -> str:
    return "passed" if passed else "failed"


def checklist(claims: Sequence[Claim]) -> Page:
    """Each claim with what the store answered."""
    shown = sum(one.shown for one in claims)
    return Page(
        title="Nine claims on a running store",
        lead="Each claim is shown by what the store answers, in a tenant that is new.",
        good=shown == len(claims),
        verdict=f"{shown} of {len(claims)} shown",
        figures=(("shown", f"{shown} of {len(claims)}"),),
        sections=[
            Section(
                f"{number}. {one.claim}",
                (
                    *(
                        [Table("Not so", ("seen",), [[each] for each in one.wrong])]
                        * bool(one.wrong)
                    ),
                    Table("", ("seen",), [[each] for each in one.evidence]),
                ),
                "Shown." if one.shown else "Not shown.",
            )
            for number, one in enumerate(claims, 1)
        ],
    )


def _series(figures: Mapping[str, Figures]) -> Sequence[Section]:
    """What a probe measured month by month."""
    return [
        Section(
            _words(name),
            (
                Plot(
                    one.series.title,
                    "lines",
                    list(one.series.labels),
                    one.series.lines,
                    across=one.series.across,
                ),
            ),
        )
        for name, one in figures.items()
        if one.series is not None
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")
