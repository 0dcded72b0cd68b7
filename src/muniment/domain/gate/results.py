"""Results of tools: what was read, or what was changed."""

import re
from typing import Final

from muniment.domain.late import late

_HEAD: Final = 2_000
_CHANGED: Final = late(
    r"(?<![a-z])(?:created?|updated?|sent|send|book(?:ed)?|confirm(?:ed)?|delet(?:ed?|ion)"
    r"|cancel+(?:ed)?|placed|replied|published|requested|converted|rolled|scheduled?|flagged"
    r"|hidden|live|held|written|write|scaled|merged?|push(?:ed)?|post(?:ed|_message)?|deploy(?:ed)?"
    r"|install(?:ed)?|archived?|removed?|renamed?|added|moved|shifted|set|save[d]?|issued?|refund"
    r"(?:ed)?|paid|pay|charged|closed|reopened|assign(?:ed)?|unsubscribed?|registered|granted"
    r"|revoked|enabled|disabled|activated|inactive|active|restart(?:ed)?|stopped|killed|started"
    r"|applied|destroyed?|uploaded|imported|submitted|approved|rejected|signed|transferred"
    r"|ordered|shipped|note[d]?|blocked|accepted|declined|repriced|insert(?:ed)?|upsert(?:ed)?"
    r"|committed|reserved|migrated|reset|rotated|banned|invited|done|effective)(?![a-z])"
    r"|->|→",
    re.IGNORECASE,
)
_NO_CHANGE: Final = late(
    r"(?<![\w.])0 (?:to (?:add|change|destroy)|added|changed|updated|deleted|rows affected)"
    r"|\bto (?:add|change|destroy)\b|\bno changes?\b|\(0 errors\b",
    re.IGNORECASE,
)
_READING: Final = late(
    r"(?:^|[._\s/(])(?:fetch|get|list|search|find|query|select|read|lookup|look_up|describe|show"
    r"|view|count|check|status|weather|forecast|holidays|plan|diff|ls|cat|head|tail|grep|explain"
    r"|stats?|report|metrics?|inspect|peek|scan|browse|history|log)(?:[_.][a-z_]+)?\s*[(:]"
    r"|^(?:select|explain)\b",
    re.IGNORECASE,
)
_ROWS: Final = late(
    r"(?<![\w.,])[\d.,]+ (?:rows?|results?|hits?|matches|records?|items?|entries|files?|tests?"
    r"|opportunities|tickets?|messages?|documents?|lines?)\b(?! (?:written|scaled|inserted))"
    r"|\brows\s*[=:]\s*\d|^[\w ,()/-]{1,40}[:=] ?[-\d.,%]+$",
    re.IGNORECASE | re.MULTILINE,
)
_MEASURED: Final = late(r"(?:\b\w+ ?= ?-?[\d.]+%?[\s,;]*){3}")


def only_read(content: str) -> bool:
    """Whether a tool's result shows what was read, and says of nothing that it was changed.

    What shows neither may have changed the world.
    """
    head = content[:_HEAD]
    if _CHANGED.search(_NO_CHANGE.sub(" ", head)):
        return False
    return bool(
        _NO_CHANGE.search(head)
        or _READING.search(head)
        or _ROWS.search(head)
        or _MEASURED.search(head)
        or _is_table(head)
    )


def _is_table(head: str) -> bool:
    """Whether lines stand under each other that have as many separators each."""
    lines = [line for line in head.splitlines() if line.strip()][:12]
    if len(lines) < 2:
        return False
    return any(
        lines[0].count(mark) and {line.count(mark) for line in lines[:-1]} == {lines[0].count(mark)}
        for mark in ",;\t|"
    )
