"""Whether an item of memory says what was planted, and whether it gives an old value as current."""

import re
from collections.abc import Mapping, Sequence

from muniment.client.models import Item
from muniment_evals.life_story import Planted, Remark

# How a text says of itself that what it tells is over; and of a word after it, that it is not so.
_OVER = re.compile(
    r"\b(?:used to|until|formerly|previously|any ?more|between \d{4}|was|were|had|worked|lived)\b"
)
_NOT_SO = r"\b(?:not|no longer|never|instead of|rather than|from|left|than)\b[^.;]{0,30}"


def has(text: str, groups: Sequence[Sequence[str]]) -> bool:
    """Whether one word or phrase of each group begins at a word of the text."""
    low = text.casefold()
    return all(
        any(re.search(rf"(?<!\w){re.escape(word)}", low) for word in group) for group in groups
    )


def answers(planted: Planted, item: Item) -> bool:
    """Whether an item has the value: in its place, or by its words."""
    if planted.slot is not None and item.slot == planted.slot and item.value is not None:
        return has(item.value, planted.must) or has(item.text, planted.must)
    return has(f"{item.text} {item.value or ''}", (*planted.must, *planted.about))


def given_as_current(old: Planted, item: Item) -> bool:
    """Whether an active memory tells an old value as if it were true.

    In its own slot the value decides. Elsewhere the words do, unless they tell that it is over or
    what came instead.
    """
    if old.slot is not None and item.slot == old.slot:
        return item.value is not None and has(item.value, old.must)
    if old.slot is None and item.slot is not None:
        return False
    if not has(item.text, (*old.must, *old.about)):
        return False
    text = item.text.casefold()
    told_new = bool(old.now) and has(text, (old.now,))
    not_so = any(re.search(_NOT_SO + re.escape(word), text) for word in old.must[-1])
    return not (told_new or not_so or _OVER.search(text))


def remembered(
    memories: Sequence[Item],
    turns: Mapping[tuple[str, int], str],
    remarks: Mapping[tuple[str, str], Remark],
) -> list[str]:
    """Memories that rest on a passing remark, with what was said."""
    found = []
    for item in memories:
        for one in item.evidence:
            said = turns.get((one.session_id, one.turn), "")
            remark = remarks.get((one.session_id, said))
            if remark is not None:
                found.append(f"{remark.group}: {said} -> {item.slot}={item.value}: {item.text}")
                break
    return found
