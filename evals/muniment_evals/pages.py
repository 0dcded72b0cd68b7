"""The page of each suite's report."""

from muniment_evals import abstention as abstaining
from muniment_evals import extraction as extracting
from muniment_evals import modes as choosing
from muniment_evals import precision as believing
from muniment_evals import retrieval as retrieving
from muniment_evals import temporal as dating
from muniment_evals.page import Page, Section, Table
from muniment_evals.plots import Plot, histogram

LATENCY = "Through the SDK over HTTP, one question after the other, in a store that is new."
_SCORES = ("questions", "recall@5", "recall@10", "recall@20", "all@10", "any@10", "ndcg@10")


def share(value: float | None) -> str:
    """A share as people read it."""
    return "–" if value is None else f"{value:.1%}"


def milliseconds(value: float) -> str:
    return f"{value:.1f} ms"


def retrieval(report: retrieving.Report, file: str) -> Page:
    """Score by category, score against k, how long a recall took."""
    overall = report.scores["overall"]
    names = list(report.scores)
    rows = [
        [
            name,
            *(
                f"{scores[one]:.3f}" if one != "questions" else f"{scores[one]:.0f}"
                for one in _SCORES
            ),
        ]
        for name, scores in report.scores.items()
    ]
    return Page(
        title=f"Retrieval: {file}",
        lead="How many of the turns that hold the answer are among the first k that recall cites. "
        "Finding a turn is not answering a question.",
        figures=(
            ("recall@10", f"{overall['recall@10']:.4f}"),
            ("questions", f"{report.questions:,}"),
            ("turns written", f"{report.turns:,}"),
            ("dropped by the gate", share(report.dropped_share)),
            ("recall, median", milliseconds(report.recall_p50_ms)),
            ("recall, 95th of 100", milliseconds(report.recall_p95_ms)),
        ),
        sections=(
            Section(
                "Scores",
                (
                    Plot(
                        "Recall@10 by category",
                        "bars",
                        names,
                        {"recall@10": [report.scores[one]["recall@10"] for one in names]},
                        "%",
                    ),
                    Plot(
                        "Recall against k",
                        "lines",
                        [str(k) for k in range(1, 21)],
                        {name: report.by_k[name] for name in _largest(report)},
                        "%",
                        "k (turns)",
                    ),
                    Table("Every score", ("category", *_SCORES), rows),
                ),
            ),
            Section("Time", (histogram("How long a recall took", report.recall_ms, note=LATENCY),)),
        ),
    )


def _largest(report: retrieving.Report) -> list[str]:
    """All questions, and the three categories with most of them."""
    ordered = sorted(report.scores, key=lambda one: -report.scores[one]["questions"])
    return ordered[:4]


def temporal(report: dating.Report, file: str) -> Page:
    """What is found with times read beside what words alone find."""
    overall, words = report.read["overall"], report.ignored["overall"]
    names = [name for name, one in report.read.items() if one.found is not None]
    return Page(
        title=f"Questions about a time: {file}",
        lead="Asked twice: with the time that the question names read as one, and by words alone.",
        figures=(
            ("found", share(overall.found)),
            ("found by words alone", share(words.found)),
            ("empty days: abstained", share(overall.abstained)),
            ("ranges understood", share(report.understood)),
            ("questions", str(report.questions)),
        ),
        sections=(
            Section(
                "Scores",
                (
                    Plot(
                        "Evidence among the first ten turns",
                        "bars",
                        names,
                        {
                            "time read": [report.read[one].found for one in names],
                            "words alone": [report.ignored[one].found for one in names],
                        },
                        "%",
                    ),
                    Table(
                        "Every score",
                        _DATED,
                        _dated_rows(report),
                        "outside: of the turns that were given, those of "
                        "another time than the question means.",
                    ),
                    Table("Not whole", ("question",), [[line] for line in report.wrong]),
                ),
            ),
            Section("Time", (histogram("How long a recall took", report.recall_ms, note=LATENCY),)),
        ),
    )


_DATED = ("category", "questions", "found", "by words", "abstained", "outside", "outside by words")


def _dated_rows(report: dating.Report) -> list[list[str]]:
    rows = []
    for name, one in report.read.items():
        words = report.ignored[name]
        cells = (one.found, words.found, one.abstained, one.outside, words.outside)
        rows.append([name, str(one.questions), *map(share, cells)])
    return rows


def abstention(report: abstaining.Report, file: str) -> Page:
    """Whether recall says nothing where nothing answers."""
    names = ["unanswerable: abstained", "answerable: abstained", "answerable: evidence found"]
    values = [report.abstained, report.wrongly_abstained, report.found]
    return Page(
        title=f"What cannot be answered: {file}",
        lead="Questions that the store holds an answer to, and near ones that it does not.",
        figures=[(name, share(value)) for name, value in zip(names, values, strict=True)],
        sections=(
            Section(
                "Shares", (Plot("Shares of questions", "bars", names, {"share": values}, "%"),)
            ),
            Section(
                "Wrong",
                (
                    Table(
                        "Unanswerable, with what came back",
                        ("question",),
                        [[one] for one in report.answered],
                    ),
                    Table(
                        "Answerable, and nothing came back",
                        ("question",),
                        [[one] for one in report.silent],
                    ),
                ),
            ),
        ),
    )


def precision(report: believing.Report, file: str) -> Page:
    """Cases in which what is expected comes back and nothing else."""
    names = list(report.by_category)
    shares = [one["passed"] / max(one["cases"], 1) for one in report.by_category.values()]
    rows = [[name, "; ".join(wrong)] for name, wrong in report.failures.items()]
    return Page(
        title=f"Precision: {file}",
        lead="A case passes if what it expects comes back and nothing else.",
        figures=(("passed", f"{report.passed} of {report.cases}"),),
        sections=(
            Section(
                "Cases",
                (
                    Plot("Passed by category", "bars", names, {"passed": shares}, "%"),
                    Table("Failed", ("case", "what is wrong"), rows),
                ),
            ),
        ),
    )


def extraction(report: extracting.Report, file: str) -> Page:
    """What is drawn from conversations, and what the gate keeps."""
    shares = {name: value for name, value in report.overall.items() if 0.0 <= value <= 1.0}
    kinds = report.found_by_kind
    found = [one["found"] / max(one["required"], 1) for one in kinds.values()]
    traps = list(report.wrong_by_trap)
    return Page(
        title=f"Extraction and the gate: {file}",
        lead="Which facts are drawn from labelled conversations, and which turns are kept.",
        figures=[
            (name.replace("_", " "), share(shares[name]))
            for name in (
                "precision",
                "recall",
                "dates_exact",
                "gate_drops_noise",
                "gate_keeps_signal",
            )
            if name in shares
        ],
        sections=(
            Section(
                "Scores",
                (
                    Plot(
                        "Required facts that were found, by kind",
                        "bars",
                        list(kinds),
                        {"found": found},
                        "%",
                    ),
                    Plot(
                        "Wrong candidates by trap",
                        "bars",
                        traps,
                        {"wrong": [float(report.wrong_by_trap[one]) for one in traps]},
                    ),
                    Table(
                        "Every figure",
                        ("figure", "value"),
                        [
                            [name.replace("_", " "), f"{value:.3f}"]
                            for name, value in report.overall.items()
                        ],
                    ),
                ),
            ),
        ),
    )


def modes(report: choosing.Report, files: str) -> Page:
    """Chosen modes beside wanted ones."""
    rows = [[wanted, *map(str, chosen.values())] for wanted, chosen in report.confusion.items()]
    return Page(
        title=f"The mode of an analysis: {files}",
        lead="Which mode is chosen for a question, and which one its label wants.",
        figures=(("agreement", share(report.agreement)), ("questions", str(report.questions))),
        sections=(
            Section(
                "Agreement",
                (
                    Plot(
                        "Agreement by class of wording",
                        "bars",
                        list(report.by_class),
                        {"agreement": list(report.by_class.values())},
                        "%",
                    ),
                    Table("Wanted (down) and chosen (across)", ("wanted", *report.confusion), rows),
                ),
            ),
        ),
    )
