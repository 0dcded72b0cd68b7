"""The in-process service of the integration tests serves here too."""

from tests.integration.conftest import service, tenant, worker

__all__ = ["service", "tenant", "worker"]
