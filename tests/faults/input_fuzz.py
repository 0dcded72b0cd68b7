"""Runs schemathesis against a running service, in a process of its own."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.records.credentials import read_token
from muniment.testing import Running
from tests.support.documents import ROOT

# Everything is checked. Few users, sessions and keys, so that requests meet what others stored;
# kinds and slots of the policy, which the schema does not list.
_CONFIG = """
hooks = "tests.faults.input_fuzz_hooks"
continue-on-failure = true
request-timeout = 60.0

[generation]
database = "none"

[auth.openapi]
key = { bearer = "${FUZZ_KEY}" }

[phases.examples]
fill-missing = true

[reports.json]
path = "report.json"

[dictionaries.kinds]
values = ["fact", "finding", "user_preference", "data_quality", "domain_pattern", "procedure"]

[dictionaries.slots]
values = ["city", "allergy", "pet", "account_tier", "deploy_region"]

[dictionaries.names]
values = ["nora", "Zu\\u0308rich", "a/b", "..", "'; --"]

[parameters]
"path.user_id" = { dictionary = "names", probability = 0.6 }
"path.session_id" = { dictionary = "names", probability = 0.6 }
"path.key" = { dictionary = "names", probability = 0.6 }
"query.user_id" = { dictionary = "names", probability = 0.6 }
"body.user_id" = { dictionary = "names", probability = 0.6 }
"body.session_id" = { dictionary = "names", probability = 0.3 }
"body.kind" = { dictionary = "kinds", probability = 0.9 }
"body.slot" = { dictionary = "slots", probability = 0.8 }
"""


@dataclass(frozen=True)
class Fuzzed:
    """What a run found: its exit status, all that it said, its report, and answers by operation."""

    status: int
    said: str
    report: dict[str, Any]
    answers: dict[str, Counter[int]]


def fuzz(
    service: Running, place: Path, *, examples: int, seed: int, phases: Sequence[str]
) -> Fuzzed:
    """These phases and every check, with at most ``examples`` cases an operation and phase."""
    (place / "schemathesis.toml").write_text(_CONFIG, encoding="utf-8")
    counts = place / "answers.json"
    known = {
        "PYTHONPATH": str(ROOT),
        "FUZZ_KEY": service.key,
        "FUZZ_KEY_ID": str(read_token(service.key).key_id),
        "FUZZ_COUNTS": str(counts),
    }
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "--config-file", "schemathesis.toml",
        "run", f"{service.url}/openapi.json",
        "--phases", ",".join(phases),
        "--checks", "all",
        "--max-examples", str(examples),
        "--seed", str(seed),
        "--no-color",
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=place, env={**os.environ, **known}, capture_output=True, text=True, check=False
    )
    answers: dict[str, Counter[int]] = {}
    for name, count in json.loads(counts.read_text(encoding="utf-8")).items():
        operation, status = name.split()
        answers.setdefault(operation, Counter())[int(status)] += count
    report = json.loads((place / "report.json").read_text(encoding="utf-8"))
    return Fuzzed(done.returncode, done.stdout + done.stderr, report, answers)
