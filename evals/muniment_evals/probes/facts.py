"""Facts in slots: what is current, what was, and what a correction leaves alone."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import permutations

from muniment_evals.probes.probe import Check, Place

_SLOTS = {
    "city": ("Which city does the user live in?", "Utrecht", "Rotterdam"),
    "employer": ("Who is the user's employer?", "Umbrella", "Vandelay"),
    "role": ("What is the user's role?", "data analyst", "platform lead"),
    "timezone": ("What is the user's timezone?", "Europe/Lisbon", "Asia/Tokyo"),
    "deploy_region": ("What is the user's deploy region?", "eu-west-1", "us-east-2"),
    "contact_channel": ("What is the user's contact channel?", "email", "sms"),
    "language": ("What is the user's language?", "Dutch", "Danish"),
    "address": ("What is the user's address?", "Kade 4", "Laan 17"),
}
_SAID = {
    "city": ("I live in {}.", "I moved to {} last week."),
    "employer": ("I work at {}.", "I work at {} now."),
    "deploy_region": ("We deploy to {}.", "We deploy to {} from now on."),
    "language": ("Our working language is {}.", "Our working language is {} now."),
}
_ENDED = (
    ("city", "I live in Utrecht.", "I no longer live in Utrecht."),
    ("city", "I live in Delft.", "I don't live in Delft anymore."),
    ("city", "I live in Gouda.", "I do not live in Gouda any more."),
    ("employer", "I work at Umbrella.", "I left Umbrella."),
    ("pet", "I have a dog.", "I no longer have a dog."),
    ("pet", "I have a cat.", "Forget that I have a cat."),
)
_FILLER = ("Thanks, that helps.", "Can you show me the chart again?", "Good morning!")


def stale_answers(place: Place) -> Iterator[Check]:
    """A value is corrected some sessions later: the new one is answered, and only it."""
    for slot, (question, old, new) in _SLOTS.items():
        user = f"stale-{slot}"
        place.state(user, slot, old, place.ago(days=60), session="s0")
        for number, text in enumerate(_FILLER, 1):
            place.say(user, f"s{number}", text, place.ago(days=50 - number))
        place.state(user, slot, new, place.ago(days=5), session="s9")
        found = place.values(user, slot, question)
        yield Check(found == [new], f"{slot}: recall says {found}")
        profile = place.client.profile.get(user_id=user)
        held = [item.value for item in profile.items if item.slot == slot]
        yield Check(held == [new], f"{slot}: the profile says {held}")
        yield Check(old not in profile.text, f"{slot}: the profile's text says {old}")


def told_in_conversation(place: Place) -> Iterator[Check]:
    """The same from turns alone, and what they say to be over: nothing of it is held any more."""
    for slot, sentences in _SAID.items():
        question, old, new = _SLOTS[slot]
        user = f"told-{slot}"
        for number, (sentence, value) in enumerate(zip(sentences, (old, new), strict=True)):
            place.say(user, f"s{number}", sentence.format(value), place.ago(days=40 - 30 * number))
            place.consolidate(user, f"s{number}")
        found = place.values(user, slot, question)
        yield Check(found == [new], f"{slot}: recall says {found}")
    for at, (slot, told, ended) in enumerate(_ENDED):
        user = f"ended-{at}"
        for number, sentence in enumerate((told, ended)):
            place.say(user, f"s{number}", sentence, place.ago(days=40 - 30 * number))
            place.consolidate(user, f"s{number}")
        held = [item.text for item in place.items(user)]
        yield Check(held == [], f"{ended} leaves {held}")
        before = place.items(user, as_of=place.ago(days=25))
        yield Check([one.slot for one in before] == [slot], f"{ended} takes the past away")


def as_of(place: Place) -> Iterator[Check]:
    """Three values, told in every order: what held then, and the same set when asked again."""
    moments = (place.ago(days=300), place.ago(days=200), place.ago(days=100))
    told = list(zip(("Lisbon", "Porto", "Faro"), moments, strict=True))
    question = _SLOTS["city"][0]
    for number, order in enumerate(permutations(told)):
        user = f"as-of-{number}"
        for turn, (value, at) in enumerate(order):
            place.state(user, "city", value, at, session=f"s{turn}")
        for value, at in told:
            found = place.values(user, "city", question, as_of=at + timedelta(days=50))
            yield Check(found == [value], f"order {number}: {found} for {value}")
        found = place.values(user, "city", question, as_of=moments[0] - timedelta(days=1))
        yield Check(found == [], f"order {number}: {found} before the first")
        view = place.recall(user_id=user, query=question, tiers=["semantic"])
        place.state(user, "city", "Braga", place.ago(days=1), session="later")
        again = place.recall(
            user_id=user, query=question, tiers=["semantic"], known_at=view.watermark
        )
        same = {one.id for one in view.items} == {one.id for one in again.items}
        yield Check(same, f"order {number}: another set at the same watermark")


def wrong_supersession(place: Place) -> Iterator[Check]:
    """A correction in one slot touches no other, nor another subject, user or window."""
    user, other = "neighbours", "neighbours-2"
    for slot, (_, old, _) in _SLOTS.items():
        place.state(user, slot, old, place.ago(days=60), session=f"first-{slot}")
        place.state(other, slot, old, place.ago(days=60), session=f"first-{slot}")
    place.state(user, "city", "Delft", place.ago(days=60), session="of-bo", subject="Bo")
    for at, slot in enumerate(_SLOTS):
        _, _, new = _SLOTS[slot]
        place.state(user, slot, new, place.ago(days=5), session=f"then-{slot}")
        changed = list(_SLOTS)[: at + 1]
        held = {i.slot: i.value for i in place.items(user) if i.subject is None}
        want = {name: (new if name in changed else old) for name, (_, old, new) in _SLOTS.items()}
        yield Check(held == want, f"after {slot}: {sorted(set(held.items()) - set(want.items()))}")
    theirs = {i.slot: i.value for i in place.items(other)}
    yield Check(
        theirs == {s: old for s, (_, old, _) in _SLOTS.items()}, "another user's facts changed"
    )
    of_bo = [i.value for i in place.items(user) if i.subject == "Bo"]
    yield Check(of_bo == ["Delft"], f"Bo's city is {of_bo}")
    yield from _many(place)
    yield from _disjoint(place)


def _many(place: Place) -> Iterator[Check]:
    pets = ["a cat called Miso", "a dog called Rex", "an owl called Hoot"]
    for number, pet in enumerate(pets):
        place.state("many", "pet", pet, place.ago(days=30 - number), session=f"s{number}")
        held = sorted(str(item.value) for item in place.items("many"))
        yield Check(held == sorted(pets[: number + 1]), f"pets are {held}")


def _disjoint(place: Place) -> Iterator[Check]:
    user, question = "disjoint", _SLOTS["city"][0]
    cities = (("Gent", 300, 200), ("Brugge", 200, 100), ("Gent", 100, None))
    for number, (city, start, end) in enumerate(cities):
        place.state(
            user, "city", city, place.ago(days=start), session=f"s{number}",
            valid_to=None if end is None else place.ago(days=end),
        )  # fmt: skip
    for city, start, _ in cities:
        found = place.values(user, "city", question, as_of=place.ago(days=start - 50))
        yield Check(found == [city], f"{found} where {city} held")
