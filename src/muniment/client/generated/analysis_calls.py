"""Calls of the family analysis. Generated; do not edit."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from muniment.client.calls import Call
from muniment.client.core import Endpoint
from muniment.client.generated.analysis import (
    AnalysisPlan,
    AnalysisReported,
    BatteryStep,
    ReportedFinding,
    Retirement,
    Revalidation,
)

_PLAN = Endpoint("analysis.plan", "POST", "/v1/analysis/plan")
_REPORT = Endpoint("analysis.report", "POST", "/v1/analysis/report", writes=True)


class AnalysisCalls:
    """Calls of the family analysis."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def plan(
        self,
        *,
        user_id: str,
        data_source: str,
        question: str,
        mode: Literal["fresh", "extend", "revalidate", "re-run", "auto"] | None = None,
        fingerprint: str | None = None,
        k: int = 10,
        namespace: str = "default",
        session_id: str | None = None,
        run_id: str | None = None,
        step: int | None = None,
        agent_id: str | None = None,
    ) -> AnalysisPlan:
        """Decide what to do with prior work on a data source.

        A question about a data source, by any of its names.

        ``mode``: the user's choice; ``auto`` infers one; without one, three or more prior
        findings open the gate. ``fingerprint`` names the state of the data, as reports do. An
        open run whose ``run_id`` is given is told when something of the answer does not hold
        any more.

        >>> client.analysis.plan(user_id="nora", data_source="sales",
        ...     question="How do sales grow?")
        """
        return self._call(
            _PLAN, {'user_id': user_id, 'data_source': data_source, 'question': question,
            'mode': mode, 'fingerprint': fingerprint, 'k': k, 'namespace': namespace,
            'session_id': session_id, 'run_id': run_id, 'step': step, 'agent_id': agent_id},
            AnalysisPlan
        )  # fmt: skip

    def report(
        self,
        *,
        user_id: str,
        session_id: str,
        data_source: str,
        mode: Literal["fresh", "extend", "revalidate", "re-run"] = "fresh",
        question: str | None = None,
        findings: Sequence[ReportedFinding] = (),
        battery: Sequence[BatteryStep] = (),
        unknowns: Sequence[str] = (),
        answered: Sequence[str] = (),
        revalidation: Revalidation | None = None,
        retired: Sequence[Retirement] = (),
        fingerprint: str | None = None,
        analysed_at: datetime | None = None,
        namespace: str = "default",
        agent_id: str | None = None,
        speaker: Literal["assistant", "operator"] = "assistant",
        category: Literal["public", "internal", "personal", "regulated"] = "personal",
        idempotency_key: str | None = None,
    ) -> AnalysisReported:
        """Report what an analysis of a data source found and ran.

        What an analysis of a data source came to, in a session of a user.

        ``battery`` is what it ran, which ``re-run`` repeats and ``extend`` skips; ``unknowns``
        are what it left open, ``answered`` what had been open. ``fingerprint`` names the state
        of the data. ``retired``: faults of the data that are gone. ``analysed_at``: when, if
        not now.

        >>> client.analysis.report(user_id="nora", session_id="monday", data_source="sales")
        """
        return self._call(
            _REPORT, {'user_id': user_id, 'session_id': session_id, 'data_source': data_source,
            'mode': mode, 'question': question, 'findings': findings, 'battery': battery,
            'unknowns': unknowns, 'answered': answered, 'revalidation': revalidation,
            'retired': retired, 'fingerprint': fingerprint, 'analysed_at': analysed_at,
            'namespace': namespace, 'agent_id': agent_id, 'speaker': speaker,
            'category': category}, AnalysisReported, idempotency_key
        )  # fmt: skip
