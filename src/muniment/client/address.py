"""The address of a service, looked at before anything is sent there."""

import httpx

from muniment.errors import InvalidInput

_LONGEST = 2048
_NOT_ONE = "The URL of the service is not an address that can be called."


def checked_url(url: str) -> str:
    """The URL as it is. Raises InvalidInput for one that no request can be sent to, however its
    parts are spelled; what it says is not told, since a key may be in it.
    """
    try:
        # The system encodes the name of a host once more, and is stricter.
        httpx.URL(url).raw_host.decode("ascii").encode("idna")
    except (httpx.InvalidURL, TypeError, UnicodeError):
        raise InvalidInput(_NOT_ONE) from None
    if len(url) > _LONGEST:
        raise InvalidInput(f"The URL of the service is longer than {_LONGEST} characters.")
    return url
