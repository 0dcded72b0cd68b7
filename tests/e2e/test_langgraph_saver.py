"""``MunimentSaver`` against the suite of checkpointers, and beside the one that ships in memory.

| what | then |
|---|---|
| LangGraph's own suite | every capability is there, and all of it passes |
"""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import ALL_CAPABILITIES, DetectedCapabilities

from muniment.client import Client
from muniment.langgraph import MunimentSaver


@pytest.fixture
def saver(admin: Client) -> MunimentSaver:
    return MunimentSaver(admin, user_id="sanne")


async def test_the_suite_of_checkpointers(saver: MunimentSaver) -> None:
    @checkpointer_test(name="MunimentSaver")
    async def made() -> AsyncGenerator[Any, None]:
        yield saver

    report = await validate(made)
    failed = {name: one.failures for name, one in report.results.items() if one.failures}
    assert failed == {}
    detected = DetectedCapabilities.from_instance(saver)
    assert detected.detected == ALL_CAPABILITIES
    assert {one for one in report.results if report.results[one].passed} == {
        capability.value for capability in ALL_CAPABILITIES
    }
