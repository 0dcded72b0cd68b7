"""How the demo looks: plain tables that fit 80 columns, with and without a terminal."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table

from examples.demo.checks import Checks
from examples.demo.conversation import Fact, Line, Talk
from muniment.client.models import EventVerdict, Item, MemoryView, Remembered

_WIDEST = 120
_KEPT, _DROPPED, _SET_ASIDE = "[green]kept[/]", "[dim]dropped[/]", "[red]quarantined[/]"


class Screen:
    """Prints the demo's chapters on a console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._width = min(console.width, _WIDEST)

    def say(self, text: str = "", style: str = "") -> None:
        """A paragraph, wrapped; ``text`` may hold rich markup."""
        self.console.print(text, style=style, width=self._width)

    def chapter(self, title: str, text: str) -> None:
        """A heading and what the reader is about to see."""
        self.say()
        self.say(f"[bold]{title}[/]")
        self.console.print(Rule(style="dim"), width=self._width)
        self.say(text)

    def session(self, talk: Talk, verdicts: Sequence[EventVerdict]) -> None:
        """The turns of a session with the gate's verdict on each."""
        self.say(f"\n[bold cyan]{escape(talk.session_id)}[/], {date(talk.started_at)}")
        table = self._table("turn", "who", "verdict", "reason", "text")
        for line, verdict in zip(talk.lines, verdicts, strict=True):
            style = "dim" if not verdict.kept else ""
            table.add_row(
                str(verdict.turn),
                _speaker(line),
                _SET_ASIDE if verdict.quarantined else _KEPT if verdict.kept else _DROPPED,
                escape(verdict.reason),
                escape(line.text),
                style=style,
            )
        self.console.print(table, width=self._width)

    def remembered(self, fact: Fact, answer: Remembered) -> None:
        """What the agent remembered and what became of it."""
        what = fact.text if fact.slot is None else f"{fact.slot} = {fact.value}"
        since = "" if fact.valid_from is None else f", true since {date(fact.valid_from)}"
        self.say(
            f"  remember: {escape(what)}{since}\n"
            f"  [dim]-> {answer.outcome} by rule {answer.rule}, {answer.trust}, "
            f"confidence {answer.confidence:.2f}, cites turn {fact.turn}[/]"
        )

    def answer(self, when: str, question: str, view: MemoryView, rows: int) -> None:
        """The best rows of what was recalled: dated, graded, sourced, marked where stale."""
        self.say(f"\n[bold cyan]{when}[/]  {escape(question)}")
        if view.abstained:
            self.say("  nothing: recall abstains rather than return a near miss", style="dim")
            return
        table = self._table("observed", "kind", "trust", "text")
        for item in view.items[:rows]:
            table.add_row(date(item.as_of), _kind(item), _trust(item), _item(item))
        self.console.print(table, width=self._width)

    def summary(self, item: Item) -> None:
        """A session's summary with the turns that it quotes."""
        self.say()
        self.console.print(Padding(escape(item.text), (0, 0, 0, 2)), width=self._width)
        self.say(f"  [dim]{item.trust}, quotes {_turns(item)}[/]")

    def counts(self, title: str, counts: Mapping[str, int]) -> None:
        """Rows by table, on as few lines as they take."""
        rows = ", ".join(f"{name} {number}" for name, number in counts.items())
        self.say(f"{title}: {rows or 'no rows'}")

    def verdict(self, checks: Checks) -> None:
        """The last lines: every check held, or which did not."""
        self.say()
        if not checks.wrong:
            self.say(f"[bold green]{checks.made} checks, all right.[/]")
            return
        self.say(f"[bold red]{len(checks.wrong)} of {checks.made} checks are wrong:[/]")
        for claim in checks.wrong:
            self.say(f"  [red]wrong:[/] {escape(claim)}")

    def _table(self, *names: str) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for name in names[:-1]:
            table.add_column(name, no_wrap=True)
        table.add_column(names[-1], overflow="fold")
        return table


def date(moment: datetime) -> str:
    """A day, such as ``2026-05-26``."""
    return f"{moment:%Y-%m-%d}"


def _speaker(line: Line) -> str:
    return escape(line.name if line.role in ("user", "assistant") else f"({line.role})")


def _kind(item: Item) -> str:
    return {"user_preference": "preference", "session_summary": "summary"}.get(item.kind, item.kind)


def _trust(item: Item) -> str:
    return item.trust if item.confidence is None else f"{item.trust}\n{item.confidence:.2f}"


def _item(item: Item) -> str:
    """The text, and below it since when it holds, what supports it, and whether to trust it."""
    notes = []
    if item.valid_from is not None:
        until = "" if item.valid_to is None else f" until {date(item.valid_to)}"
        notes.append(f"holds from {date(item.valid_from)}{until}")
    notes.append(f"source {_turns(item)}")
    stale = f"\n[yellow]stale: as of {date(item.as_of)}; confirm[/]" if item.stale else ""
    return f"{escape(item.text)}\n[dim]{escape('; '.join(notes))}[/]{stale}"


def _turns(item: Item) -> str:
    return ", ".join(f"{one.session_id}/{one.turn}" for one in item.evidence)
