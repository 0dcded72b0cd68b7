"""The same cases under other names: whoever passes because of a name fails here.

Letters are exchanged for others, consonants for consonants and vowels for vowels, in every name and
in whatever a text has of it: its other forms, and slips of the keys. The letters of English endings
stay, so that a plural is one still.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random
from typing import Any

import regex
from rapidfuzz.distance import OSA

_WORD = regex.compile(r"\p{L}+")
_ENDINGS = regex.compile(r"(?:ies|es|s|ing|ed|y|ness)$")
_CONSONANTS, _VOWELS = "bcfhjklmpqrtvwxz", "aou"
_SLIPS, _LEAST = 2, 4


def renamed(users: Iterable[Mapping[str, Any]], seed: int) -> list[dict[str, Any]]:
    """The users with other names; the same seed gives the same names."""
    given = list(users)
    random = Random(seed)  # noqa: S311 - the same seed, the same names
    letters = _exchange(_CONSONANTS, random) | _exchange(_VOWELS, random)
    table = str.maketrans(letters | {old.upper(): new.upper() for old, new in letters.items()})
    names = {
        word.casefold()
        for user in given
        for session in user["sessions"]
        for text in (session["meta"]["canonical_name"], *session["meta"]["aliases"])
        for word in _WORD.findall(text)
    }

    def anew(text: str) -> str:
        def one(match: "regex.Match[str]") -> str:
            word = match.group()
            return word.translate(table) if _is_of(word.casefold(), names) else word

        return _WORD.sub(one, text)

    return [_user(user, anew) for user in given]


def _exchange(letters: str, random: Random) -> dict[str, str]:
    """Each letter for another one."""
    order = random.sample(letters, len(letters))
    return dict(pairwise([*order, order[0]]))


def _is_of(word: str, names: Iterable[str]) -> bool:
    """Whether a word is one of a name, a form of it, or a slip of it."""
    root = _ENDINGS.sub("", word)
    return any(
        word == name
        or (len(root) >= _LEAST - 1 and root == _ENDINGS.sub("", name))
        or (
            min(len(word), len(name)) >= _LEAST
            and OSA.distance(word, name, score_cutoff=_SLIPS) <= _SLIPS
        )
        for name in names
    )


def _user(user: Mapping[str, Any], anew: Any) -> dict[str, Any]:
    return {
        **user,
        "sessions": [
            {
                **one,
                "turns": [{**turn, "text": anew(turn["text"])} for turn in one["turns"]],
                "meta": {
                    **one["meta"],
                    "canonical_name": anew(one["meta"]["canonical_name"]),
                    "aliases": [anew(alias) for alias in one["meta"]["aliases"]],
                },
            }
            for one in user["sessions"]
        ],
        "questions": [
            {**case, "text": anew(case["text"]), "expect": _expected(case["expect"], anew)}
            for case in user["questions"]
        ],
    }


def _expected(expect: Mapping[str, Any], anew: Any) -> dict[str, Any]:
    """Words of texts under their new names; ids stay."""
    prelude = expect.get("personaPrelude")
    if prelude is None:
        return dict(expect)
    words = {k: [anew(w) for w in v] if isinstance(v, list) else v for k, v in prelude.items()}
    return {**expect, "personaPrelude": words}
