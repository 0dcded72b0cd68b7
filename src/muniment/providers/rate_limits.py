"""Rate limits of keys and tenants, counted in this process by the library ``limits``."""

from math import ceil, floor
from uuid import UUID

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from muniment.domain.allowance import Allowance
from muniment.errors import RateLimited
from muniment.ports import Clock

# Seconds by which the library may err: it reckons in fractions of the time since 1970.
_ROUNDING = 0.001
_FEW = 1024


class _Counts(MemoryStorage):
    """Counts of this process, by its event loop alone. What ran out goes when more is counted: the
    library's own storage starts a thread for that with nearly every request.
    """

    STORAGE_SCHEME: list[str] = ["muniment"]  # noqa: RUF012

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._tidied_at = _FEW

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        self.get(key)
        if len(self.storage) > self._tidied_at:
            for one in list(self.storage):
                self.get(one)
            self._tidied_at = max(2 * len(self.storage), _FEW)
        self.storage[key] += amount
        if self.storage[key] == amount:
            self.expirations[key] = self._clock.now().timestamp() + expiry
        return self.storage[key]


class RateLimits:
    """Implements ``ports.Limiter``. Rules read like ``"6000/minute"``; an empty one is none."""

    def __init__(self, key_rule: str, tenant_rule: str, clock: Clock) -> None:
        """Raises ValueError for a rule that is none."""
        self._clock = clock
        self._counts = _Counts(clock)
        self._counted = SlidingWindowCounterRateLimiter(self._counts)
        rules = (("key", key_rule), ("tenant", tenant_rule))
        self._rules = [(name, parse(rule)) for name, rule in rules if rule]

    def __len__(self) -> int:
        """How many counts are held."""
        return len(self._counts.storage)

    def take(self, tenant_id: UUID, key_id: UUID) -> Allowance | None:
        """Count a request against both. Raises RateLimited, without counting, over either."""
        if not self._rules:
            return None
        names = {"key": f"{tenant_id}/{key_id}", "tenant": str(tenant_id)}
        for name, rule in self._rules:
            if not self._counted.test(rule, names[name]):
                # Past the moment, not at it: there the window is still as full as it was.
                stats = self._counted.get_window_stats(rule, names[name])
                wait = floor(self._seconds_to(stats.reset_time) + _ROUNDING) + 1
                allowance = self._allowance(name, rule, names[name])
                raise RateLimited(
                    f"More than {rule.amount} requests in {rule.get_expiry()} s by this {name}.",
                    extra={"retry_after": wait, "limit": vars(allowance)},
                )
        for name, rule in self._rules:
            self._counted.hit(rule, names[name])
        found = [self._allowance(name, rule, names[name]) for name, rule in self._rules]
        return min(found, key=lambda one: one.remaining / one.limit)

    def _allowance(self, name: str, rule: RateLimitItem, counted: str) -> Allowance:
        stats = self._counted.get_window_stats(rule, counted)
        reset = ceil(self._seconds_to(stats.reset_time))
        return Allowance(
            name=name,
            limit=rule.amount,
            window=rule.get_expiry(),
            remaining=max(stats.remaining, 0),
            reset=min(reset, rule.get_expiry()),
        )

    def _seconds_to(self, moment: float) -> float:
        return max(moment - self._clock.now().timestamp(), 0.0)
