"""A memory without a slot told again in other words (RULES 8), and what binds (RULES 2.3).

| held | comes | then |
|---|---|---|
| a lag of the data | the same in 10 wordings, in 3 sessions of two users | one memory, durative |
| the same | in two sessions, or one session thrice | one memory, not durative |
| the same | another number, source, kind, subject, user | two memories |
| a preference | the same at once, eight times over | one memory |
| a finding, 90 days | again 60 days later | goes 150 days after the first |
| the user's word | a guess in other words | reinforced; nothing raised or lowered |
| a guess | the user says it in other words | held on the user's own word, sessions counted along |
| opted in, took up, wants, may, Go over Python, 1.500 | opted out, gave up, has, must, ... | two memories |
| text of no language that is read | other words | two memories |
| an org record that an agent inferred | by one principal | unconfirmed |
| the same | a second principal, or turns of a second user | binds |
| an org record that a user's turn states | once | binds |
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.world import START, Local, Tenant

LAG = "The orders table has a three-day reporting lag."
WORDINGS = (
    LAG,
    "Reporting in the orders table lags by three days.",
    "The orders table's reporting lags by 3 days.",
    "There is a reporting lag of three days in the orders table.",
    "In the orders table, reporting has a lag of 72 hours.",
    "The orders table has a reporting delay of three days.",
    "Reporting on the orders table is delayed by three days.",
    "The reporting lag of the orders table is 3 days.",
    "A three-day lag in reporting occurs in the orders table.",
    "Reporting in the orders table is three days late.",
)


async def say(tenant: Tenant, user: str, session: str, texts: Sequence[str]) -> None:
    events = [
        {"turn": at, "role": "user", "content": text, "occurred_at": START}
        for at, text in enumerate(texts)
    ]
    await tenant("events.write", user_id=user, session_id=session, events=events)


async def cite(tenant: Tenant, text: str, user: str, session: str, turn: int, **more: Any) -> Any:
    """A fault of the data that a turn of a user states."""
    told = {"kind": "data_quality", "data_source": "orders", "text": text} | more
    cited = [{"session_id": session, "turn": turn, "user_id": user}]
    return await tenant("memories.remember", evidence=cited, **told)


async def items(tenant: Tenant, **where: Any) -> Any:
    return (await tenant("memories.list", **where)).items


async def test_ten_wordings_three_sessions_two_users(tenant: Tenant) -> None:
    told = {("ann", "a1"): WORDINGS[:4], ("bob", "b1"): WORDINGS[4:7], ("ann", "a2"): WORDINGS[7:]}
    durative = []
    for (user, session), texts in told.items():
        await say(tenant, user, session, texts)
        for turn, text in enumerate(texts):
            await cite(tenant, text, user, session, turn)
        durative.append([item.is_durative for item in await items(tenant)])
    (item,) = await items(tenant)
    assert durative == [[False], [False], [True]]
    assert (item.text, item.is_durative, item.unconfirmed) == (LAG, True, False)
    assert len(item.evidence) == len(WORDINGS)
    history = await tenant("memories.history", id=item.id)
    said = [one.rule for version in history.versions for one in version.decisions]
    assert "near_duplicate" in said


async def test_one_session_many_times_is_no_recurrence(tenant: Tenant) -> None:
    await say(tenant, "ann", "a1", WORDINGS[:5])
    for turn, text in enumerate(WORDINGS[:5]):
        await cite(tenant, text, "ann", "a1", turn)
    (item,) = await items(tenant)
    assert not item.is_durative


@pytest.mark.parametrize(
    "other",
    [
        {"text": "The orders table has a five-day reporting lag."},
        {"data_source": "refunds"},
        {"subject": "the archive"},
        {"kind": "procedure", "speaker": "operator"},
    ],
)
async def test_what_differs_is_another(tenant: Tenant, other: dict[str, Any]) -> None:
    told = {"kind": "data_quality", "data_source": "orders", "text": WORDINGS[1]}
    await tenant("memories.remember", **told | {"text": LAG})
    assert (await tenant("memories.remember", **told | other)).outcome == "inserted"
    assert (await tenant("memories.remember", **told)).outcome == "reinforced"


async def test_another_users_is_another(tenant: Tenant) -> None:
    for user in ("ann", "bob"):
        told = {"kind": "user_preference", "user_id": user, "text": "Wants weekly reports."}
        assert (await tenant("memories.remember", **told)).outcome == "inserted"


@pytest.mark.parametrize(
    "texts",
    [
        ("The user opted in to the marketing mails.", "The user opted out of the marketing mails."),
        ("The user took up jazz dancing.", "The user gave up jazz dancing."),
        ("The user wants a dog.", "The user has a dog."),
        ("The user may take the pills.", "The user must take the pills."),
        ("The user prefers Python over Go.", "The user prefers Go over Python."),
        ("The rent is 1,500 euros.", "The rent is 1.500 euros."),
        ("The user is happy with it 👍.", "The user is happy with it 👎."),
    ],
)
async def test_small_words(tenant: Tenant, texts: tuple[str, str]) -> None:
    for text in texts:
        made = await tenant("memories.remember", kind="fact", user_id="u", text=text)
        assert made.outcome == "inserted"
    assert {item.text for item in await items(tenant, user_id="u")} == set(texts)


async def test_at_once(tenant: Tenant) -> None:
    texts = ["The user wants weekly reports in euros.", "Reports should be weekly and in euros."]
    answers = await asyncio.gather(
        *(
            tenant("memories.remember", kind="user_preference", user_id="u", text=texts[at % 2])
            for at in range(8)
        )
    )
    assert sorted(one.outcome for one in answers) == ["inserted"] + ["reinforced"] * 7
    assert len({one.id for one in answers}) == 1
    assert len(await items(tenant, user_id="u")) == 1


async def test_a_finding_lives_longer(service: Local, tenant: Tenant) -> None:
    told = {"kind": "finding", "user_id": "u", "data_source": "crm", "label": "confirmatory"}
    texts = ["Churn rose by 12 % in Q3.", "In Q3 churn increased by 12 percent."]
    await tenant("memories.remember", text=texts[0], **told)
    service.clock.advance(days=60)
    await tenant("memories.remember", text=texts[1], **told)
    (item,) = await items(tenant, user_id="u")
    assert (item.expires_at - START).days == 150


@pytest.mark.parametrize("guess_first", [False, True])
async def test_grades(tenant: Tenant, guess_first: bool) -> None:
    words = ["Nora does not eat pork.", "Nora does not eat pork.", "Pork is not eaten by Nora."]
    await say(tenant, "u", "s", words[:1])
    stated: dict[str, Any] = {"text": words[1], "evidence": [{"session_id": "s", "turn": 0}]}
    told: list[dict[str, Any]] = (
        [{"text": words[2]}, stated] if guess_first else [stated, {"text": words[2]}]
    )
    first, again = [
        await tenant("memories.remember", kind="fact", user_id="u", **one) for one in told
    ]
    (item,) = await items(tenant, user_id="u")
    assert (first.outcome, again.outcome) == ("inserted", "reinforced")
    assert (item.trust, item.text) == ("user_stated", words[1])


async def test_sessions_count_along_when_a_higher_grade_restates(tenant: Tenant) -> None:
    for at in range(3):
        await say(tenant, "ann", f"s{at}", ["Look at the orders.", WORDINGS[at]])
    for at, turn in enumerate([0, 1, 1]):
        await cite(tenant, WORDINGS[at], "ann", f"s{at}", turn)
    (item,) = await items(tenant)
    assert (item.trust, item.is_durative) == ("user_stated", True)


async def test_what_cannot_be_read_is_compared_as_a_whole(tenant: Tenant) -> None:
    for text in ("Isst kein Fleisch und trinkt nicht.", "Trinkt nicht und isst kein Fleisch."):
        found = await tenant("memories.remember", kind="fact", user_id="u", text=text)
        assert found.outcome == "inserted"
    again = await tenant("memories.remember", kind="fact", user_id="u", text=text)
    assert again.outcome == "reinforced"


async def test_what_an_agent_inferred_binds_with_a_second_principal(tenant: Tenant) -> None:
    told = {"kind": "data_quality", "data_source": "orders"}
    keys = [await tenant.key_for(principal=name) for name in ("one", "one", "two")]
    shown = []
    await say(tenant, "ann", "s", ["Good morning."])
    for at, key in enumerate(keys):
        made = await tenant("memories.remember", _as=key, text=WORDINGS[at], **told)
        listed = (await items(tenant))[0].unconfirmed
        got = (await tenant("memories.get", id=made.id)).unconfirmed
        view = await tenant("recall", user_id="ann", query="reporting lag of orders")
        shown.append((listed, got, view.items[0].unconfirmed))
    assert shown == [(True,) * 3, (True,) * 3, (False,) * 3]


async def test_what_an_agent_inferred_binds_with_a_second_user(tenant: Tenant) -> None:
    shown = []
    for user in ("ann", "bob"):
        await say(tenant, user, "s", ["Look at the orders."])
        await cite(tenant, LAG, user, "s", 0)
        shown.append((await items(tenant))[0].unconfirmed)
    assert shown == [True, False]


async def test_what_a_user_said_binds_at_once(tenant: Tenant) -> None:
    await say(tenant, "ann", "s", [LAG])
    await cite(tenant, LAG, "ann", "s", 0)
    (item,) = await items(tenant)
    assert (item.trust, item.unconfirmed) == ("user_stated", False)


async def test_what_is_known_of_a_user_is_never_unconfirmed(tenant: Tenant) -> None:
    await tenant("memories.remember", kind="fact", user_id="u", text="Lives in Gouda.")
    (item,) = await items(tenant, user_id="u")
    assert (item.trust, item.unconfirmed) == ("agent_inferred", False)
