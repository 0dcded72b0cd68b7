"""Analyses as the tests of their operations report and plan them."""

from typing import Any

from tests.support.world import Tenant

SOURCE = "shop.orders"
FINDINGS = [
    {"text": "Returns rose from 6 % to 9 % with the new courier.", "label": "confirmatory"},
    {"text": "The average basket is 54 euros.", "label": "exploratory"},
    {"text": "Weekend orders are 22 % below those of weekdays.", "label": "confirmatory"},
]
LAG = {
    "kind": "data_quality",
    "text": "The orders table is loaded two days late.",
    "label": "confirmatory",
}
BATTERY = [
    {"step": "return rate by courier", "parameters": {"from": "2025-10-01", "by": ["month"]}},
    {"step": "orders by weekday", "parameters": {}},
]
UNKNOWN = "Whether returns differ by product category."


async def report(tenant: Tenant, _as: str | None = None, **changes: Any) -> Any:
    """An analysis of the source, reported by a user."""
    told: dict[str, Any] = {"user_id": "ann", "session_id": "s1", "data_source": SOURCE}
    return await tenant("analysis.report", _as=_as, **(told | changes))


async def first(tenant: Tenant, **changes: Any) -> Any:
    """One with three findings, its battery, and a question that stayed open."""
    told: dict[str, Any] = {
        "findings": FINDINGS, "battery": BATTERY, "unknowns": [UNKNOWN], "fingerprint": "v1",
    }  # fmt: skip
    return await report(tenant, **(told | changes))


async def plan(tenant: Tenant, _as: str | None = None, **changes: Any) -> Any:
    """What to do with it."""
    asked: dict[str, Any] = {
        "user_id": "ann",
        "data_source": SOURCE,
        "question": "How high are returns with the new courier?",
    }
    return await tenant("analysis.plan", _as=_as, **(asked | changes))
