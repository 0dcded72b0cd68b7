"""Lines of an import lose their secrets, as whatever is written does; an export has none."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from muniment.domain.gate import GateInput, sentence_digests
from muniment.domain.slot import Slot
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.secrets import Cleaner

Row = dict[str, Any]
_FIELDS: Mapping[str, Sequence[str]] = {
    "event": ("content", "metadata"),
    "episode": ("text",),
    "memory": ("text", "value", "detail", "metadata"),
    "analysis": ("question", "battery", "unknowns", "answered"),
    "item": ("value",),
    "file": ("content",),
    "decision": ("inputs",),
    "review": ("reason",),
}
"""What a type of line says in words. Names and working memory are kept as they are everywhere."""


async def without_secrets(ctx: Context, rows: Sequence[Row]) -> list[Row]:
    """The lines without secrets, off the loop where that takes long."""
    return await worked_out(sum(len(repr(row)) for row in rows), partial(_cleaned, ctx, rows))


def _cleaned(ctx: Context, rows: Sequence[Row]) -> list[Row]:
    return [_line(ctx, row) for row in rows]


def _line(ctx: Context, row: Row) -> Row:
    cleaner = Cleaner(ctx.redactor)
    clean = {name: cleaner.value(row[name]) for name in _FIELDS.get(row["type"], ())}
    if not cleaner.kinds:
        return row
    return row | clean | _derived(ctx, row, clean, cleaner.kinds)


def _derived(ctx: Context, row: Row, clean: Row, kinds: Sequence[str]) -> Row:
    """What a line says of its own words, made anew of those that are left."""
    if row["type"] == "event":
        said = GateInput(row["role"], clean["content"], row["name"])
        return {
            "redacted": list(dict.fromkeys([*row["redacted"], *kinds])),
            "sentences": sorted(sentence_digests(said)),
        }
    if row["type"] == "memory" and clean["value"] != row["value"]:
        slot = ctx.policy.slots.get(row["slot"], Slot(row["slot"], "one"))
        return {"value_key": slot.key(clean["value"])}
    return {}
