"""``python -m examples.analyst``: the four sessions against a throw-away service.

With MUNIMENT_EXAMPLE_MODEL (``anthropic:...``, ``openai:...``) a model chooses modes and steps.
"""

import os
import sys
from datetime import UTC, datetime

from rich.console import Console
from rich.markup import escape

from examples.analyst.feed import NoData, load
from examples.analyst.loop import Session
from examples.analyst.policy import Policy, Scripted
from examples.analyst.sessions import Story
from examples.demo.checks import Checks
from muniment.client import Client
from muniment.errors import MunimentError
from muniment.testing import running_service

_SHOWN = 3


class Teller:
    """Prints what a session was told, ran and reported."""

    def __init__(self, console: Console) -> None:
        self._say = console.print

    def __call__(self, title: str, done: Session) -> None:
        """One session."""
        if title:
            self._say(f"\n[bold]{title}[/]")
        self._say(f"  asked       {escape(done.question)}")
        gate = f"open, {done.gate.gate.count} prior findings" if done.gate.gate.open else "closed"
        self._say(f"  gate        {gate}; mode {done.plan.mode} ({done.plan.decided_by})")
        for one in done.plan.required_workarounds:
            self._say(f"  must heed   [yellow]{escape(one.text)}[/]")
        for result in done.results:
            figures = ", ".join(f"{k} {v}" for k, v in list(result.figures.items())[:_SHOWN])
            self._say(f"  ran         {result.step.name}: {escape(figures) or 'none'}", style="dim")
        if done.plan.confirm is not None:
            self._say(f"  to confirm  {escape(done.plan.confirm.memory.text)}")
        if done.report is None:
            return
        for found in done.report.findings:
            self._say(f"  finding     {found.became}: {escape(found.why)}")
        if done.report.revalidation is not None:
            self._say(f"  revalidated {done.report.revalidation.became}")
        for gone in done.report.retired:
            self._say(f"  retired     {gone.became}: {escape(gone.why)}")


def policy_named(model: str | None) -> Policy:
    """The script, or the model of that name."""
    if model is None:
        return Scripted()
    from examples.analyst.model import Modelled  # noqa: PLC0415 - its library is an extra

    return Modelled(model)


def perform(client: Client, policy: Policy, console: Console, *, scripted: bool = True) -> int:
    """Play against a service; returns 0 when everything was as it must be, else 1."""
    checks = Checks()
    Story(client, load(), policy, checks, Teller(console), datetime.now(UTC), scripted).play()
    for wrong in checks.wrong:
        console.print(f"[red]wrong[/] {escape(wrong)}")
    console.print(f"\n{checks.made} checks, {len(checks.wrong) or 'none'} wrong.")
    return 1 if checks.wrong else 0


def main() -> int:
    """Start a private service, play, stop it."""
    console = Console(highlight=False)
    model = os.environ.get("MUNIMENT_EXAMPLE_MODEL")
    try:
        with running_service() as service, Client(service.url, service.key) as client:
            return perform(client, policy_named(model), console, scripted=model is None)
    except (MunimentError, NoData) as error:
        print(f"analyst: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
