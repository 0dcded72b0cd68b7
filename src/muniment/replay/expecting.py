"""Whether what somebody wrote about the end of a trajectory is true."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from muniment.replay.trajectory import Expect


def found_at(answer: Any, path: str) -> Any:
    """What is at a path, or None; `*` stands for every member, and makes a list."""
    parts = [one for one in path.split("/") if one]
    for at, part in enumerate(parts):
        if part == "*":
            rest = "/".join(parts[at + 1 :])
            members = answer if isinstance(answer, list) else []
            return [found_at(one, rest) for one in members]
        if isinstance(answer, list) and part.isdigit() and int(part) < len(answer):
            answer = answer[int(part)]
        elif isinstance(answer, Mapping):
            answer = answer.get(part)
        else:
            return None
    return answer


def failure(expected: Expect, answer: Any, refused: str | None) -> str | None:
    """Why an expectation is not met; None if it is."""
    if expected.check == "refused":
        return None if refused == expected.wanted else f"{expected.said}: refused {refused}"
    if refused is not None:
        return f"{expected.said}: refused {refused}"
    found = found_at(answer, expected.path)
    met = _CHECKS[expected.check](found, expected.wanted)
    return None if met else f"{expected.said}: found {json.dumps(found, ensure_ascii=False)[:300]}"


def _has(found: Any, wanted: Any) -> bool:
    if isinstance(found, list) and not isinstance(wanted, str):
        return wanted in found
    if isinstance(found, list):
        return any(one == wanted or (isinstance(one, str) and wanted in one) for one in found)
    return isinstance(found, str) and wanted in found


_CHECKS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is": lambda found, wanted: found == wanted,
    "has": _has,
    "lacks": lambda found, wanted: not _has(found, wanted),
    "count": lambda found, wanted: len(found or []) == wanted,
}
