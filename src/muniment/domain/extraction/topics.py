"""Values that their topic gives away: a sentence about a slot, and one thing in it of its shape.

What no wording of a slot found is looked for here: the words of the topic stand somewhere in a
plain statement about the user, and so does a value that looks as such values do.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from muniment.domain.extraction import topics_life as life
from muniment.domain.extraction import topics_work as work
from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.gate.register import supposes

_READERS: Final[Sequence[tuple[str, Callable[[Clause, str], Iterator[str]]]]] = (
    ("deploy_region", work.regions),
    ("address", life.addresses),
    ("account_tier", work.tiers),
    ("stock", work.stocks),
    ("price", work.prices),
    ("do_not_contact", work.refused),
    ("contact_channel", work.channels),
    ("allergy", life.allergies),
    ("pet", life.pets),
    ("timezone", life.zones),
    ("language", life.languages),
    ("employer", work.employers),
    ("role", work.roles),
    ("city", life.cities),
    ("dislike", life.dislikes),
    ("project", work.projects),
)


_SOMETIMES: Final = re.compile(
    r"(?:and |but |so |also )*(?:when(?:ever)?|if|for|in|with|to) (?!me\b|us\b|everything\b|all\b)",
    re.IGNORECASE,
)
_FOR_ALL: Final = frozenset({"language", "timezone", "contact_channel"})
"""What a condition or an occasion keeps from being so always."""


def by_topic(sentences: Sequence[Sentence], have: frozenset[str | None]) -> Iterator[Found]:
    """What the topics of a turn's sentences give for the slots that it has not filled already."""
    around = " ".join(one.text for one in sentences)
    given: set[str] = set()
    for sentence in sentences:
        for clause in sentence.clauses:
            if not clause.stated or supposes(sentence.text):
                continue
            sometimes = _SOMETIMES.match(clause.text) is not None
            for slot, reader in _READERS:
                if slot in have or slot in given or (sometimes and slot in _FOR_ALL):
                    continue
                for value in reader(clause, around):
                    given.add(slot)
                    yield Found(clause, f"topic.{slot}", slot, value, changes=True)
