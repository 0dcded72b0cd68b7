"""Muniment inside LangGraph: ``MunimentStore`` and ``MunimentSaver``.

Needs the extra ``muniment[langgraph]``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from muniment.langgraph.saver import MunimentSaver
    from muniment.langgraph.store import MunimentStore
    from muniment.langgraph.whose import USER

__all__ = ["USER", "MunimentSaver", "MunimentStore"]

_MODULES = {
    "USER": "muniment.langgraph.whose",
    "MunimentSaver": "muniment.langgraph.saver",
    "MunimentStore": "muniment.langgraph.store",
}


def __getattr__(name: str) -> Any:
    # At its first use, so that one does not pay for the other.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
