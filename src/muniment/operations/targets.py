"""Which of the things that a command may name it is about."""

from collections.abc import Sequence

from muniment.errors import Fault, InvalidInput


def named_target(command: object, names: Sequence[str], otherwise: str) -> str | None:
    """The one of these fields that is given; None for the user as a whole.

    Raises InvalidInput for two of them, for a session without its user, and, saying ``otherwise``,
    for nothing at all.
    """
    given = [name for name in names if getattr(command, name) is not None]
    if len(given) > 1:
        raise InvalidInput(faults=[Fault(f"/{given[1]}", f"does not go with {given[0]}")])
    if getattr(command, "user_id", None) is None and given in ([], ["session_id"]):
        said = "is needed: a session is a user's" if given else otherwise
        raise InvalidInput(faults=[Fault("/user_id", said)])
    return given[0] if given else None
