"""When a record of the organisation binds: what an agent inferred alone does not yet (RULES 2.3).

| scope | grade | observed by | binds |
|---|---|---|---|
| a user's | any | | yes |
| the organisation's | `user_stated`, `operator`, `tool_verified` | anybody | yes |
| the organisation's | `agent_inferred` | one user through the keys of one principal | no |
| the organisation's | `agent_inferred` | two users, or through the keys of two principals | yes |
| the organisation's | `agent_inferred` | one, and a steward confirmed it | yes |
| the organisation's | `external_content` | any number | only confirmed by a steward |
"""

from typing import Final

from muniment.domain.trust import Trust

AT_ONCE: Final[frozenset[Trust]] = frozenset({"user_stated", "operator", "tool_verified"})
ENOUGH: Final = 2


def binds(level: str, trust: Trust, observers: int, *, confirmed: bool = False) -> bool:
    """True if a record binds at once, or has come to; until then it is shown as unconfirmed.

    ``observers`` are distinct users whose turns say it, or distinct principals whose keys wrote it,
    whichever are more. ``confirmed``: a steward did.
    """
    if level != "org" or trust in AT_ONCE or confirmed:
        return True
    return trust == "agent_inferred" and observers >= ENOUGH
