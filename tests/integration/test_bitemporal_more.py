"""The other half of the histories of ``test_bitemporal``, for another process to run."""

import pytest

from tests.integration.histories import PARTS, fewest, run
from tests.support.databases import Database
from tests.support.world import Local, Tenant

pytestmark = pytest.mark.long


@pytest.mark.parametrize("part", range(1, PARTS, 2))
async def test_nothing_differs(
    service: Local, tenant: Tenant, database: Database, part: int
) -> None:
    assert await run(tenant, service, database, part) >= fewest()
