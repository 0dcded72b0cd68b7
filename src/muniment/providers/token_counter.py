"""Counts tokens with a tokenizer that is there already: offline, nothing more to load.

The default is that of the embedder's table (Llama 2). It makes more tokens of a text than what
newer models use, so that a budget by it is one by those (ADR 0032). Another one is read from a file
in the format of Hugging Face (``tokenizer.json``), such as models ship.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from tokenizers import Tokenizer

from muniment.errors import BadSetting
from muniment.providers.static_embedder import StaticEmbedder, plain

DEFAULT: Final = "llama-2"
_DIGITS: Final = 8


class TokenizerCounter:
    """Implements ``ports.TokenCounter``. ``load`` is called at first use."""

    def __init__(self, name: str, load: Callable[[], Tokenizer]) -> None:
        self.name = name
        self._load = load

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by itself, without any that mark its beginning or end. The words of a
        special token are text, as they are for whoever lets no prompt forge one.
        """
        # One by one: a batch would take threads from the requests beside this one.
        encode = self._tokenizer.encode_batch_fast
        return [len(encode([text], add_special_tokens=False)[0]) for text in texts]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return self._load()


def token_counter(file: Path | None, embedder: StaticEmbedder | None = None) -> TokenizerCounter:
    """By the tokenizer of a file, which is read at once, or by the embedder's.

    The name of one from a file has a part of the file's digest. Raises BadSetting.
    """
    if file is None:
        table = embedder or StaticEmbedder()
        return TokenizerCounter(DEFAULT, lambda: table.tokenizer)
    try:
        data = file.read_bytes()
        tokenizer = Tokenizer.from_buffer(data)
    except OSError as error:
        raise BadSetting(
            f"The tokenizer file cannot be read: {error.strerror}.",
            cure="Set MUNIMENT_TOKENIZER_FILE to a readable file, or leave it unset.",
        ) from error
    except ValueError as error:
        raise BadSetting(
            "MUNIMENT_TOKENIZER_FILE is no tokenizer.json of Hugging Face.",
            cure="Take the file that the model ships, or leave it unset.",
        ) from error
    name = f"{file.stem}-{sha256(data).hexdigest()[:_DIGITS]}"
    return TokenizerCounter(name, lambda: plain(tokenizer))
