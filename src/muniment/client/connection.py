"""How a client on this machine finds the service and its key."""

from muniment.client.client import Client
from muniment.errors import Unauthenticated
from muniment.settings import Settings


def find_key(settings: Settings) -> str:
    """The key from the environment, else the admin key of the data directory.

    Raises Unauthenticated where there is neither.
    """
    if settings.api_key is not None:
        return settings.api_key.get_secret_value()
    try:
        return settings.admin_key_file.read_text(encoding="utf-8").strip()
    except OSError:
        raise Unauthenticated(
            "There is no key: set MUNIMENT_API_KEY, or start the service once so that it makes "
            f"{settings.admin_key_file}."
        ) from None


def find_client(url: str | None = None) -> Client:
    """A client of the service at ``url``, by default the one that the settings name.

    Raises Unauthenticated where there is no key.
    """
    settings = Settings()
    return Client(url or settings.base_url, find_key(settings))
