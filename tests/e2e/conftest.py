"""Fixtures for tests from outside: a real service in processes of its own."""

from collections.abc import Iterator

import pytest

from muniment.client import Client
from muniment.testing import Running
from tests.support.services import running_service


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """A service for the whole run; each test makes a tenant of its own."""
    with running_service(environment={"MUNIMENT_COMPAT_MEM0": "true"}) as service:
        yield service


@pytest.fixture
def admin(running: Running) -> Iterator[Client]:
    """The admin of a fresh tenant."""
    with (
        Client(running.url, running.key) as installation,
        Client(running.url, installation.tenants.create(name="test").key.secret) as client,
    ):
        yield client
