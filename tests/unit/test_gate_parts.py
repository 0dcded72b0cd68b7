"""What the gate is built of: sentences, digests, phrases, sequences of labels, languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.gate.automaton import PhraseAutomaton
from muniment.domain.gate.language import is_foreign
from muniment.domain.gate.sentences import digests, normalise, split_sentences
from muniment.domain.gate.sequences import SequenceRules, SequenceWatch, rule
from muniment.domain.gate.tokens import read


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met Mr. Okafor at 5 p.m. on Friday.", None),
        ("Ask J. R. Miller, Inc. about it.", None),
        ("We pay approx. 3.5 million, e.g. for rent.", None),
        (
            "See https://example.org/a.b?c=1. It works.",
            ["See https://example.org/a.b?c=1.", "It works."],
        ),
        ("Version 1.2.3 is out.", None),
        ("No. 5 is alive. No. It is not.", ["No. 5 is alive.", "No.", "It is not."]),
        ("It ended at 5 p.m. Then we left.", ["It ended at 5 p.m.", "Then we left."]),
        ("Well... maybe. Well... Yes.", ["Well... maybe.", "Well...", "Yes."]),
        ('He said "Stop!" Then he ran.', ['He said "Stop!"', "Then he ran."]),
        ("私は東京です。犬がいます！", ["私は東京です。", "犬がいます！"]),
        ("- one\n- two", ["- one", "- two"]),
        ("1. First step\n2. Second step", ["1. First step", "2. Second step"]),
        ("hi\ni moved to Lund", ["hi", "i moved to Lund"]),
        (
            "We will meet at the new office in the old harbour, most\nprobably on Monday.",
            ["We will meet at the new office in the old harbour, most probably on Monday."],
        ),
        (
            "We will meet at the offices in the old harbour of Ghent,\r\nprobably soon.\r\n\r\nBo",
            [
                "We will meet at the offices in the old harbour of Ghent, probably soon.",
                "Bo",
            ],
        ),
        ("", []),
        (" \n ", []),
    ],
)
def test_splitting(text: str, sentences: list[str] | None) -> None:
    assert list(split_sentences(text)) == ([text] if sentences is None else sentences)


@given(st.text() | st.text('aB.!? \n1("', max_size=80))
def test_splitting_loses_and_adds_nothing(text: str) -> None:
    sentences = list(split_sentences(text))
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == " ".join(sentence.split()) != "" for sentence in sentences)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("I live in Rotterdam.", "i live in  ROTTERDAM!", True),
        ("ﬁve", "five", True),
        ("It is 5", "It is -5", False),
        ("5 %", "5 €", False),
    ],
)
def test_normalised_sentences(one: str, other: str, same: bool) -> None:
    assert (normalise(one) == normalise(other)) is same


def test_digests_belong_to_a_speaker_and_hide_the_text() -> None:
    mine = digests("I live in Lund.", speaker="user:Ann")
    assert mine
    assert mine.isdisjoint(digests("I live in Lund.", speaker="user:Bob"))
    assert all(len(each) == 24 and int(each, 16) >= 0 for each in mine)
    assert digests("...", speaker="user:Ann") == frozenset()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I can't, it's Tom's", ("i", "can", "not", "it", "is", "tom's")),
        ("They’re here; we`ve won", ("they", "are", "here", "we", "have", "won")),
        ("dont im gonna", ("do", "not", "i", "am", "going", "to")),
    ],
)
def test_contractions_are_written_out(text: str, words: tuple[str, ...]) -> None:
    assert read(text).words == words


def test_names_are_told_from_the_capitals_of_sentences() -> None:
    found = read('Caroline, I met Bo: "Well" said OSLO')
    named = [word for word, capital in zip(found.words, found.capital, strict=True) if capital]
    assert named == ["caroline", "bo", "oslo"]
    assert not any(read("I MET BO").capital)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("see you", (2, ("bye",))),
        ("see you soon", (3, ("bye",))),
        ("see you very soon", (4, ("bye",))),
        ("see you very", (2, ("bye",))),
        ("see", None),
        ("thank you", (2, ("thanks", "polite"))),
        ("you see", None),
    ],
)
def test_the_longest_phrase_wins(words: str, found: tuple[int, tuple[str, ...]] | None) -> None:
    phrases = PhraseAutomaton(
        [
            ("bye", "see {you|ya} {very {very|}|} soon\nsee you"),
            ("thanks", "thank you"),
            ("polite", "thank you"),
        ]
    )
    assert phrases.longest(words.split(), 0) == found


@pytest.mark.parametrize("line", ["{a|b", "a}", "{|}"])
def test_a_broken_phrase_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="phrase"):
        PhraseAutomaton([("broken", line)]).longest(("hello",), 0)


@pytest.mark.parametrize(
    ("labels", "met"),
    [
        ("a b", {"pair": 2}),
        ("a - b", {"pair": 2}),
        ("a - - b", {}),
        ("b a", {}),
        ("a | b", {}),
        ("a b veto", {}),
        ("a b | veto", {"pair": 2}),
        ("a a - b", {"pair": 2}),
        ("a&b", {}),
    ],
)
def test_labels_in_order_within_a_sentence(labels: str, met: dict[str, int]) -> None:
    watch = SequenceWatch(SequenceRules([rule("pair", 2, "a", "b other", within=2, unless="veto")]))
    for position, label in enumerate(labels.split()):
        if label == "|":
            watch.end_sentence()
        else:
            watch.see(label.split("&"), position)
    watch.end_sentence()
    assert watch.met == met


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("I live in Rotterdam", False),
        ("Sales fell 12% QoQ", False),
        ("Rotterdam", False),
        ("The café on Kungsgatan is closed", False),
        ("Jag bor i Malmö och har två barn", True),
        ("Was ist das?", True),
        ("Où est la gare", True),
        ("Привет", True),
        ("مرحبا بك", True),
        ("see https://example.org/où/la/gare", False),
    ],
)
def test_languages(text: str, foreign: bool) -> None:
    assert is_foreign(text) is foreign
