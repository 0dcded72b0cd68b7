"""The memory tool of Anthropic's SDK on files of a user (``pip install 'muniment[anthropic]'``)."""

try:
    from muniment.anthropic.tool import AsyncMunimentMemoryTool, MunimentMemoryTool
except ModuleNotFoundError as missing:
    raise ImportError(
        "muniment.anthropic needs anthropic: pip install 'muniment[anthropic]'."
    ) from missing

__all__ = ["AsyncMunimentMemoryTool", "MunimentMemoryTool"]
