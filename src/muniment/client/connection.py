"""How a client on this machine finds the service and its key."""

import httpx

from muniment.client.address import checked_url
from muniment.client.client import Client
from muniment.errors import Unauthenticated, Unreachable
from muniment.settings import Settings, read_settings

_PROBE_SECONDS = 2.0


def find_key(settings: Settings) -> str:
    """The key from the environment, else the admin key of the data directory.

    Raises Unauthenticated where there is neither.
    """
    if settings.api_key is not None:
        return settings.api_key.get_secret_value()
    try:
        return settings.admin_key_file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise Unauthenticated(
            "There is no key: set MUNIMENT_API_KEY, or start the service once so that it makes "
            f"{settings.admin_key_file}."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise Unauthenticated(
            f"The key file {settings.admin_key_file} cannot be read ({reason}): set "
            "MUNIMENT_API_KEY, or run this as the user that owns it."
        ) from None


def find_client(url: str | None = None) -> Client:
    """A client of the service at ``url``, by default the one that the settings name.

    Raises Unauthenticated where there is no key, or Unreachable where there is no service either;
    InvalidInput for a URL that is none.
    """
    settings = read_settings()
    place = checked_url(url or settings.base_url)
    try:
        return Client(place, find_key(settings))
    except Unauthenticated:
        _refuse_silence(place)
        raise


def _refuse_silence(url: str) -> None:
    try:
        httpx.get(f"{url}/healthz", timeout=_PROBE_SECONDS, trust_env=False)
    except httpx.TransportError as error:
        raise Unreachable(f"Nothing answers at {url} ({type(error).__name__}).") from error
