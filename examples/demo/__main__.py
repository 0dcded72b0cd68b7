"""``python -m examples.demo``: plays the conversation against a throw-away service."""

import sys
from datetime import UTC, datetime

from rich.console import Console

from examples.demo.checks import Checks
from examples.demo.play import Play
from examples.demo.screen import Screen
from muniment.client import Client
from muniment.errors import MunimentError
from muniment.testing import running_service


def perform(client: Client, console: Console) -> int:
    """Play against a service; returns 0 when every shown answer is right, else 1."""
    screen, checks = Screen(console), Checks()
    Play(client, screen, checks, datetime.now(UTC)).run()
    screen.verdict(checks)
    return 1 if checks.wrong else 0


def main() -> int:
    """Start a private service, play, stop it."""
    console = Console(highlight=False)
    console.print("Starting a private service with its own PostgreSQL ...", style="dim")
    try:
        with running_service() as service, Client(service.url, service.key) as client:
            return perform(client, console)
    except MunimentError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
