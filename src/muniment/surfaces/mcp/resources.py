"""What can be read by an address: the profile of a user, and the history of a memory."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from muniment.errors import NotFound
from muniment.operations.operation import Operation
from muniment.operations.registry import REGISTRY
from muniment.surfaces.http.router import Router
from muniment.surfaces.mcp.incoming import Incoming

_SCHEME = "muniment:/"
_PROFILE = "/users/{user_id}/profile"
_HISTORY = "/memories/{id}/history"
_ROUTES: Router[Operation[Any, Any]] = Router(
    [("GET", _PROFILE, REGISTRY["profile.get"]), ("GET", _HISTORY, REGISTRY["memories.history"])]
)

TEMPLATES = (
    {
        "name": "profile",
        "title": "Profile of a user",
        "uriTemplate": f"{_SCHEME}{_PROFILE}",
        "description": "What is known of a user for certain: pinned, important, single-valued.",
        "mimeType": "application/json",
    },
    {
        "name": "history",
        "title": "History of a memory",
        "uriTemplate": f"{_SCHEME}{_HISTORY}",
        "description": "Every version of a memory: when it held, and when the service knew it.",
        "mimeType": "application/json",
    },
)


def listed(incoming: Incoming) -> list[dict[str, Any]]:
    """The resources that are known without a name: the profile of the one user, if there is one."""
    key_user = None if incoming.caller is None else incoming.caller.user_id
    user = incoming.bound.get("user_id") or key_user
    if user is None:
        return []
    uri = f"{_SCHEME}{_PROFILE}".replace("{user_id}", quote(user, safe=""))
    described = {k: v for k, v in TEMPLATES[0].items() if k != "uriTemplate"}
    return [described | {"uri": uri}]


def found(uri: str, incoming: Incoming) -> tuple[Operation[Any, Any], Mapping[str, str]]:
    """The operation behind an address, and its arguments. Raises NotFound, and InvalidInput for a
    part that does not decode.
    """
    if not uri.startswith(f"{_SCHEME}/"):
        raise NotFound("There is no such resource.")
    path = quote(uri.removeprefix(_SCHEME), safe="/%").encode()
    operation, given = _ROUTES.match("GET", path)
    fixed = incoming.fixed(operation)
    if any(given.get(name, value) != value for name, value in fixed.items()):
        raise NotFound("There is no such resource.")
    return operation, {name: value for name, value in given.items() if name not in fixed}
