"""Muniment: a self-hosted memory service for AI agents.

``Client`` and ``AsyncClient`` speak to a running service; ``muniment serve`` is one.
"""

from muniment.client import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
