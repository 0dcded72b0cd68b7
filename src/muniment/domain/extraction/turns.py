"""Every rule on one turn."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.extraction import data, facts, people, plain, standing, things
from muniment.domain.extraction import idioms_life as of_life
from muniment.domain.extraction import idioms_work as of_work
from muniment.domain.extraction.builds import by_build
from muniment.domain.extraction.builds_life import of_life as of_a_life
from muniment.domain.extraction.builds_life import skills
from muniment.domain.extraction.calling import names_preferred, without_lookalikes
from muniment.domain.extraction.clauses import Clause, Sentence, all_clauses, without_prefix
from muniment.domain.extraction.contact import contact
from muniment.domain.extraction.cues import by_cues
from muniment.domain.extraction.firms import caller, from_then, joined, occupations, settled
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.frames import by_frame
from muniment.domain.extraction.introductions import introductions, roles_in_passing
from muniment.domain.extraction.notes import is_earnest, notes, remainders
from muniment.domain.extraction.nouns import GROUP
from muniment.domain.extraction.replies import declined, postponed
from muniment.domain.extraction.small import names_something, with_capitals
from muniment.domain.extraction.topics import by_topic
from muniment.domain.extraction.typed import by_type
from muniment.domain.extraction.wordings import by_key, by_wording
from muniment.domain.gate.register import earnest, mood, supposes
from muniment.domain.late import late
from muniment.domain.slot import Slot


def read_slots(
    sentences: Sequence[Sentence],
    slots: Mapping[str, Slot],
    speaker: str | None,
    *,
    answering: bool = False,
    small: bool = False,
) -> list[Found]:
    """The values of slots that a turn gives, in order.

    ``answering``: the turn before asked for something, so that a bare name is an answer. ``small``:
    it was written without capitals.
    """
    found = _slots_of(sentences, slots, speaker, answering=answering)
    raised = with_capitals(sentences) if small else None
    if raised is None:
        return found
    have = {one.slot for one in found}
    at = {one.sentence: one for one in reversed([*all_clauses(sentences)])}
    return found + [
        replace(one, value=(one.value or "").lower(), clause=at[one.clause.sentence])
        for one in _slots_of(raised, slots, speaker, answering=answering)
        if names_something(one) and one.slot not in have and one.clause.sentence in at
    ]


def _slots_of(
    sentences: Sequence[Sentence],
    slots: Mapping[str, Slot],
    speaker: str | None,
    *,
    answering: bool,
) -> list[Found]:
    found: list[Found] = [*introductions(sentences, speaker, answering=answering)]
    if not answering:
        found += caller(sentences, speaker)
    for at, sentence in enumerate(sentences):
        following = sentences[at + 1] if at + 1 < len(sentences) else None
        before = sentences[at - 1] if at else None
        found += _of_sentence(sentence, following, speaker)
        for clause in sentence.clauses:
            if clause.meant:
                given = [*_of_clause(clause, sentence, before, slots, speaker)]
                inner = None if given or clause.other else without_prefix(clause)
                if inner is not None:
                    given = [*_of_clause(inner, sentence, before, slots, speaker)]
                found += given
    found = _without_stray(found)
    found = [*settled([*found, *_without_stray(_by_idiom(sentences, found))], sentences)]
    found = [*without_lookalikes(found)]
    found = _once([one for one in found if not _second(one, found)])
    spoken = {one.value for one in found if one.slot == "language"}
    return [
        one
        for one in found
        if one.slot in slots
        and not (one.slot == "skill" and one.value in spoken)
        and not (one.slot == "employer" and _is_kind(one.value or ""))
        and not (one.slot == "dislike" and mood(sentences[one.clause.sentence].text))
    ]


_STRAY: Final = late(r"(?:my|I am|we are|dear)\b", re.IGNORECASE)
"""What begins no value: a rule took the words before it too."""


def _without_stray(found: Sequence[Found]) -> list[Found]:
    return [one for one in found if not _STRAY.match(one.value or "")]


def _is_kind(value: str) -> bool:
    """Whether a firm is only called by its kind: "at the shop", "at a hospital"."""
    return value.isalpha() and value.islower() and GROUP.fullmatch(value) is not None


def _second(one: Found, found: Sequence[Found]) -> bool:
    """Whether a looser rule reads of a clause what its build gives in fewer words."""
    return not one.rule.startswith("build.") and any(
        other.rule.startswith("build.")
        and (other.slot, other.clause.sentence) == (one.slot, one.clause.sentence)
        and (other.value or "").casefold() in (one.value or "").casefold()
        and other.retracts == one.retracts
        for other in found
    )


def _once(found: Sequence[Found]) -> list[Found]:
    """Each value once; of a name that one says in full and in part, the full one."""
    kept: list[Found] = []
    for one in found:
        said = (one.value or "").casefold()
        if any(
            one.slot == other.slot
            and one.retracts == other.retracts
            and (said == (other.value or "").casefold())
            for other in kept
        ):
            continue
        kept.append(one)
    return kept


def _by_idiom(sentences: Sequence[Sentence], found: Sequence[Found]) -> list[Found]:
    """The values of the slots that no other rule found, in free wordings."""
    have = {one.slot for one in found}
    around = " ".join(one.text for one in sentences)
    more: list[Found] = []
    for at, sentence in enumerate(sentences):
        for clause in sentence.clauses:
            if not clause.meant or supposes(sentence.text):
                continue
            more += of_life.allergies_by_idiom(clause, around)
            more += of_life.homes_by_idiom(clause)
            more += from_then(clause)
            more += of_work.work_by_idiom(clause)
            more += of_work.channels_by_idiom(clause)
            more += of_work.speech_by_idiom(clause)
            more += of_work.skills_by_idiom(clause)
            more += of_work.prices_by_idiom(clause, around)
        more += of_life.pets_by_idiom(sentence, sentences[at - 1] if at else None)
    more += of_life.dislikes_by_idiom(sentences)
    more += of_work.projects_by_idiom(sentences)
    new = [one for one in more if one.slot not in have or one.slot == "allergy"]
    new += roles_in_passing(sentences, [*found, *new])
    new += by_frame(sentences, frozenset(one.slot for one in [*found, *new]))
    new += by_topic(sentences, frozenset(one.slot for one in [*found, *new]))
    return [*new, *by_type(sentences, frozenset(one.slot for one in [*found, *new]))]


def _of_sentence(
    sentence: Sentence, following: Sentence | None, speaker: str | None
) -> Iterator[Found]:
    yield from people.named_first(sentence, speaker)
    yield from names_preferred(sentence)
    yield from people.moved_to_next(sentence, following)
    yield from things.pets(sentence, following)
    yield from things.dislikes(sentence)
    yield from postponed(sentence)


def _of_clause(
    clause: Clause,
    sentence: Sentence,
    before: Sentence | None,
    slots: Mapping[str, Slot],
    speaker: str | None,
) -> Iterator[Found]:
    context = f"{before.text if before else ''} {sentence.text}"
    yield from people.names(clause, speaker)
    yield from things.allergies(clause, sentence)
    yield from things.prices(clause, context)
    yield from contact(clause)
    yield from things.regions(clause)
    yield from things.projects(clause)
    built = [*by_build(clause, context), *of_a_life(clause)]
    yield from built
    if clause.other:
        yield from by_wording(clause, sentence, slots)
        return
    worked = joined([*by_cues(clause, slots), *people.work(clause)], clause)
    yield from worked
    said = {one.slot for one in [*worked, *built]}
    yield from by_key(clause, slots)
    yield from (one for one in by_wording(clause, sentence, slots) if one.slot not in said)
    yield from people.role_after(
        clause, any(one.slot == "employer" and not one.retracts for one in worked)
    )
    yield from people.home(clause)
    yield from people.addresses(clause, context)
    yield from people.languages(clause)
    yield from people.zones(clause)
    yield from skills(clause)
    yield from declined(clause)


def read_statements(
    sentences: Sequence[Sentence], taken: Sequence[Found], content: str, *, reply: bool
) -> list[Found]:
    """Statements without a slot; a sentence whose point a slot has already is not said again."""
    found: list[Found] = [*data.quality(sentences)]
    used = {one.clause.sentence for one in found}
    serious = is_earnest(sentences, content)
    for at, sentence in enumerate(sentences):
        before = sentences[at - 1] if at else None
        after = sentences[at + 1] if at + 1 < len(sentences) else None
        if at in used:
            continue
        of_data = [*data.patterns(sentence)]
        found += of_data
        if of_data:
            continue
        close = {
            one.clause.text for one in taken if one.clause.sentence == at and one.slot in _CLOSE
        }
        whole = {one.clause.text for one in taken if one.clause.sentence == at}
        wished = [
            one
            for one in standing.wishes(sentence, before, after)
            if earnest(sentence.text)
            and not (
                one.rule == "wish.addressed"
                and any(had.slot == "name" for had in taken)
                and not re.search(
                    r"\b(?:official|formal|letters|contracts|documents)\b", sentence.text
                )
            )
            and one.clause.text not in close
            and not _disliked(one, taken)
        ]
        found += wished
        given = [] if wished else [*facts.facts(sentence, after)]
        stated = [one for one in given if one.clause.text not in whole]
        found += stated or ([*plain.statements(sentence, after, taken, wished)] if serious else [])
    said = {one.clause.sentence for one in found}
    found += [one for one in occupations(taken) if one.clause.sentence not in said]
    told = [_with_rest(one, sentences, len(found) + len(taken)) for one in found]
    read = frozenset(one.clause.sentence for one in told)
    more = [*notes(sentences, taken, content, reply=reply, busy=read)]
    wishes = [one for one in more if one.kind == "user_preference" and not wished_for(told)]
    told += wishes if told else more
    if not told:
        told += remainders(sentences, taken)
    return told


def _with_rest(one: Found, sentences: Sequence[Sentence], candidates: int) -> Found:
    """With the other sentence of a turn of two, when it is about nothing else."""
    plain = [sentence for sentence in sentences if len(sentence.text.split()) > 2]
    if candidates > 1 or len(plain) != 2 or not all(sentence.meant for sentence in plain):
        return one
    if len({sentence.taken_back for sentence in plain}) > 1:
        return one
    if any(clause.other for sentence in plain for clause in sentence.clauses):
        return one
    return replace(one, text=f"{plain[0].text} {plain[1].text}")


def wished_for(found: Sequence[Found]) -> bool:
    """Whether a wish or a rule for data is among what was found."""
    return any(one.kind != "fact" for one in found)


_CLOSE = frozenset(
    {
        "do_not_contact",
        "contact_channel",
        "allergy",
        "dislike",
        "language",
        "timezone",
        "price",
        "address",
    }
)


def _disliked(wish: Found, taken: Sequence[Found]) -> bool:
    """Whether a wish only says what a dislike says: "no react please, I hate react"."""
    text = wish.clause.text.lower()
    return len(text.split()) <= 10 and any(
        one.slot == "dislike"
        and one.clause.sentence == wish.clause.sentence
        and (one.value or "").lower().removesuffix("s") in text
        for one in taken
    )
