"""The marks around data in a prompt: random for every call, the same for all calls of a run."""

from typing import Final

from muniment.domain.fence import Fence
from muniment.ports import Context

# Digits, so that marks take the same tokens whichever they are.
_DIGITS: Final = 8
_BYTES: Final = 8


def fence_of(ctx: Context, run_id: str | None) -> Fence:
    """The fence of an answer. A run has one of its own, which a cache of prompts needs."""
    if run_id is None:
        number = int.from_bytes(ctx.entropy.bytes(_BYTES), "big")
    else:
        number = int(ctx.digest(f"fence\0{run_id}")[: 2 * _BYTES], 16)
    return Fence(f"{number % 10**_DIGITS:0{_DIGITS}}")
