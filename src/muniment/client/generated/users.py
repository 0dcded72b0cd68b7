"""The family users. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class KnownUser:
    """A user, since when they are known, and since when they have opted out, if they have."""

    user_id: str
    known_since: datetime
    opted_out_at: datetime | None


@dataclass(frozen=True)
class Users:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[KnownUser, ...]
    next: str | None


@dataclass(frozen=True)
class UserConsent:
    """Since when a user has opted out; none if they have not."""

    user_id: str
    opted_out_at: datetime | None


@dataclass(frozen=True)
class Reopened:
    """Whose writes are taken again, and how many forgets had closed them."""

    user_id: str
    forgets: int


_LIST = Endpoint("users.list", "GET", "/v1/users")
_OPT_OUT = Endpoint("users.opt_out", "POST", "/v1/users/{user_id}/opt-out", writes=True)
_OPT_IN = Endpoint("users.opt_in", "POST", "/v1/users/{user_id}/opt-in", writes=True)
_REOPEN = Endpoint("users.reopen", "POST", "/v1/users/{user_id}/reopen", writes=True)


class UsersCalls:
    """Calls of the family users."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, cursor: str | None = None, limit: int = 50) -> Users:
        """List the users who are known.

        The users of whom something is or was stored and who were not forgotten, by their names.

        >>> client.users.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, Users)

    def opt_out(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Refuse what is written about a user.

        Refuse what is written about a user from now on, known before or not.

        What is held stays: ``forget`` removes it, and comes first, since it removes this too.

        >>> client.users.opt_out(user_id="nora")
        """
        return self._call(_OPT_OUT, {"user_id": user_id}, UserConsent, idempotency_key)

    def opt_in(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Take what is written about a user again.

        End an opting out. What was refused meanwhile does not come back.

        >>> client.users.opt_in(user_id="nora")
        """
        return self._call(_OPT_IN, {"user_id": user_id}, UserConsent, idempotency_key)

    def reopen(self, *, user_id: str, idempotency_key: str | None = None) -> Reopened:
        """Take what is written about a forgotten user again.

        Take writes about a forgotten user again. Nothing that went comes back: it is a new
        start.

        >>> client.users.reopen(user_id="nora")
        """
        return self._call(_REOPEN, {"user_id": user_id}, Reopened, idempotency_key)


class AsyncUsersCalls:
    """Calls of the family users."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, cursor: str | None = None, limit: int = 50) -> Users:
        """List the users who are known.

        The users of whom something is or was stored and who were not forgotten, by their names.

        >>> await client.users.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, Users)

    async def opt_out(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Refuse what is written about a user.

        Refuse what is written about a user from now on, known before or not.

        What is held stays: ``forget`` removes it, and comes first, since it removes this too.

        >>> await client.users.opt_out(user_id="nora")
        """
        return await self._call(_OPT_OUT, {"user_id": user_id}, UserConsent, idempotency_key)

    async def opt_in(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Take what is written about a user again.

        End an opting out. What was refused meanwhile does not come back.

        >>> await client.users.opt_in(user_id="nora")
        """
        return await self._call(_OPT_IN, {"user_id": user_id}, UserConsent, idempotency_key)

    async def reopen(self, *, user_id: str, idempotency_key: str | None = None) -> Reopened:
        """Take what is written about a forgotten user again.

        Take writes about a forgotten user again. Nothing that went comes back: it is a new
        start.

        >>> await client.users.reopen(user_id="nora")
        """
        return await self._call(_REOPEN, {"user_id": user_id}, Reopened, idempotency_key)
