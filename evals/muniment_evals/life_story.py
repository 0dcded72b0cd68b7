"""A year of one user with an assistant, from a seed: what is said, and what is true at the end.

The words are in ``life_words/``; they were written without a look at what the extractor reads.
"""

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any, NamedTuple

from muniment_evals.life_chain import Step, steps_of
from muniment_evals.life_talk import Said, Talk

DAYS = 364
_FULL = 5000
_DENSER = 4
_RESTATED = 0.2
# What may begin in lower case after a lead-in; a name may not.
_SMALL = re.compile(
    r"(?:we|our|my|the|for|never|always|from|on|whenever|every|by|as|please|give|over|only|bullets"
    r"|footnotes|exports|after|write|percentages|that|all|in|unless|it's|under)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Planted:
    """Something that was said and is true at the end, or was true and is not.

    ``must``: one word of each group is in a memory of it. ``now``: the words of what is true in
    its place, if anything is. ``ended_by``: what was said next, which ended it.
    """

    group: str
    slot: str | None
    value: str
    must: tuple[tuple[str, ...], ...]
    ask: str
    said: str
    how: str
    session: int
    now: tuple[str, ...] = ()
    about: tuple[tuple[str, ...], ...] = ()
    ended_by: str = ""


@dataclass(frozen=True)
class Remark:
    """What was said in passing, and where."""

    group: str
    said: str
    session: int


@dataclass(frozen=True)
class LifeSession:
    """One session: its number, month (from 0), and turns with their moments."""

    number: int
    month: int
    turns: tuple[tuple[datetime, Said], ...]

    @property
    def session_id(self) -> str:
        """The name that the application gives it."""
        return f"life-{self.number:03}"


@dataclass(frozen=True)
class Story:
    """A life, in order, with what to expect at its end."""

    sessions: tuple[LifeSession, ...]
    current: tuple[Planted, ...]
    superseded: tuple[Planted, ...]
    remarks: tuple[Remark, ...]


@dataclass
class _Plan:
    """What is said in which session; a beat is a few turns that belong together."""

    chance: random.Random
    sessions: int
    begin: datetime
    share: float
    talk: Talk
    beats: dict[int, list[list[Said]]] = field(default_factory=dict)
    current: list[Planted] = field(default_factory=list)
    superseded: list[Planted] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def day(self, session: int) -> datetime:
        """When a session begins: between eight and six, later ones of a day later."""
        days, rest = divmod(DAYS * session / self.sessions, 1)
        return self.begin + timedelta(days=days, hours=8 + 10 * rest)

    def put(self, session: int, beat: list[Said]) -> None:
        self.beats.setdefault(session, []).append(beat)

    def some(self, count: int) -> int:
        return max(1, round(count * self.share))


def words_of(name: str) -> dict[str, Any]:
    """A file of words."""
    text = (files("muniment_evals") / "life_words" / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def tell(seed: int, sessions: int, turns: int, end: datetime) -> Story:
    """The year before ``end``; the same arguments give the same story.

    All of it fits in 1,250 turns or more; of a shorter life everything planted is less.
    """
    chance = random.Random(f"life/{seed}")  # noqa: S311 - the same seed, the same story
    share = min(1.0, _DENSER * sessions * turns / _FULL)
    talk = Talk(chance, words_of("talk"))
    plan = _Plan(chance, sessions, end - timedelta(days=DAYS + 1), share, talk)
    for slot, words in words_of("slots").items():
        _chain(plan, slot, words)
    for slot, words in words_of("many").items():
        _many(plan, slot, words)
    _facts(plan, words_of("facts"))
    for group, words in words_of("remarks").items():
        _remarks(plan, group, words)
    return Story(
        sessions=tuple(_session(plan, number, turns) for number in range(sessions)),
        current=tuple(plan.current),
        superseded=tuple(plan.superseded),
        remarks=tuple(plan.remarks),
    )


def alternatives(groups: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """``["a|b", "c"]``: one of the first two words, and the third."""
    return tuple(tuple(one.split("|")) for one in groups)


def _chain(plan: _Plan, slot: str, words: Mapping[str, Any]) -> None:
    """The values of a one-valued slot, one after the other."""
    gone, retracted = plan.some(words["superseded"]), words.get("ends") == "retracted"
    values = plan.chance.sample(words["values"], gone + (not retracted))
    steps = steps_of(plan.chance, words, values, retracted)
    places = sorted(plan.chance.sample(range(plan.sessions), len(steps)))
    told: list[_Told] = []
    since = plan.begin
    for step, place in zip(steps, places, strict=True):
        today = plan.day(place)
        how, beat = step.told(plan.chance, words, since, today)
        plan.put(place, [*beat, Said("assistant", plan.talk.noted())])
        since = today
        told += _told(how, step, place, beat)
    _expect(plan, slot, words, told, None if retracted else values[-1])


class _Told(NamedTuple):
    value: str | None
    how: str
    place: int
    said: str


def _told(how: str, step: Step, place: int, beat: Sequence[Said]) -> Iterator[_Told]:
    """What one step says, value by value; a retraction has none."""
    said = [one.content for one in beat if one.role == "user"]
    if how == "elliptic":
        said = [" / ".join(one.content for one in beat)]
    if step.wrong is not None:
        yield _Told(step.wrong, "wrong", place, said[0])
    yield _Told(step.value, how, place, said[-1])


def _expect(
    plan: _Plan, slot: str, words: Mapping[str, Any], told: Sequence[_Told], last: str | None
) -> None:
    for at, (value, how, place, said) in enumerate(told):
        if value is None:
            continue
        held = value == last
        enders = [one.said for one in told[at + 1 :] if one.how != "history"]
        planted = Planted(
            group=slot,
            slot=slot,
            value=value,
            must=((value.lower(),),),
            ask=words["ask"],
            said=said,
            how=how,
            session=place,
            now=() if last is None or held else (last.lower(),),
            about=alternatives(words.get("about", ())),
            ended_by="" if held or how == "history" else enders[0],
        )
        (plan.current if held else plan.superseded).append(planted)


def _many(plan: _Plan, slot: str, words: Mapping[str, Any]) -> None:
    for value in plan.chance.sample(words["values"], plan.some(words["current"])):
        say = value["say"]
        wordings = [
            one.format(v=say, V=say[0].upper() + say[1:])
            for one in plan.chance.sample(words["said"], 2)
        ]
        must = alternatives(value["match"])
        ask = words["ask"].format(match=must[0][0])
        _tell_fact(plan, slot, slot, say, must, ask, wordings, 0.0)


def _facts(plan: _Plan, facts: Mapping[str, Any]) -> None:
    for group, count in facts["current"].items():
        for one in plan.chance.sample(facts[group], plan.some(count)):
            wordings = plan.chance.sample(one["said"], 2)
            must, value = alternatives(one["must"]), " ".join(one["must"])
            start = one.get("from", 0.0)
            _tell_fact(plan, group, None, value, must, one["ask"], wordings, start, facts)
    for one in plan.chance.sample(facts["replaced"], plan.some(len(facts["replaced"]))):
        first, then = sorted(plan.chance.sample(range(plan.sessions), 2))
        must = alternatives(one["must"])
        for place, said, value, now in (
            (first, one["said"], one["old"], (one["now"],)),
            (then, one["change"], one["now"], ()),
        ):
            plan.put(place, [Said("user", said), Said("assistant", plan.talk.noted())])
            found = plan.superseded if now else plan.current
            planted = Planted(
                group="replaced",
                slot=None,
                value=value,
                must=(*must, (value,)),
                ask=one["ask"],
                said=said,
                how="names",
                session=place,
                now=now,
                ended_by=one["change"] if now else "",
            )
            found.append(planted)


def _tell_fact(
    plan: _Plan,
    group: str,
    slot: str | None,
    value: str,
    must: tuple[tuple[str, ...], ...],
    ask: str,
    wordings: Sequence[str],
    start: float,
    lead: Mapping[str, Any] | None = None,
) -> None:
    place = plan.chance.randrange(int(start * plan.sessions), plan.sessions)
    how, said = _in_the_midst(plan.chance, wordings[0], lead)
    plan.put(place, [Said("user", said), Said("assistant", plan.talk.noted())])
    if len(wordings) > 1 and place + 1 < plan.sessions and plan.chance.random() < _RESTATED:
        again = plan.chance.randrange(place + 1, plan.sessions)
        plan.put(again, [Said("user", wordings[1]), Said("assistant", plan.talk.noted())])
        how += ", again"
    plan.current.append(Planted(group, slot, value, must, ask, said, how, place))


def _in_the_midst(
    chance: random.Random, said: str, lead: Mapping[str, Any] | None
) -> tuple[str, str]:
    """A statement as it is, after a lead-in, or before what goes on."""
    way = chance.random()
    if lead is None or way < 0.5:
        return "plain", said
    small = said[0].lower() + said[1:] if _SMALL.match(said) else said
    kind = "before" if way < 0.8 else "after"
    return kind, chance.choice(lead[kind]).format(s=said, l=small)


def _remarks(plan: _Plan, group: str, words: Mapping[str, Any]) -> None:
    every = sorted(set(_filled(words)))
    chosen = plan.chance.sample(every, plan.some(words["count"]))
    for said in chosen:
        place = plan.chance.randrange(plan.sessions)
        plan.put(place, [Said("user", said), Said("assistant", plan.talk.line("assistant"))])
        plan.remarks.append(Remark(group, said, place))


def _filled(words: Mapping[str, Any]) -> Iterator[str]:
    for text in words["said"]:
        names = re.findall(r"\{(\w+)\}", text)
        for word in words[names[0]] if names else [""]:
            yield text.format(**dict.fromkeys(names, word))


def _session(plan: _Plan, number: int, turns: int) -> LifeSession:
    """Beats among ordinary talk, in an order of chance; a thing is said once in a session."""
    beats = plan.beats.get(number, [])
    spoken = sum(len(beat) for beat in beats)
    exchanges = [
        [Said("user", asked), Said("assistant", answer)]
        for asked, answer in plan.talk.exchanges(max(0, turns - spoken - 4 + 1) // 2)
    ]
    mixed = sorted([*beats, *exchanges], key=lambda _: plan.chance.random())
    hello, bye = plan.talk.frame()
    whole = [*hello, *(said for beat in mixed for said in beat), *bye]
    start = plan.day(number)
    moments = [start + timedelta(seconds=70 * at) for at in range(len(whole))]
    return LifeSession(
        number=number,
        month=number * 12 // plan.sessions,
        turns=tuple(zip(moments, whole, strict=True)),
    )
