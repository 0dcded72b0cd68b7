"""A year of life, from a seed: what is planted in it, and when an item counts as saying it.

| sessions | then |
|---|---|
| 250 of 20 turns | 5,000 turns or more, 120 facts current at the end, 60 not any more, 200 remarks |
| fewer | the same kinds, less of each |
| the same seed and day | the same story; another seed, another |

| an item | of an old value | is |
|---|---|---|
| in its slot, with that value | | given as current |
| in its slot, with another value | | not |
| elsewhere, by its words | | given as current |
| elsewhere, with the new value, or saying that it is over | | not |
"""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest

from muniment.client.models import Item
from muniment_evals.life_story import DAYS, Planted, Remark, Story, tell
from muniment_evals.life_verdict import answers, given_as_current

END = datetime(2026, 6, 1, tzinfo=UTC)
LENGTHS = [(1, 250), (2, 250), (1, 20), (3, 60)]


@pytest.fixture(scope="module", params=LENGTHS, ids=str)
def story(request: pytest.FixtureRequest) -> Story:
    seed, sessions = request.param
    return tell(seed, sessions, 20, END)


def test_a_full_year() -> None:
    story = tell(5, 250, 20, END)
    assert len(story.sessions) == 250
    assert sum(len(session.turns) for session in story.sessions) >= 5000
    assert (len(story.current), len(story.superseded), len(story.remarks)) == (120, 60, 200)


def test_every_slot_of_one_value_changes(story: Story) -> None:
    changed = {one.slot for one in story.superseded}
    assert {"city", "employer", "deploy_region", "account_tier", "price", "stock", None} <= changed
    assert all(one.ended_by or one.how == "history" for one in story.superseded)


def test_no_slot_of_one_value_has_two_at_the_end(story: Story) -> None:
    chained = {one.slot for one in story.superseded} - {None}
    held = [one.slot for one in story.current if one.slot in chained]
    assert len(held) == len(set(held))
    assert "stock" not in held


def test_moments_go_forward_within_the_year(story: Story) -> None:
    moments = [at for session in story.sessions for at, _ in session.turns]
    assert all(before < after for before, after in pairwise(moments))
    assert END - timedelta(days=DAYS + 1) <= moments[0]
    assert moments[-1] < END


def test_months_go_from_first_to_twelfth(story: Story) -> None:
    assert sorted({session.month for session in story.sessions}) == list(range(12))


def test_everything_planted_is_said_where_it_says(story: Story) -> None:
    planted: list[Planted | Remark] = [*story.current, *story.superseded, *story.remarks]
    for one in planted:
        said = [said.content for _, said in story.sessions[one.session].turns]
        assert one.said.split(" / ")[-1] in said


def test_no_template_is_left_open(story: Story) -> None:
    texts = [said.content for session in story.sessions for _, said in session.turns]
    assert not any("{" in text or "None" in text for text in texts)


def test_the_same_seed_tells_the_same() -> None:
    assert tell(4, 20, 20, END) == tell(4, 20, 20, END)
    assert tell(4, 20, 20, END) != tell(5, 20, 20, END)


CITY = Planted(
    "city", "city", "Leeds", (("leeds",),), "?", "I live in Leeds.", "first", 0, ("graz",)
)
LAG = Planted(
    "replaced", None, "five", (("feed",), ("five",)), "?", "The feed lags by five days.", "names",
    0, ("three",), (("feed",),),
)  # fmt: skip
KIT = Planted(
    "price",
    "price",
    "24",
    (("24",),),
    "?",
    "The kit costs 24.",
    "first",
    0,
    ("31",),
    (("kit", "euro"),),
)


def item(text: str, slot: str | None = None, value: str | None = None) -> Item:
    return Item(
        id=UUID(int=1), tier="semantic", kind="fact", scope="user", text=text, name=None,
        subject=None, slot=slot, value=value, data_source=None, as_of=END, valid_from=None,
        valid_to=None, recorded_at=END, expires_at=None, trust="user_stated", confidence=0.9,
        importance=5, pinned=False, status="active", stale=False, contested_by=(), evidence=(),
        metadata={},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "text", "slot", "value", "given"),
    [
        (CITY, "Ines lives in Leeds.", "city", "Leeds", True),
        (CITY, "Ines lives in Graz, not in Leeds.", "city", "Graz", False),
        (CITY, "Ines's home is in Leeds.", None, None, True),
        (CITY, "Ines moved from Leeds to Graz.", None, None, False),
        (CITY, "Ines used to live in Leeds.", None, None, False),
        (CITY, "Ines no longer lives in Leeds.", None, None, False),
        (CITY, "Ines lives in Utrecht.", "city", "Utrecht", False),
        (CITY, "Ines likes Leedsichthys fossils.", None, None, True),
        (LAG, "The feed lags by five days.", None, None, True),
        (LAG, "The feed lags by three days, not five.", None, None, False),
        (LAG, "Ines swims every five days.", None, None, False),
        (KIT, "Ines is free on 24 May.", None, None, False),
        (KIT, "The kit's price is 24 euros.", None, None, True),
        (KIT, "The kit's price is 124 euros.", None, None, False),
        (KIT, "The price is 24.", "price", "24", True),
    ],
)
def test_given_as_current(
    old: Planted, text: str, slot: str | None, value: str | None, given: bool
) -> None:
    assert given_as_current(old, item(text, slot, value)) is given


@pytest.mark.parametrize(
    ("planted", "text", "slot", "value", "found"),
    [
        (CITY, "Ines lives in Leeds.", "city", "Leeds", True),
        (CITY, "Ines lives in Graz.", "city", "Graz", False),
        (CITY, "Ines has a flat in Leeds.", None, None, True),
        (LAG, "The ledger feed is five days late.", None, None, True),
        (LAG, "The ledger is five days late.", None, None, False),
        (KIT, "Ines meets Jo at 24 Quay Street.", None, None, False),
    ],
)
def test_answers(
    planted: Planted, text: str, slot: str | None, value: str | None, found: bool
) -> None:
    assert answers(planted, item(text, slot, value)) is found
