"""The SDK: ``Client``, ``AsyncClient``, ``each`` item of a list, and the models."""

from muniment.client.client import AsyncClient, Client
from muniment.client.paging import async_each, each

__all__ = ["AsyncClient", "Client", "async_each", "each"]
