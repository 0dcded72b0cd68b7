"""import: a user from an export, conversations and foreign memories from files, through the SDK."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from muniment.client import Client
from muniment.client.chatgpt import read_chatgpt
from muniment.client.connection import find_client
from muniment.client.conversations import Conversation, read_conversations
from muniment.client.foreign import ForeignMemory, read_langgraph, read_lines, read_mem0
from muniment.client.transfers import import_id_of, import_user, read_export, user_of
from muniment.errors import InvalidInput, MunimentError
from muniment.surfaces.cli.output import EXIT_USAGE, say, show_error

app = typer.Typer(no_args_is_help=True)
_EXIT_ERROR = 1
T = TypeVar("T")

TheUser = Annotated[
    str | None,
    typer.Option("--user", help="The user; default: whom the file names."),
]
Close = Annotated[bool, typer.Option(help="Close and consolidate each session.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(app, name="import", help="Bring users, conversations and memories in.")


@app.command("user")
def user_(
    file: Annotated[Path, typer.Argument(help="What 'muniment export' wrote.")],
    user: TheUser = None,
) -> None:
    """Take one user in as they were exported: whole, with history and times, or not at all.

    Running it again changes nothing once it is done.
    """
    try:
        name = user or user_of(file)
        import_id = import_id_of(file, name)
        for _ in read_export(file):
            # A line that is no JSON is told before anything is sent.
            pass
    except InvalidInput as error:
        show_error(error)
        raise typer.Exit(EXIT_USAGE) from None
    with find_client() as client:
        made = import_user(client, name, read_export(file), import_id)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(made.counts.items()))
    say(f"{name}: {told}")


@app.command("conversation")
def conversation(
    file: Annotated[Path, typer.Argument(help="JSON Lines, one conversation a line.")],
    user: Annotated[
        str | None, typer.Option(help="The user they belong to; default: the conversation's id.")
    ] = None,
    close: Close = True,
) -> None:
    """Write the turns of every conversation. Running it again changes nothing.

    A speaker called assistant, tool or system keeps that role; everybody else is a user by name.
    """
    # The whole file is read first, so that a broken line imports nothing.
    conversations = _whole(lambda: list(read_conversations(file)))
    with find_client() as client:
        for one in conversations:
            _write(client, one, user or one.id, close=close)


@app.command("chatgpt")
def chatgpt(
    file: Annotated[Path, typer.Argument(help="conversations.json of a ChatGPT data export.")],
    user: Annotated[str, typer.Option(help="The user whose conversations they are.")],
    close: Close = True,
) -> None:
    """Write what the user and the assistant said, a session for each conversation.

    Running it again changes nothing. Of a conversation that was edited the current branch counts.
    """
    found = _whole(lambda: [read_chatgpt(file, user)])
    with find_client() as client:
        _write(client, found[0], user, close=close)


@app.command("mem0")
def mem0(
    file: Annotated[Path, typer.Argument(help="A mem0 export: JSON, or a line each.")],
    user: TheUser = None,
) -> None:
    """State every memory of a mem0 export as a fact, at the grade of an agent's guess."""
    _remember(_whole(lambda: read_mem0(file, user)))


@app.command("langgraph")
def langgraph(
    file: Annotated[Path, typer.Argument(help="Rows of the table store: JSON, or a line each.")],
    user: TheUser = None,
) -> None:
    """State every item of a LangGraph store as a fact, at the grade of an agent's guess.

    The last part of the prefix is the user, unless --user names one.
    """
    _remember(_whole(lambda: read_langgraph(file, user)))


@app.command("jsonl")
def jsonl(
    file: Annotated[Path, typer.Argument(help="A line each: text, user_id, kind, at, metadata.")],
    user: TheUser = None,
) -> None:
    """State one memory a line, at the grade of an agent's guess."""
    _remember(_whole(lambda: read_lines(file, user)))


def _whole(read: Callable[[], Sequence[T]]) -> Sequence[T]:
    """All of a file, before any of it is written."""
    try:
        return read()
    except InvalidInput as error:
        show_error(error)
        raise typer.Exit(EXIT_USAGE) from None


def _write(client: Client, one: Conversation, user: str, *, close: bool) -> None:
    kept = stored = turns = 0
    for session in one.sessions:
        for batch in session.batches():
            written = client.events.write(
                user_id=user,
                session_id=session.session_id,
                events=[turn.event() for turn in batch],
            )
            stored += written.stored
            turns += len(batch)
            kept += sum(verdict.kept for verdict in written.verdicts)
        if close and session.turns:
            client.sessions.close(user_id=user, session_id=session.session_id)
    say(f"{one.id}: {turns} turns, {stored} new, {kept} kept")


def _remember(memories: Sequence[ForeignMemory]) -> None:
    """State the memories in order. One that is refused ends it, and what was stated is told."""
    outcomes: dict[str, int] = {}
    with find_client() as client:
        for done, one in enumerate(memories):
            try:
                made = client.memories.remember(
                    kind=one.kind,
                    user_id=one.user_id,
                    text=one.text,
                    valid_from=one.at,
                    metadata=dict(one.metadata),
                )
            except MunimentError as error:
                show_error(error)
                say(
                    f"Stopped at record {one.place}: {done} of {len(memories)} were imported. "
                    "Running it again repeats those, which changes nothing.",
                    error=True,
                )
                raise typer.Exit(_EXIT_ERROR) from None
            outcomes[made.outcome] = outcomes.get(made.outcome, 0) + 1
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    say(f"{len(memories)} memories: {told}" if told else "0 memories")
