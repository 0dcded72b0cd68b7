"""What a forget over MCP has to say besides what the operation asks for."""

from collections.abc import Mapping

from muniment.errors import Fault, InvalidInput
from muniment.operations.forget import Forget

_PARTS = ("session_id", "data_source", "ids", "filter")
_NAMED = ", ".join(_PARTS[:-1]) + " or a filter"
_KEPT_TO = {"namespace": "one namespace", "agent_id": "one agent"}


def check_forget(command: Forget, bound: Mapping[str, str]) -> None:
    """Raises InvalidInput, for a dry run too, where more would go than the address is for; and for
    a whole user that the address names and the call does not, unless a dry run showed what goes.
    """
    if all(getattr(command, name) is None for name in _PARTS):
        _check_whole(command, bound)
    elif command.data_source is not None and command.user_id is None and "namespace" in bound:
        fault = Fault("/user_id", "is needed: without a user a source is that of every namespace")
        raise InvalidInput("This address is for one namespace.", faults=[fault])


def _check_whole(command: Forget, bound: Mapping[str, str]) -> None:
    for name, kept_to in _KEPT_TO.items():
        if name in bound:
            fault = Fault("/filter", f"is needed, or another part of the user: name {_NAMED}")
            detail = f"This address is for {kept_to}, and a whole user is forgotten in all of them."
            raise InvalidInput(detail, faults=[fault])
    if "user_id" in bound and not command.dry_run and command.confirm is None:
        said = f"is needed for the whole user: of a dry run. For a part of it name {_NAMED}"
        raise InvalidInput(faults=[Fault("/confirm", said)])
