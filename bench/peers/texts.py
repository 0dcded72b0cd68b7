"""Statements with one question each: plain English, from a seed, nobody's data.

Every statement is one of a topic, a person and a place, so that each has many neighbours that share
two of the three, and its question asks in other words.
"""

import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from muniment.providers.static_embedder import StaticEmbedder

_PEOPLE = (
    "Priya", "Tomas", "Ingrid", "Kwame", "Leila", "Marek", "Yuki", "Rosa", "Dmitri", "Fatima",
    "Oskar", "Chiara", "Bjorn", "Amara", "Jonas", "Salma", "Pavel", "Nadia", "Hugo", "Mireille",
    "Tariq", "Elena", "Sven", "Wanda", "Farid", "Greta", "Anton", "Zofia", "Luca", "Hanna",
    "Rafael", "Ursula", "Idris", "Carmen", "Viktor", "Noor", "Emil", "Beatriz", "Stefan",
    "Aisha",
)  # fmt: skip
_PLACES = (
    "Lisbon", "Krakow", "Bergen", "Ghent", "Porto", "Turin", "Leeds", "Malaga", "Graz", "Lyon",
    "Tartu", "Split", "Cork", "Dresden", "Utrecht", "Bilbao", "Aarhus", "Basel", "Brno",
    "Seville", "Tampere", "Nantes", "Verona", "Leipzig", "Cardiff", "Riga", "Gdansk", "Trieste",
    "Rouen", "Bremen",
)  # fmt: skip
_TOPICS = (
    ("{who}'s budget for the {place} office is {n} thousand euros.",
     "How much money can {who} spend on the office in {place}?"),
    ("{who} parks the van of the {place} branch on level {n} of the garage.",
     "Where does {who} leave the vehicle that belongs to {place}?"),
    ("The contract that {who} signed with the harbour of {place} covers {n} containers.",
     "What did {who} agree on with the port of {place}?"),
    ("{who} wants the report on {place} to have no more than {n} pages.",
     "How long may the paper about {place} be for {who}?"),
    ("{who} holds the planning meeting for {place} in room {n}.",
     "Where do people meet {who} to plan for {place}?"),
    ("{who} rents a flat of {n} square metres in {place}.",
     "How big is the apartment that {who} has in {place}?"),
    ("The laptop that {who} uses in {place} has {n} gigabytes of memory.",
     "How much RAM is in the computer of {who} at {place}?"),
    ("{who} runs {n} kilometres a week to train for the race in {place}.",
     "How far does {who} jog to prepare for {place}?"),
    ("{who}'s supplier in {place} delivers {n} crates at a time.",
     "How much does the vendor of {who} bring from {place}?"),
    ("The server in {place} that {who} looks after has {n} disks.",
     "What storage does the machine in {place} have that {who} maintains?"),
    ("{who} prefers the train to {place} because the flight takes {n} minutes longer.",
     "How does {who} like to travel to {place}?"),
    ("{who} teaches {n} students of the evening class in {place}.",
     "How many pupils take the course of {who} at {place}?"),
    ("The printer of {who} in {place} needs toner number {n}.",
     "Which cartridge fits the device of {who} at {place}?"),
    ("{who} planted {n} apple trees in the garden near {place}.",
     "How much fruit does {who} grow by {place}?"),
    ("{who}'s dentist in {place} works on floor {n} of the clinic.",
     "Where does {who} have teeth checked in {place}?"),
    ("{who} stores the winter tyres of the {place} cars behind shelf {n}.",
     "Where did {who} put the snow wheels for {place}?"),
    ("{who} owes the landlord in {place} {n} euros for heating.",
     "What does {who} still have to pay for the warm house in {place}?"),
    ("{who} found {n} letters in the archive of {place}.",
     "Which old documents did {who} discover at {place}?"),
    ("The choir of {who} in {place} has {n} voices.",
     "How many people sing with {who} at {place}?"),
    ("{who} ordered {n} litres of blue paint for the kitchen in {place}.",
     "What did {who} buy to colour the walls at {place}?"),
)  # fmt: skip
MOST = len(_PEOPLE) * len(_PLACES) * len(_TOPICS)


@dataclass(frozen=True)
class Asked:
    """A question, and the number of the memory that answers it."""

    text: str
    answer: int


@dataclass(frozen=True)
class Texts:
    """What one user has, and what is asked."""

    memories: list[str]
    questions: list[Asked]


def make_texts(memories: int, questions: int, seed: int = 1) -> Texts:
    """So many of each, the same for the same seed; every question's answer is among the memories.

    Raises ValueError for more memories than there are statements, or than questions.
    """
    if not questions <= memories <= MOST:
        raise ValueError(
            f"{questions} questions, {memories} memories: at most {MOST}, in this order"
        )
    chosen = random.Random(seed)
    triples = chosen.sample(list(itertools.product(_TOPICS, _PEOPLE, _PLACES)), memories)
    held = [
        statement.format(who=who, place=place, n=chosen.randint(2, 99))
        for (statement, _), who, place in triples
    ]
    asked = [
        Asked(
            triples[number][0][1].format(who=triples[number][1], place=triples[number][2]), number
        )
        for number in chosen.sample(range(memories), questions)
    ]
    return Texts(held, asked)


def write_texts(texts: Texts, folder: Path) -> None:
    """``texts.json`` and the vectors of both, in the same order: what every child reads."""
    asked = [one.text for one in texts.questions]
    (folder / "texts.json").write_text(
        json.dumps({"memories": texts.memories, "questions": asked}), encoding="utf-8"
    )
    embedder = StaticEmbedder()
    for name, of in (("memories", texts.memories), ("questions", asked)):
        np.save(folder / f"{name}.npy", embedder.embed(of))


def hits(asked: Sequence[Asked], found: Sequence[Sequence[str]], memories: Sequence[str]) -> int:
    """Questions whose answer is among what was found."""
    return sum(memories[one.answer] in got for one, got in zip(asked, found, strict=True))
