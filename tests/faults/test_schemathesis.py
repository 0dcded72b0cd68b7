"""The OpenAPI document and the service agree, whatever is sent: schemathesis, every phase.

| what | must be |
|---|---|
| phases | examples, fuzzing and stateful, each run to its end; coverage too in ``make fuzz`` |
| checks | every one: server errors, statuses, headers, media types and schemas that are not
documented, data that breaks the schema and is taken, data that keeps it and is refused, access
without a key, methods, the header Allow, and what was removed and still answers |
| exceptions | faults that JSON Schema cannot say, one by one: ``BEYOND_THE_SCHEMA`` |

``make test`` draws 8 cases an operation and phase, ``make fuzz`` 100, under each of two seeds.
"""

from collections import Counter
from pathlib import Path

import pytest

from muniment.operations.registry import REGISTRY
from muniment.testing import Running
from tests.faults.input_fuzz import fuzz
from tests.faults.input_size import EXAMPLES, LONG

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
SEEDS = (1, 2) if LONG else (1,)
# Coverage goes through the limits of every field, as the tests of input beside this one do.
PHASES = ("examples", *(("coverage",) if LONG else ()), "fuzzing", "stateful")


@pytest.mark.timeout(1800)
def test_nothing_that_is_sent_surprises(unlimited: Running, tmp_path: Path) -> None:
    sent: Counter[str] = Counter()
    for seed in SEEDS:
        place = tmp_path / str(seed)
        place.mkdir()
        fuzzed = fuzz(unlimited, place, examples=EXAMPLES, seed=seed, phases=PHASES)
        report = fuzzed.report
        assert fuzzed.status == 0, fuzzed.said
        assert (report["complete"], report["failures"], report["errors"]) == (True, [], [])
        phases = {name: phase["status"] for name, phase in report["phases"].items()}
        assert {name for name, status in phases.items() if status == "success"} == set(PHASES)
        assert set(phases.values()) <= {"success", "skip"}
        assert set(fuzzed.answers) == set(REGISTRY)
        for name, answers in fuzzed.answers.items():
            assert max(answers) < 500
            assert not LONG or answers[401] > 0, f"{name} was never asked without a key"
            sent[name] += answers.total()
    print(
        f"{sent.total()} requests, {min(sent.values())} at least to each of {len(sent)} operations"
    )
    assert min(sent.values()) >= EXAMPLES, sent
