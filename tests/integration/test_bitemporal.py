"""Random histories against a model of their own: nothing differs, at any ``as_of`` and ``known_at``.

A history is 30 operations by two users and their organisation: statements in and out of order, with
and without an end, by the user, an operator, a guess; corrections, retractions, confirmations, pins;
undoing, also of undoing; forgetting of one memory and of a user; time that passes, so that things
expire. After it every day of the world is asked for at every moment of the record, by the rows of
versions as the rules read them, and a few by ``memories.list``. An undo of the last decision of a
place is never refused. ``MUNIMENT_HISTORIES`` sets how many histories are run.
"""

import pytest

from tests.integration.histories import PARTS, fewest, run
from tests.support.databases import Database
from tests.support.world import Local, Tenant

pytestmark = pytest.mark.long


@pytest.mark.parametrize("part", range(0, PARTS, 2))
async def test_nothing_differs(
    service: Local, tenant: Tenant, database: Database, part: int
) -> None:
    assert await run(tenant, service, database, part) >= fewest()
