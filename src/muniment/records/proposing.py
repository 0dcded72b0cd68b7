"""What waits for a person before it takes effect: what reads like an instruction, and what a key
may only propose (RULES 4.4, 15.5).
"""

from muniment.ports import Context


def proposes(ctx: Context) -> bool:
    """Whether what the caller writes waits for a person."""
    verbs = ctx.caller.verbs
    return "propose" in verbs and "write" not in verbs


def kept_apart(*, suspect: bool, proposed: bool) -> str | None:
    """The rule by which what is said waits; None where it does not."""
    if suspect:
        return "instruction_like"
    return "proposed" if proposed else None
