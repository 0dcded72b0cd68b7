"""A year of life, short: twenty sessions and the curator of a real service (the whole: make life).

| what | then |
|---|---|
| values that are not true any more | given as current by recall or profile: at most the one whose end is not understood yet ("no kits in stock any more, the last 118 went") |
| memories | fewer than 200, none of them of more than what was said |
| ordinary talk | most of it is dropped |
"""

from datetime import UTC, datetime

import pytest
from bench.life import Nights

from muniment.client import Client
from muniment.testing import Running
from muniment_evals.life import evaluate, lines
from muniment_evals.life_story import tell

pytestmark = pytest.mark.long

SESSIONS, TURNS = 20, 20
NOT_UNDERSTOOD_YET = 0


def test_twenty_sessions_of_a_year(running: Running, admin: Client) -> None:
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    story = tell(1, SESSIONS, TURNS, today)
    report = evaluate(admin, story, lambda _: None, Nights(running))
    told = "\n".join(lines(report))
    assert report.sessions == SESSIONS
    assert report.turns == sum(len(session.turns) for session in story.sessions)
    assert (report.current, report.superseded, report.remarks) == (46, 20, 65)
    assert [month.month for month in report.months] == list(range(1, 13))
    assert sum(month.events for month in report.months) == report.turns
    assert report.months[-1].memories == report.memories
    assert 0.5 < report.dropped_share < 0.95
    assert 0 < report.memories < 200
    assert report.current_there >= max(report.current_held, report.current_recalled)
    assert len(report.missed) == round((1 - report.current_there) * report.current)
    assert report.superseded_given <= NOT_UNDERSTOOD_YET, told
