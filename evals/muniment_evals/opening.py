"""A store to measure: one that runs already, or a throw-away one."""

import contextlib
from collections.abc import Iterator

import httpx
import typer

from muniment.client import Client
from muniment.client.connection import find_client
from muniment.settings import read_settings
from muniment.testing import running_service

EMBEDDED = "embedded"


@contextlib.contextmanager
def fresh_tenant(against: str | None) -> Iterator[Client]:
    """A client of a tenant that has nothing in it yet."""
    with installation(against) as client:
        tenant = client.tenants.create(name="evaluation")
        with Client(client.url, tenant.key.secret) as fresh:
            yield fresh


@contextlib.contextmanager
def installation(against: str | None) -> Iterator[Client]:
    """A client that may make tenants."""
    with contextlib.ExitStack() as stack:
        client = None if against == EMBEDDED else _reachable(against)
        if client is None:
            typer.echo("against a throw-away embedded service", err=True)
            service = stack.enter_context(running_service())
            client = Client(service.url, service.key)
        else:
            typer.echo(f"against {client.url}", err=True)
        stack.enter_context(client)
        yield client


def _reachable(url: str | None) -> Client | None:
    """The service at a URL or that of the settings; None if the latter does not answer."""
    if url is None:
        try:
            httpx.get(f"{read_settings().base_url}/healthz", timeout=2.0, trust_env=False)
        except httpx.TransportError:
            return None
    return find_client(url)
