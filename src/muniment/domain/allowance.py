"""What a rate limit leaves."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Allowance:
    """What is left of the tightest rate limit: ``remaining`` of ``limit`` in ``reset`` seconds."""

    name: str
    limit: int
    window: int
    remaining: int
    reset: int
