"""Opens the extractor that is chosen; the one for models is imported only where it is wanted."""

import contextlib
import importlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from muniment.errors import BadSetting
from muniment.ports import Extractor
from muniment.providers.rules_extractor import RulesExtractor


@contextlib.asynccontextmanager
async def made_extractor(
    model: Mapping[str, Any] | None, entropy: Callable[[int], bytes]
) -> AsyncIterator[Extractor]:
    """The rules, or the model of this choice. Raises BadSetting without the extra for models."""
    if model is None:
        yield RulesExtractor()
        return
    module = model_adapter()
    extractor = module.LlmExtractor(module.ModelChoice(**model), entropy)
    try:
        yield extractor
    finally:
        await extractor.close()


def model_adapter() -> Any:
    """The module for models, which takes seconds to import. Raises BadSetting without the extra."""
    try:
        return importlib.import_module("muniment.providers.llm_extractor")
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"MUNIMENT_EXTRACTOR is llm and {error.name} is not installed.",
            cure="Install what models need: pip install 'muniment[llm]'.",
        ) from None
