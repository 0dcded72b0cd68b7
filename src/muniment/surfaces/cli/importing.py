"""import: conversations from files, through the SDK."""

from pathlib import Path
from typing import Annotated

import typer

from muniment.client.connection import find_client
from muniment.client.conversations import read_conversations
from muniment.errors import InvalidInput
from muniment.surfaces.cli.output import EXIT_USAGE, say, show_error

app = typer.Typer(no_args_is_help=True)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(app, name="import", help="Bring conversations in.")


@app.callback()
def _family() -> None:
    """A group even while it has one command."""


@app.command("conversation")
def conversation(
    file: Annotated[Path, typer.Argument(help="JSON Lines, one conversation a line.")],
    user: Annotated[
        str | None, typer.Option(help="The user they belong to; default: the conversation's id.")
    ] = None,
    close: Annotated[bool, typer.Option(help="Close and consolidate each session.")] = True,
) -> None:
    """Write the turns of every conversation. Running it again changes nothing.

    A speaker called assistant, tool or system keeps that role; everybody else is a user by name.
    """
    # The whole file is read first, so that a broken line imports nothing.
    try:
        conversations = list(read_conversations(file))
    except InvalidInput as error:
        show_error(error)
        raise typer.Exit(EXIT_USAGE) from None
    with find_client() as client:
        for one in conversations:
            kept = stored = turns = 0
            for session in one.sessions:
                for batch in session.batches():
                    written = client.events.write(
                        user_id=user or one.id,
                        session_id=session.session_id,
                        events=[turn.event() for turn in batch],
                    )
                    stored += written.stored
                    turns += len(batch)
                    kept += sum(verdict.kept for verdict in written.verdicts)
                if close and session.turns:
                    client.sessions.close(user_id=user or one.id, session_id=session.session_id)
            say(f"{one.id}: {turns} turns, {stored} new, {kept} kept")
