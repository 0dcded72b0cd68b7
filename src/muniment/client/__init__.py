"""The SDK: ``Client``, ``AsyncClient`` and the models of their arguments and results."""

from muniment.client.client import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
