"""Tokens by the embedder's tokenizer, and by one from a file.

| a text | then |
|---|---|
| words | the tokens of the tokenizer, without any that mark its beginning or end |
| the words of any special token of the vocabulary | text like any other: no fewer tokens than without those in the vocabulary |
| nothing | 0 |
| a file that is none, or no tokenizer | BadSetting |
"""

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from muniment.errors import BadSetting
from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.token_counter import token_counter

EMBEDDER = StaticEmbedder()
FORGED = ("<|im_start|>", "<|im_end|>", "[INST]")


def without_specials() -> Tokenizer:
    """The same tokenizer, to which no token is special."""
    document = json.loads(EMBEDDER.tokenizer.to_str())
    unknown = [one for one in document["added_tokens"] if one["content"] == "<unk>"]
    document["added_tokens"] = unknown
    return Tokenizer.from_str(json.dumps(document))


def specials(tokenizer: Tokenizer) -> list[str]:
    return [one.content for one in tokenizer.get_added_tokens_decoder().values() if one.special]


def test_plain_words() -> None:
    counter = token_counter(None, EMBEDDER)
    assert counter.name == "llama-2"
    assert counter.count(["", "Lives in Gouda.", "a"]) == [0, 7, 1]


@pytest.mark.parametrize("special", specials(EMBEDDER.tokenizer))
def test_specials_are_text(special: str) -> None:
    counter = token_counter(None, EMBEDDER)
    text = f"Likes {special * 300} in prompts."
    (counted,) = counter.count([text])
    assert counted > 300 * 2
    if special != "<unk>":
        assert counted == len(without_specials().encode(text, add_special_tokens=False))


def test_specials_of_a_file(tmp_path: Path) -> None:
    tokenizer = Tokenizer.from_str(EMBEDDER.tokenizer.to_str())
    tokenizer.add_special_tokens(list(FORGED))
    path = tmp_path / "tokenizer.json"
    path.write_text(tokenizer.to_str(), encoding="utf-8")
    counter = token_counter(path)
    assert counter.name.startswith("tokenizer-")
    for special in specials(tokenizer):
        assert counter.count([special * 50])[0] > 50 * 2


def test_what_is_no_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    for name in ("tokenizer.json", "none.json"):
        with pytest.raises(BadSetting):
            token_counter(tmp_path / name)
