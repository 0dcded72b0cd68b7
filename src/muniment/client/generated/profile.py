"""The family profile. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import (
    Item,
)


@dataclass(frozen=True)
class Profile:
    """Items, pinned first, then by importance; always in the same order. ``text`` says them, a line
    each, with the date of what is stale and the values that contest one.

    ``tokens`` is what the text takes, as ``counter`` counts; ``left_out`` items did not fit.
    """

    items: tuple[Item, ...]
    text: str
    tokens: int
    counter: str
    left_out: int
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
        max_tokens: int | None = None,
    ) -> Profile:
        """Show what is known of a user by key.

        Pinned, single-valued and important facts of a user, and preferences.

        ``max_tokens`` says how long their text may be, by default what the policy says: 300.

        >>> client.profile.get(user_id="nora")
        """
        return self._call(
            _GET, {'user_id': user_id, 'namespace': namespace, 'as_of': as_of,
            'known_at': known_at, 'max_tokens': max_tokens}, Profile
        )  # fmt: skip


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
        max_tokens: int | None = None,
    ) -> Profile:
        """Show what is known of a user by key.

        Pinned, single-valued and important facts of a user, and preferences.

        ``max_tokens`` says how long their text may be, by default what the policy says: 300.

        >>> await client.profile.get(user_id="nora")
        """
        return await self._call(
            _GET, {'user_id': user_id, 'namespace': namespace, 'as_of': as_of,
            'known_at': known_at, 'max_tokens': max_tokens}, Profile
        )  # fmt: skip
