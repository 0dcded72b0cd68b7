"""No tokenizer keeps what it was given: neither memory that grows nor a text that was forgotten."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench.load import resident
from tokenizers import Tokenizer
from tokenizers.models import BPE, Unigram

from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.token_counter import TokenizerCounter, token_counter

_TEXTS = 8_000
_MOST_MIB = 4.0
_LETTERS = "abcdefghijklmnop "


def _bpe() -> Tokenizer:
    return Tokenizer(BPE(vocab={letter: at for at, letter in enumerate(_LETTERS)}, merges=[]))


def _unigram() -> Tokenizer:
    return Tokenizer(Unigram([(letter, -1.0) for letter in _LETTERS], unk_id=0))


def _text(number: int) -> str:
    return " ".join(_LETTERS[int(digit, 16)] * 9 for digit in f"{number:08x}")


def _own() -> float:
    return resident("self")["own"]


@pytest.mark.parametrize("make", [None, _bpe, _unigram], ids=["default", "bpe", "unigram"])
def test_counting_ever_new_texts_takes_no_more_memory(
    make: Callable[[], Tokenizer] | None, tmp_path: Path
) -> None:
    file = None
    if make is not None:
        file = tmp_path / "tokenizer.json"
        make().save(str(file))
    counter: TokenizerCounter = token_counter(file)
    counter.count([_text(0)] * 200)
    before = _own()
    for number in range(_TEXTS):
        counter.count([_text(number)])
    assert _own() - before < _MOST_MIB


def test_embedding_ever_new_texts_takes_no_more_memory() -> None:
    embedder = StaticEmbedder()
    embedder.embed([_text(0)] * 200)
    before = _own()
    for number in range(_TEXTS):
        embedder.embed([_text(number)])
    assert _own() - before < _MOST_MIB
