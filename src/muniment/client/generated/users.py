"""The family users. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


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


_OPT_OUT = Endpoint("users.opt_out", "POST", "/v1/users/{user_id}/opt-out", writes=True)
_OPT_IN = Endpoint("users.opt_in", "POST", "/v1/users/{user_id}/opt-in", writes=True)
_REOPEN = Endpoint("users.reopen", "POST", "/v1/users/{user_id}/reopen", writes=True)


class UsersCalls:
    """Calls of the family users."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def opt_out(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Refuse what is written about a user.

        Refuse what is written about a user from now on, known before or not.

        What is held stays: ``forget`` removes it, and comes first, since it removes this too.
        """
        return self._call(_OPT_OUT, {"user_id": user_id}, UserConsent, idempotency_key)

    def opt_in(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Take what is written about a user again.

        End an opting out. What was refused meanwhile does not come back.
        """
        return self._call(_OPT_IN, {"user_id": user_id}, UserConsent, idempotency_key)

    def reopen(self, *, user_id: str, idempotency_key: str | None = None) -> Reopened:
        """Take what is written about a forgotten user again.

        Take writes about a forgotten user again. Nothing that went comes back: it is a new
        start.
        """
        return self._call(_REOPEN, {"user_id": user_id}, Reopened, idempotency_key)


class AsyncUsersCalls:
    """Calls of the family users."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def opt_out(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Refuse what is written about a user.

        Refuse what is written about a user from now on, known before or not.

        What is held stays: ``forget`` removes it, and comes first, since it removes this too.
        """
        return await self._call(_OPT_OUT, {"user_id": user_id}, UserConsent, idempotency_key)

    async def opt_in(self, *, user_id: str, idempotency_key: str | None = None) -> UserConsent:
        """Take what is written about a user again.

        End an opting out. What was refused meanwhile does not come back.
        """
        return await self._call(_OPT_IN, {"user_id": user_id}, UserConsent, idempotency_key)

    async def reopen(self, *, user_id: str, idempotency_key: str | None = None) -> Reopened:
        """Take what is written about a forgotten user again.

        Take writes about a forgotten user again. Nothing that went comes back: it is a new
        start.
        """
        return await self._call(_REOPEN, {"user_id": user_id}, Reopened, idempotency_key)
