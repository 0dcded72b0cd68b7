"""The static embedder against its table, and recall in small stores with it."""

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from muniment.domain.ranking.rows import RowBatch, encode_vector
from muniment.domain.ranking.scope_index import ScopeIndex
from muniment.domain.ranking.scoring import Ranking
from muniment.errors import StartRefused
from muniment.providers import static_embedder
from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.static_words import StaticWords
from tests.unit.scope_rows import ANALYZER, ask, batch, fact, names, view

EMBEDDER = StaticEmbedder()
WORDS = StaticWords(EMBEDDER)
ROOT = Path(str(distribution("wordllama").locate_file("wordllama")))


def test_vectors_are_the_scaled_mean_of_the_tokens() -> None:
    table = load_file(ROOT / "weights/l2_supercat_256.safetensors")["embedding.weight"]
    tokenizer = Tokenizer.from_file(str(ROOT / "tokenizers/l2_supercat_tokenizer_config.json"))
    for text in ("My dog is called Rex.", "東京に行きました", "🎉", "a", "naïve\ttext"):
        tokens = tokenizer.encode(text, add_special_tokens=False).ids
        mean = table[tokens].astype(np.float64).mean(axis=0)
        expected = mean / np.linalg.norm(mean)
        assert np.allclose(EMBEDDER.embed([text])[0], expected, atol=1e-5)


def test_shape_and_kind() -> None:
    vectors = EMBEDDER.embed(["one", "two words", ""])
    assert vectors.shape == (3, EMBEDDER.dimensions)
    assert vectors.dtype == np.float32
    assert EMBEDDER.embed([]).shape == (0, 256)


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000"])
def test_text_without_words_has_no_vector(text: str) -> None:
    assert EMBEDDER.embed_one(text) is None
    assert not EMBEDDER.embed([text]).any()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_gives_a_unit_vector_or_none(text: str) -> None:
    vector = EMBEDDER.embed_one(text)
    if vector is not None:
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_the_same_text_gives_the_same_bits_alone_or_among_others() -> None:
    alone = EMBEDDER.embed(["a dog in the garden"])[0]
    among = StaticEmbedder().embed(["x", "a dog in the garden", "y" * 500])[1]
    assert alone.tobytes() == among.tobytes()


def test_a_long_text_is_averaged_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "the quick brown fox jumps over the lazy dog " * 200
    whole = EMBEDDER.embed([text])
    monkeypatch.setattr(static_embedder, "_CHUNK", 100)
    assert np.allclose(EMBEDDER.embed([text]), whole, atol=1e-5)


def test_related_texts_are_nearer_than_unrelated_ones() -> None:
    dog, puppy, tax = EMBEDDER.embed(["my dog", "a puppy", "quarterly tax return"])
    assert dog @ puppy > dog @ tax + 0.2


def test_the_package_itself_is_not_imported() -> None:
    program = (
        "import sys; from muniment.providers.static_embedder import StaticEmbedder;"
        "assert StaticEmbedder().embed(['dog']).any();"
        "assert not [m for m in sys.modules if m.split('.')[0] in ('wordllama', 'requests')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StartRefused, match="Install wordllama again"):
        StaticEmbedder(tmp_path).embed(["dog"])


def test_another_table_is_refused(tmp_path: Path) -> None:
    weights, tokenizers = tmp_path / "wordllama/weights", tmp_path / "wordllama/tokenizers"
    weights.mkdir(parents=True)
    tokenizers.symlink_to(ROOT / "tokenizers")
    empty = (2).to_bytes(8, "little") + b"{}"
    (weights / "l2_supercat_256.safetensors").write_bytes(empty)
    with pytest.raises(StartRefused, match="not the embedding table"):
        StaticEmbedder(tmp_path).embed(["dog"])


FACTS = {
    "car": "The user drives a blue Skoda Octavia.",
    "sister": "The user's sister Petra is a veterinarian.",
    "nuts": "The user is allergic to peanuts and shellfish.",
    "city": "The user moved to Lisbon in March.",
    "tea": "The user prefers green tea in the morning.",
    "grain": "The user wants reports at weekly grain, not daily.",
    "dog": "The user's dog is called Biscuit.",
    "job": "The user works as a data engineer at Acme.",
}


def ask_store(question: str, others: int) -> Ranking:
    """Recall from the facts and some more about other things."""
    texts = {
        **FACTS,
        **{f"o{at}": f"The user stored item {at} in box {7 * at}." for at in range(others)},
    }
    rows = batch([fact(name, text) for name, text in texts.items()])
    columns = {**vars(rows), "vectors": list(map(encode_vector, EMBEDDER.embed([*texts.values()])))}
    parsed = ask(question).with_related(WORDS, ANALYZER)
    index = ScopeIndex(EMBEDDER.dimensions, RowBatch(**columns))
    vector = EMBEDDER.embed_one(parsed.content)
    return index.rank(parsed.with_vector(vector), view())


@pytest.mark.parametrize("others", [0, 20])
@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Which car do I drive?", "car"),
        ("What does my sister do for a living?", "sister"),
        ("Is there any food allergy?", "nuts"),
        ("Which city did I move to?", "city"),
        ("What do I like to drink in the morning?", "tea"),
        ("At what grain should reports be?", "grain"),
        ("What is my dog called?", "dog"),
        ("Where do I work?", "job"),
    ],
)
def test_small_stores_find_what_they_hold(question: str, best: str, others: int) -> None:
    rows = [fact(name, text) for name, text in FACTS.items()]
    first = ask_store(question, others).hits[0]
    assert [row.name for row in rows if batch([row]).ids[0] == first.id.bytes] == [best]


@pytest.mark.parametrize("others", [0, 20])
@pytest.mark.parametrize(
    "question",
    [
        "What is my deploy region?",
        "Which VPN gateway is used?",
        "Who approved the invoice?",
        "What's the API rate limit?",
        "How many shards does the cluster have?",
    ],
)
def test_small_stores_abstain_from_what_they_do_not_hold(question: str, others: int) -> None:
    ranking = ask_store(question, others)
    assert (ranking.abstained, ranking.hits) == (True, ())


def test_names_of_hits_are_ids_of_rows() -> None:
    rows = [fact(name, text) for name, text in FACTS.items()]
    assert names(ask_store("Which car do I drive?", 0), rows)[0] == "car"
