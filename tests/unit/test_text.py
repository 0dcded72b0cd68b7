"""Text analysis: tokens, stems, hashes and the terms encoding."""

import threading
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain import text
from muniment.domain.text import DATED, Analyzer, analyzer_for, decode_terms, encode_terms
from muniment.errors import InvalidInput

ENGLISH = Analyzer("english")


@pytest.mark.parametrize(
    ("given_text", "tokens"),
    [
        ("", []),
        ("  \n\t ", []),
        ("!?… —", []),
        ("The Dog's bowl", ["the", "dog", "s", "bowl"]),
        ("don’t", ["don", "t"]),
        ("1,000 dogs, 3.5%", ["1000", "dogs", "3.5"]),
        ("eu-west-1", ["eu", "west", "1"]),
        ("R2D2", ["r2d2"]),
        ("Crème brûlée", ["crème", "brûlée"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("İstanbul", ["istanbul"]),
        ("ＡＢＣ１２ ﬁne", ["abc12", "fine"]),
        ("東京に行く", ["東京", "京に", "に行", "行く"]),
        ("猫", ["猫"]),
        ("iPhone手机", ["iphone", "手机"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("ฉันรัก", ["ฉั", "ัน", "นร", "รั", "ัก"]),
        ("मैं दिल्ली में", ["मैं", "दिल्ली", "में"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("أنا أحب", ["أنا", "أحب"]),
        ("Привет, МИР", ["привет", "мир"]),
        ("moved 🎉", ["moved", "🎉"]),
    ],
)
def test_tokens(given_text: str, tokens: list[str]) -> None:
    assert text.tokenise(given_text) == tokens


@pytest.mark.parametrize(
    ("language", "given_text", "stems"),
    [
        ("english", "What are the dogs running for?", ["dog", "run"]),
        ("english", "She went, he goes, they have gone", ["go", "go", "go"]),
        ("english", "the children bought 2nd bikes", ["child", "buy", "2", "bike"]),
        ("english", "I don't, you've, it's", []),
        ("english", "He lives, I live; she owns, I own", ["live", "live", "own", "own"]),
        ("german", "Die Hunde laufen über die Straßen", ["hund", "lauf", "strass"]),
        ("french", "J'ai deux chiens", ["deux", "chien"]),
        ("spanish", "¿Dónde viven los perros?", ["viv", "perr"]),
        ("italian", "Dove abitano i cani?", ["abit", "can"]),
        ("portuguese", "Onde moram os cachorros?", ["mor", "cachorr"]),
        ("dutch", "Waar zijn de honden?", ["hond"]),
        (None, "The dogs went", ["the", "dogs", "went"]),
    ],
)
def test_stems(language: str | None, given_text: str, stems: list[str]) -> None:
    assert Analyzer(language).stems(given_text) == stems


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InvalidInput, match="klingon"):
        Analyzer("klingon")


def test_every_offered_language_works() -> None:
    for language in text.languages():
        assert Analyzer(language).hashes("Berlin 2024")


@pytest.mark.parametrize(
    ("stem", "hashed"), [("dog", 2691776247), ("東京", 1168149181), ("", 634351890)]
)
def test_a_hash_never_changes(stem: str, hashed: int) -> None:
    assert text.stable_hash(stem) == hashed


def test_the_encoding_never_changes() -> None:
    packed = encode_terms([7, 300, 7, 2], speaker=[9, 1], flags=DATED)
    assert packed.hex() == (
        "01" "01" "0400" "0300" "0200"
        "02000000" "07000000" "2c010000"
        "01000000" "09000000"
        "010201" "00"
    )  # fmt: skip


@given(
    body=st.lists(st.integers(0, 2**32 - 1), max_size=60),
    speaker=st.sets(st.integers(0, 2**32 - 1), max_size=4),
    flags=st.integers(0, 255),
)
def test_terms_come_back(body: list[int], speaker: set[int], flags: int) -> None:
    packed = encode_terms(body, speaker, flags)
    terms = decode_terms(packed)
    assert len(packed) % 4 == 0
    assert terms.hashes.tolist() == sorted(set(body))
    assert terms.counts.tolist() == [body.count(hashed) for hashed in sorted(set(body))]
    assert set(terms.speaker.tolist()) == speaker
    assert (terms.length, terms.flags) == (len(body), flags)


def test_counts_and_lengths_stop_at_their_limits() -> None:
    terms = decode_terms(encode_terms([5] * 70_000))
    assert (terms.counts.tolist(), terms.length) == ([255], 65_535)


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"\x01",
        encode_terms([1, 2, 3])[:-4],
        encode_terms([1, 2, 3]) + bytes(4),
        b"\x02" + encode_terms([1, 2, 3])[1:],
    ],
)
def test_what_is_no_terms_value_is_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="terms value"):
        decode_terms(packed)


@pytest.mark.parametrize(
    ("given_text", "flags"),
    [
        ("We met yesterday", DATED),
        ("In May 2019", DATED),
        ("since 1998", DATED),
        ("Room 101", 0),
        ("I like tea", 0),
        ("", 0),
    ],
)
def test_flags(given_text: str, flags: int) -> None:
    assert text.text_flags(given_text) == flags
    assert decode_terms(ENGLISH.encode(given_text)).flags == flags


@pytest.mark.parametrize(
    ("speaker", "words"),
    [
        (None, []),
        ("user", []),
        (" Assistant ", []),
        ("Caroline", ["carolin"]),
        ("Mary Jane", ["mari", "jane"]),
    ],
)
def test_speakers_are_hashed_unless_they_are_roles(speaker: str | None, words: list[str]) -> None:
    expected = sorted(text.stable_hash(word) for word in words)
    assert decode_terms(ENGLISH.encode("Hello", speaker=speaker)).speaker.tolist() == expected


def test_one_han_character_finds_the_words_that_hold_it() -> None:
    row = decode_terms(Analyzer(None).encode("黒猫が好き"))
    assert set(Analyzer(None).hashes("猫")) <= set(row.hashes.tolist())


@given(st.text())
def test_a_text_finds_itself(given_text: str) -> None:
    row = set(decode_terms(ENGLISH.encode(given_text)).hashes.tolist())
    assert set(ENGLISH.hashes(given_text)) <= row


@given(st.text())
def test_normal_forms_are_matched_alike(given_text: str) -> None:
    composed = text.normalise(given_text)
    assert text.normalise(composed) == composed
    assert text.tokenise(unicodedata.normalize("NFD", given_text)) == text.tokenise(composed)


def test_content_keeps_the_word_beside_its_hash() -> None:
    assert ENGLISH.content("Where did the dogs go?") == [
        ("dogs", text.stable_hash("dog")),
        ("go", text.stable_hash("go")),
    ]


def test_each_thread_has_its_own_analyzer() -> None:
    made: list[Analyzer] = []
    thread = threading.Thread(target=lambda: made.append(analyzer_for("english")))
    thread.start()
    thread.join()
    assert analyzer_for("english") is analyzer_for("english")
    assert made[0] is not analyzer_for("english")


def test_long_runs_of_marks_are_cut() -> None:
    marks = "\u0301\u0316" * 40
    assert text.normalise("a" + marks) == text.normalise("a" + marks[:30])
    assert text.normalise("a\u0301") == "\u00e1"
    # Whatever its length: this took minutes when every mark counted.
    assert len(text.normalise("a" + "\u0301\u0316" * 200_000)) < 40
