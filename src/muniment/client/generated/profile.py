"""The family profile. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import Item


@dataclass(frozen=True)
class Profile:
    """Facts, pinned first, then by importance; always in the same order."""

    items: tuple[Item, ...]
    watermark: datetime


_GET = Endpoint("profile.get", "GET", "/v1/users/{user_id}/profile")


class ProfileCalls:
    """Calls of the family profile."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(
        self,
        *,
        user_id: str,
        namespace: str = "default",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: int = 20,
    ) -> Profile:
        """Show what is known of a user by key.

        Pinned, single-valued and important facts of a user.
        """
        return self._call(
            _GET,
            {
                "user_id": user_id,
                "namespace": namespace,
                "as_of": as_of,
                "known_at": known_at,
                "limit": limit,
            },
            Profile,
        )


class AsyncProfileCalls:
    """Calls of the family profile."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(
        self,
        *,
        user_id: str,
        namespace: str = "default",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: int = 20,
    ) -> Profile:
        """Show what is known of a user by key.

        Pinned, single-valued and important facts of a user.
        """
        return await self._call(
            _GET,
            {
                "user_id": user_id,
                "namespace": namespace,
                "as_of": as_of,
                "known_at": known_at,
                "limit": limit,
            },
            Profile,
        )
