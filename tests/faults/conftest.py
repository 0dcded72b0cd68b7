"""The in-process service of the integration tests serves here too; a server that is a model."""

from collections.abc import Iterator

import pytest

from tests.integration.conftest import service, tenant, worker
from tests.support.model_server import ModelServer, model_server, proposing

__all__ = ["service", "tenant", "worker"]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A server that answers as a model does; a test says what it will."""
    with model_server(proposing()) as served:
        yield served
