"""A service of its own for what is thrown at it, and clients of it."""

from collections.abc import Iterator

import httpx
import pytest

from muniment.client import Client
from muniment.testing import Running
from tests.faults.input_size import UNLIMITED
from tests.support.services import running_service


@pytest.fixture(scope="session")
def unlimited() -> Iterator[Running]:
    """A service without rate limits; each test makes a tenant of its own."""
    with running_service(environment=UNLIMITED) as service:
        yield service


@pytest.fixture(scope="session")
def root_sdk(unlimited: Running) -> Iterator[Client]:
    """The SDK as the admin of the installation, whose tenant many tests share."""
    with Client(unlimited.url, unlimited.key) as client:
        yield client


@pytest.fixture(scope="session")
def root_http(unlimited: Running) -> Iterator[httpx.Client]:
    """A bare client with the same key."""
    headers = {"authorization": f"Bearer {unlimited.key}"}
    with httpx.Client(base_url=unlimited.url, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture
def key(root_sdk: Client) -> str:
    """The admin key of a fresh tenant."""
    return root_sdk.tenants.create(name="input").key.secret


@pytest.fixture
def sdk(unlimited: Running, key: str) -> Iterator[Client]:
    """The SDK as that tenant's admin."""
    with Client(unlimited.url, key) as client:
        yield client


@pytest.fixture
def http(unlimited: Running, key: str) -> Iterator[httpx.Client]:
    """A bare client with the same key."""
    headers = {"authorization": f"Bearer {key}"}
    with httpx.Client(base_url=unlimited.url, headers=headers, timeout=60) as client:
        yield client
