"""Who may reach the endpoint from a browser: the answer to DNS rebinding."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request

from muniment.errors import Forbidden

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Hosts:
    """Names under which the service is known; of ``Host`` too if it listens on loopback alone."""

    names: frozenset[str] = frozenset()
    loopback_only: bool = False

    @staticmethod
    def of(host: str, names: str | None) -> "Hosts":
        """From the address that the service listens on, and names separated by commas."""
        listed = {name.strip().lower() for name in (names or "").split(",") if name.strip()}
        return Hosts(frozenset({*listed, host.lower()}), host.lower() in _LOOPBACK)

    def check(self, request: Request) -> None:
        """Raises Forbidden for a host that is not this service's, or a page of another site."""
        if self.loopback_only and not self._known("//" + request.headers.get("host", "")):
            raise Forbidden("This host is not one of the service; MUNIMENT_MCP_HOSTS names more.")
        origin = request.headers.get("origin")
        if origin is not None and not self._known(origin):
            raise Forbidden("Pages of this origin may not call; MUNIMENT_MCP_HOSTS names more.")

    def _known(self, url: str) -> bool:
        try:
            name = urlsplit(url).hostname
        except ValueError:
            return False
        return name is not None and (name in _LOOPBACK or name in self.names)
