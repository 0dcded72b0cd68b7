"""entities.*: names, what stands around an entity, merging and undoing (DESIGN 3).

| given | when | then |
|---|---|---|
| nothing | something is remembered of Acme | Acme is an entity, not defined |
| Acme | defined as an account with an alias | kind and alias; defined again: the new ones alone |
| Acme, alias ACME Corp | remembered of "acme corp" | it is a fact about Acme |
| Acme | another one defined with the alias "acme" | Conflict at that alias |
| Acme, alias ACME Corp | "ACME Corp" is defined | Conflict |
| a name that nothing goes by | get, merge, remove | NotFound |
| facts of Acme, one of them a person; a fact of the user that names Acme | get | facts; the person with theirs; the user's fact without the user |
| the same | as of before, known at before | what held then |
| two entities with facts | merged | facts of both, one truth a slot by the rules, the alias leads on |
| the same value of both | merged | one memory with the evidence of both |
| a lower grade | merged into a higher | contested, never displacing |
| a merge | known at before | as it was |
| a merge | undone | both as they were; undone again: Conflict |
| a merge, then a correction of what it made | undone | Conflict, nothing changed |
| A into B, B into C | A asked for | C; undoing in reverse gives all back, the first alone is refused |
| an entity | merged into the user | the user's own facts; its name leads to the user's |
| a merged fact whose turn is forgotten | | it is gone too |
| a merge, then a fact that it stated forgotten | undone | Conflict; what was forgotten is in no history either |
| facts at a grade | merged or unmerged by a key that could not have said them | Forbidden |
| "the user", "me" or the user's own id for a subject | | the user; no entity has that name, no filter on subjects finds it |
| an entity of the organisation | merged into nothing | InvalidInput |
| an entity with facts | removed | Conflict; after a forget by subject it goes |
"""

from datetime import datetime, timedelta
from typing import Any

import pytest

from muniment.errors import Conflict, Forbidden, InvalidInput, NotFound
from tests.support.world import START, Local, Tenant

EARLIER = START - timedelta(days=100)


async def of(tenant: Tenant, subject: str | None, slot: str, value: str, **more: Any) -> Any:
    """A fact about an entity of user u."""
    given = {"kind": "fact", "user_id": "u", "subject": subject, "slot": slot, "value": value}
    text = f"{subject or 'The user'}: the {slot} is {value}."
    return await tenant("memories.remember", **(given | {"text": text} | more))


async def say(tenant: Tenant, session: str, content: str, at: datetime = EARLIER) -> dict[str, Any]:
    """A turn of the user, as evidence."""
    event = {"turn": 1, "role": "user", "content": content, "occurred_at": at}
    await tenant("events.write", user_id="u", session_id=session, events=[event])
    return {"evidence": [{"session_id": session, "turn": 1}], "valid_from": at}


async def facts(tenant: Tenant, name: str, **moment: Any) -> dict[str, str]:
    """Values by slot of what holds of an entity."""
    view = await tenant("entities.get", name=name, user_id="u", **moment)
    return {item.slot: item.value for item in view.facts}


async def merge(tenant: Tenant, name: str, into: str | None) -> Any:
    return await tenant("entities.merge", name=name, into=into, user_id="u")


async def test_what_something_is_said_of_is_an_entity(tenant: Tenant) -> None:
    await of(tenant, "Acme", "price", "12")
    (one,) = (await tenant("entities.list", user_id="u")).items
    assert (one.name, one.defined, one.aliases) == ("Acme", False, ())
    assert not (await tenant("entities.list", user_id="nobody")).items
    assert not (await tenant("entities.list")).items


@pytest.mark.parametrize("name", ["the user", "I", "me", "u", " U"])
async def test_the_user_is_no_entity_by_whatever_name(tenant: Tenant, name: str) -> None:
    await of(tenant, None, "city", "Gouda")
    assert (await of(tenant, name, "city", "Breda")).outcome == "superseded"
    assert not (await tenant("entities.list", user_id="u")).items
    with pytest.raises(InvalidInput):
        await tenant("entities.define", name=name, kind="person", user_id="u")


async def test_defining_gives_a_kind_and_other_names(tenant: Tenant) -> None:
    await of(tenant, "Acme", "price", "12")
    made = await tenant(
        "entities.define", name="Acme", kind="account", aliases=["ACME Corp", "acme"], user_id="u"
    )
    assert (made.kind, made.aliases, made.defined) == ("account", ("ACME Corp",), True)
    await of(tenant, "acme  corp", "stock", "4")
    assert await facts(tenant, "ACME CORP") == {"price": "12", "stock": "4"}
    again = await tenant("entities.define", name="Acme", kind="firm", user_id="u")
    assert (again.id, again.kind, again.aliases) == (made.id, "firm", ())
    with pytest.raises(NotFound):
        await facts(tenant, "ACME Corp")


async def test_a_name_stands_for_one_entity(tenant: Tenant) -> None:
    await tenant("entities.define", name="Acme", kind="account", aliases=["AC"], user_id="u")
    with pytest.raises(Conflict) as refused:
        await tenant(
            "entities.define", name="Other", kind="account", aliases=["x", "acme"], user_id="u"
        )
    assert [fault.pointer for fault in refused.value.faults] == ["/aliases/1"]
    with pytest.raises(Conflict):
        await tenant("entities.define", name="ac", kind="account", user_id="u")
    with pytest.raises(InvalidInput):
        await tenant("entities.define", name="Me", kind="self", user_id="u")
    assert (await tenant("entities.define", name="Acme", kind="account")).aliases == ()


@pytest.mark.parametrize("operation", ["entities.get", "entities.merge", "entities.remove"])
async def test_what_nothing_goes_by_is_not_there(tenant: Tenant, operation: str) -> None:
    with pytest.raises(NotFound):
        await tenant(operation, name="Nobody", user_id="u")
    await of(tenant, None, "city", "Gouda")
    with pytest.raises(NotFound):
        await tenant(operation, name="Nobody", user_id="u")


async def test_one_hop_around_an_entity(tenant: Tenant) -> None:
    await of(tenant, "Acme", "project", "Sanne")
    await of(tenant, "Sanne", "city", "Delft")
    await of(tenant, None, "employer", "ACME")
    await of(tenant, "Bob", "employer", "Umbrella")
    view = await tenant("entities.get", name="Acme", user_id="u")
    assert [item.value for item in view.facts] == ["Sanne"]
    around = {
        one.entity.name if one.entity else None: (
            [item.value for item in one.relations],
            [item.value for item in one.facts],
        )
        for one in view.related
    }
    assert around == {"Sanne": (["Sanne"], ["Delft"]), None: (["ACME"], [])}


async def test_an_entity_at_another_moment(tenant: Tenant, service: Local) -> None:
    await of(tenant, "Acme", "city", "Rome", valid_from=EARLIER)
    before = (await tenant("entities.get", name="Acme", user_id="u")).watermark
    service.clock.advance(days=1)
    await of(tenant, "Acme", "city", "Oslo", valid_from=START)
    assert await facts(tenant, "Acme") == {"city": "Oslo"}
    assert await facts(tenant, "Acme", as_of=EARLIER) == {"city": "Rome"}
    assert await facts(tenant, "Acme", known_at=before) == {"city": "Rome"}


async def test_pages_of_entities(tenant: Tenant) -> None:
    for name in ("d", "B", "a", "C", "e"):
        await tenant("entities.define", name=name, kind="team", user_id="u")
    await tenant("entities.define", name="z", kind="person", user_id="u")
    seen, cursor = [], None
    while True:
        page = await tenant(
            "entities.list", user_id="u", kind="team", limit=2, **({"cursor": cursor} if cursor else {})
        )  # fmt: skip
        seen += [one.name for one in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert seen == ["a", "B", "C", "d", "e"]


# Merging ----------------------------------------------------------------------------------------


async def test_merged_facts_follow_the_rules(tenant: Tenant, service: Local) -> None:
    await of(tenant, "Acme", "city", "Rome", valid_from=EARLIER)
    await of(tenant, "Acme BV", "city", "Oslo", valid_from=EARLIER + timedelta(days=9))
    await of(tenant, "Acme BV", "stock", "4")
    before = (await tenant("entities.get", name="Acme", user_id="u")).watermark
    service.clock.advance(days=1)
    made = await merge(tenant, "Acme BV", "Acme")
    assert made.facts == 2
    assert (made.entity.name, made.entity.aliases) == ("Acme", ("Acme BV",))
    assert await facts(tenant, "acme bv") == {"city": "Oslo", "stock": "4"}
    assert await facts(tenant, "Acme", as_of=EARLIER) == {"city": "Rome"}
    assert await facts(tenant, "Acme", known_at=before) == {"city": "Rome"}
    assert [one.name for one in (await tenant("entities.list", user_id="u")).items] == ["Acme"]
    found = await tenant("recall", user_id="u", query="Where is the city Oslo?")
    assert {item.subject for item in found.items} == {"Acme"}
    with pytest.raises(Conflict):
        await merge(tenant, "Acme BV", "Acme")


async def test_the_same_value_of_both_is_one_memory(tenant: Tenant) -> None:
    one = await of(tenant, "A", "city", "Rome", **await say(tenant, "s1", "A is in Rome."))
    await of(tenant, "B", "city", "Rome", **await say(tenant, "s2", "B is in Rome."))
    await merge(tenant, "B", "A")
    (item,) = (await tenant("entities.get", name="A", user_id="u")).facts
    assert item.id == one.id
    assert [turn.session_id for turn in item.evidence] == ["s1", "s2"]


async def test_a_lower_grade_is_contested(tenant: Tenant) -> None:
    stated = await say(tenant, "s1", "A is in Rome.")
    one = await of(tenant, "A", "city", "Rome", **stated)
    await of(tenant, "B", "city", "Oslo", valid_from=EARLIER)
    await merge(tenant, "B", "A")
    (item,) = (await tenant("entities.get", name="A", user_id="u")).facts
    assert item.id == one.id
    assert len(item.contested_by) == 1


async def test_undoing_gives_back_what_was(tenant: Tenant) -> None:
    await of(tenant, "A", "city", "Rome", valid_from=EARLIER)
    await of(tenant, "B", "city", "Oslo", valid_from=EARLIER)
    await of(tenant, "B", "pet", "cat")
    made = await merge(tenant, "B", "A")
    assert await facts(tenant, "B") == {"city": "Oslo", "pet": "cat"}
    undone = await tenant("entities.unmerge", merge_id=made.merge_id)
    assert undone.facts == 3
    assert await facts(tenant, "A") == {"city": "Rome"}
    assert await facts(tenant, "B") == {"city": "Oslo", "pet": "cat"}
    found = await tenant("recall", user_id="u", query="Which city is Rome or Oslo?")
    assert {(item.subject, item.value) for item in found.items if item.slot == "city"} == {
        ("A", "Rome"), ("B", "Oslo")
    }  # fmt: skip
    with pytest.raises(Conflict):
        await tenant("entities.unmerge", merge_id=made.merge_id)
    await of(tenant, "B", "city", "Bonn")
    assert (await facts(tenant, "B"))["city"] == "Bonn"
    assert (await facts(tenant, "A"))["city"] == "Rome"


async def test_what_has_changed_since_is_not_undone(tenant: Tenant) -> None:
    await of(tenant, "A", "city", "Rome", valid_from=EARLIER)
    await of(tenant, "B", "city", "Oslo", valid_from=EARLIER)
    made = await merge(tenant, "B", "A")
    await of(tenant, "A", "city", "Bonn")
    with pytest.raises(Conflict):
        await tenant("entities.unmerge", merge_id=made.merge_id)
    assert await facts(tenant, "B") == {"city": "Bonn"}


async def test_merges_upon_merges(tenant: Tenant) -> None:
    for name, value in (("A", "cat"), ("B", "dog"), ("C", "owl")):
        await of(tenant, name, "pet", value)
    await tenant("entities.define", name="A", kind="team", aliases=["Alpha"], user_id="u")
    first = await merge(tenant, "A", "B")
    second = await merge(tenant, "B", "C")
    assert second.entity.aliases == ("A", "Alpha", "B")
    for name in ("A", "Alpha", "B", "C"):
        view = await tenant("entities.get", name=name, user_id="u")
        assert {item.value for item in view.facts} == {"cat", "dog", "owl"}
    with pytest.raises(Conflict):
        await tenant("entities.unmerge", merge_id=first.merge_id)
    await tenant("entities.unmerge", merge_id=second.merge_id)
    assert (await tenant("entities.get", name="Alpha", user_id="u")).entity.name == "B"
    await tenant("entities.unmerge", merge_id=first.merge_id)
    assert [await facts(tenant, name) for name in "ABC"] == [
        {"pet": "cat"}, {"pet": "dog"}, {"pet": "owl"}
    ]  # fmt: skip


async def test_an_entity_that_turns_out_to_be_the_user(tenant: Tenant) -> None:
    await of(tenant, "Sanne", "city", "Delft")
    made = await merge(tenant, "Sanne", None)
    profile = await tenant("profile.get", user_id="u")
    assert {(item.subject, item.value) for item in profile.items} == {(None, "Delft")}
    await of(tenant, "sanne", "employer", "Acme")
    assert {item.subject for item in (await tenant("profile.get", user_id="u")).items} == {None}
    assert made.facts == 1
    await of(tenant, "Bob", "city", "Rome")
    with pytest.raises(InvalidInput):
        await merge(tenant, "Sanne", "Bob")


async def test_a_merged_fact_goes_with_its_turn(tenant: Tenant) -> None:
    await of(tenant, "B", "city", "Oslo", **await say(tenant, "s2", "B is in Oslo."))
    await of(tenant, "A", "pet", "cat")
    await merge(tenant, "B", "A")
    await tenant("forget", user_id="u", session_id="s2")
    assert await facts(tenant, "A") == {"pet": "cat"}


async def test_what_is_said_of_is_not_removed(tenant: Tenant) -> None:
    await of(tenant, "A", "city", "Rome")
    await tenant("entities.define", name="A", kind="team", aliases=["Alpha"], user_id="u")
    with pytest.raises(Conflict):
        await tenant("entities.remove", name="Alpha", user_id="u")
    await tenant("forget", user_id="u", filter={"subject": "A"})
    assert (await tenant("entities.get", name="A", user_id="u")).facts == ()
    await tenant("entities.remove", name="Alpha", user_id="u")
    with pytest.raises(NotFound):
        await facts(tenant, "A")


async def test_what_a_merge_stated_and_was_forgotten_does_not_come_back(tenant: Tenant) -> None:
    await of(tenant, "B", "city", "Oslo")
    await of(tenant, "B", "pet", "cat")
    await of(tenant, "A", "pet", "cat")
    merged = await merge(tenant, "B", "A")
    moved = {i.slot: i for i in (await tenant("entities.get", name="A", user_id="u")).facts}
    await tenant("forget", user_id="u", ids=[moved["city"].id])
    with pytest.raises(Conflict):
        await tenant("entities.unmerge", merge_id=merged.merge_id)
    every = await tenant("memories.list", user_id="u", as_of=EARLIER, standing=["asserted"])
    assert "Oslo" not in str(every)
    assert await facts(tenant, "B") == {"pet": "cat"}
    other = await of(tenant, "C", "pet", "cat")
    again = await merge(tenant, "C", "A")
    await tenant("forget", user_id="u", filter={"subject": "A"})
    with pytest.raises(Conflict):
        await tenant("entities.unmerge", merge_id=again.merge_id)
    assert other.id
    assert await facts(tenant, "C") == {}


@pytest.mark.parametrize("roles", [["external"], ["tool"], ["assistant"]])
async def test_a_key_moves_only_what_it_could_have_said(tenant: Tenant, roles: list[str]) -> None:
    stated = await say(tenant, "s1", "Ana works at Acme.")
    await of(tenant, "Ana", "employer", "Acme", **stated)
    await of(tenant, None, "employer", "Initech", **await say(tenant, "s2", "I work at Initech."))
    key = await tenant.key_for(verbs=["read", "write"], layers=["semantic"], roles=roles)
    with pytest.raises(Forbidden):
        await tenant("entities.merge", _as=key, name="Ana", user_id="u")
    profile = await tenant("profile.get", user_id="u")
    assert [i.value for i in profile.items if i.subject is None] == ["Initech"]
    own = await tenant.key_for(verbs=["read", "write"], layers=["semantic"], roles=["user"])
    merged = await tenant("entities.merge", _as=own, name="Ana", user_id="u")
    with pytest.raises(Forbidden):
        await tenant("entities.unmerge", _as=key, merge_id=merged.merge_id)


async def test_the_user_is_no_entity(tenant: Tenant) -> None:
    await of(tenant, None, "city", "Rome", valid_from=EARLIER)
    await of(tenant, "The user", "city", "Oslo")
    await of(tenant, "Ana", "city", "Bonn")
    profile = await tenant("profile.get", user_id="u")
    assert {(item.subject, item.value) for item in profile.items} == {
        (None, "Oslo"),
        ("Ana", "Bonn"),
    }
    with pytest.raises(InvalidInput) as refused:
        await tenant("entities.define", name="user", kind="person", user_id="u")
    assert refused.value.faults[0].pointer == "/name"
    named = await tenant("memories.list", user_id="u", filter={"subject": {"$exists": True}})
    assert [item.value for item in named.items] == ["Bonn"]
    of_user = await tenant("memories.list", user_id="u", filter={"subject": {"$exists": False}})
    assert {item.value for item in of_user.items} == {"Oslo"}


async def test_an_entity_of_the_organisation_is_not_its_user(tenant: Tenant) -> None:
    await tenant("entities.define", name="orders", kind="system")
    with pytest.raises(InvalidInput) as refused:
        await tenant("entities.merge", name="orders")
    assert refused.value.faults[0].pointer == "/into"


async def test_a_key_of_one_user_keeps_to_them(tenant: Tenant) -> None:
    await of(tenant, "A", "city", "Rome")
    await of(tenant, "B", "pet", "cat")
    made = await merge(tenant, "B", "A")
    key = await tenant.key_for(user_id="other", verbs=["read", "write"], layers=["semantic"])
    with pytest.raises(NotFound):
        await tenant("entities.unmerge", _as=key, merge_id=made.merge_id)
    own = await tenant.key_for(user_id="u", verbs=["read", "write"], layers=["semantic"])
    assert (await tenant("entities.unmerge", _as=own, merge_id=made.merge_id)).facts


# Recall by name ---------------------------------------------------------------------------------


async def by_name(tenant: Tenant, query: str, **more: Any) -> list[str]:
    """What recall by name answers with."""
    view = await tenant("recall", user_id="u", query=query, match="named", **more)
    assert view.abstained == (not view.items)
    return [item.value or item.text for item in view.items]


async def test_recall_by_name(tenant: Tenant, service: Local) -> None:
    await tenant("entities.define", name="Kubernetes", kind="system", aliases=["k8s"], user_id="u")
    await of(tenant, "Kubernetes", "deploy_region", "eu-west-1", valid_from=EARLIER)
    await of(tenant, "Lantern", "project", "Kubernetes")
    await of(tenant, None, "city", "Delft")
    assert await by_name(tenant, "what's my k8s story?") == ["eu-west-1"]
    assert await by_name(tenant, "Is lantrn on k8s?") == ["Kubernetes", "eu-west-1"]
    assert await by_name(tenant, "Who runs Lantern?") == ["Kubernetes", "eu-west-1"]
    assert await by_name(tenant, "Who runs Lantern?", k=1) == ["Kubernetes"]
    assert await by_name(tenant, "Where do I live?") == []
    assert await by_name(tenant, "k8s", kinds=["finding"]) == []
    assert await by_name(tenant, "k8s", tiers=["episodic"]) == []
    assert await by_name(tenant, "k8s", filter={"slot": "city"}) == []
    assert await by_name(tenant, "k8s", filter={"slot": "deploy_region"}) == ["eu-west-1"]
    assert await by_name(tenant, "k8s", namespace="other") == []
    service.clock.advance(days=1)
    await of(tenant, "k8s", "deploy_region", "us-east-1", valid_from=START)
    assert await by_name(tenant, "k8s") == ["us-east-1"]
    assert await by_name(tenant, "k8s", as_of=EARLIER) == ["eu-west-1"]


async def test_recall_by_name_in_the_organisation(tenant: Tenant) -> None:
    await tenant(
        "memories.remember", kind="data_quality", subject="orders feed", data_source="orders",
        text="The orders feed lags by three days.",
    )  # fmt: skip
    await of(tenant, "orders page", "city", "Delft")
    assert await by_name(tenant, "How fresh is the orders feed?") == [
        "The orders feed lags by three days."
    ]
