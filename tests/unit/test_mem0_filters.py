"""Filters of mem0 in the grammar of this service: for one user, and nothing left out.

| filter | then |
|---|---|
| `{"user_id": u}`, or in `AND` at any depth | everything of that user |
| no user; `*`; a list; under `OR` or `NOT`; two users; none at all | refused |
| a run, an application, metadata | what carries it itself, or rests on turns that do |
| an agent | the same, or its field |
| categories, times, ids | kind, valid_from or recorded_at, id |
| `*` | there is one |
| `ne` | not equal |
| `NOT` of several | none of them |
| what is not known here, an empty member of `OR` or `NOT`, a name with a dot | refused |
"""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.filter import compile_filter
from muniment.errors import InvalidInput
from muniment.surfaces.mem0.filters import conditions, moment, of_entities

U = {"user_id": "u"}
RUN = {"metadata.run_id": {"$eq": "r"}}
AGENT = {"$or": [{"agent_id": {"$eq": "a"}}, {"metadata.agent_id": {"$eq": "a"}}]}
HERE = {"id": "resting"}


def either(own: Any) -> Any:
    return {"$or": [own, HERE]}


READ = [
    (U, {}),
    ({"AND": [U]}, {"$and": [{"$and": [{}]}]}),
    (U | {"run_id": "r"}, {"$and": [either(RUN)]}),
    ({"AND": [U, {"run_id": "r"}]}, {"$and": [{"$and": [{}, {"$and": [either(RUN)]}]}]}),
    (U | {"agent_id": "a"}, {"$and": [either(AGENT)]}),
    (
        U | {"run_id": "*"},
        {"$and": [either({"metadata.run_id": {"$exists": True}})]},
    ),
    (
        U | {"metadata": {"k": {"ne": 1}}},
        {"$and": [{"$and": [{"$and": [{"$not": either({"metadata.k": {"$eq": 1}})}]}]}]},
    ),
    (
        U | {"NOT": [{"run_id": "r"}, {"app_id": "x"}]},
        {
            "$and": [
                {
                    "$not": {
                        "$or": [
                            {"$and": [either(RUN)]},
                            {"$and": [either({"metadata.app_id": {"$eq": "x"}})]},
                        ]
                    }
                }
            ]
        },
    ),
    (
        U | {"categories": {"contains": "fact"}},
        {"$and": [{"$and": [{"kind": {"$eq": "fact"}}]}]},
    ),
    (
        U | {"created_at": {"gte": "2026-05-04"}},
        {"$and": [{"$and": [{"valid_from": {"$gte": "2026-05-04T00:00:00Z"}}]}]},
    ),
    (U | {"memory_ids": ["i"]}, {"$and": [{"$and": [{"id": {"$in": ["i"]}}]}]}),
]
REFUSED = [
    ({}, "/filters"),
    ({"agent_id": "a"}, "/filters"),
    ({"user_id": "*"}, "/filters/user_id"),
    ({"user_id": {"in": ["u", "v"]}}, "/filters/user_id"),
    ({"OR": [U, {"run_id": "r"}]}, "/filters"),
    (U | {"OR": [{"user_id": "v"}, {"run_id": "r"}]}, "/filters/OR/0/user_id"),
    (U | {"NOT": [{"user_id": "v"}]}, "/filters/NOT/0/user_id"),
    ({"AND": [U, {"user_id": "v"}]}, "/filters"),
    (U | {"OR": [{}]}, "/filters/OR/0"),
    (U | {"OR": [{"AND": [{}]}]}, "/filters/OR/0/AND/0"),
    (U | {"NOT": {}}, "/filters/NOT/0"),
    (U | {"AND": []}, "/filters/AND"),
    (U | {"OR": [1]}, "/filters/OR/0"),
    (U | {"keywords": {"contains": "x"}}, "/filters/keywords"),
    (U | {"run_id": {"icontains": "x"}}, "/filters/run_id/icontains"),
    (U | {"run_id": {}}, "/filters/run_id"),
    (U | {"metadata": {"a.b": 1}}, "/filters/metadata/a.b"),
    (U | {"metadata": {}}, "/filters/metadata"),
    (U | {"metadata": 7}, "/filters/metadata"),
    (U | {"metadata": {"a": {"in": [[]]}}}, "/filters/metadata/a/in/0"),
    (U | {"run_id": ["r"]}, "/filters/run_id"),
    (U | {"run_id": {"in": "r"}}, "/filters/run_id/in"),
    (U | {"created_at": {"gte": "soon"}}, "/filters/created_at"),
    (U | {"created_at": True}, "/filters/created_at"),
]


@pytest.mark.parametrize(("given_filter", "read"), READ)
def test_read(given_filter: Any, read: Any) -> None:
    found = conditions(given_filter)
    assert found.user_id == "u"
    assert found.filter(lambda _: HERE) == read


@pytest.mark.parametrize(("given_filter", "at"), REFUSED)
def test_refused(given_filter: Any, at: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        conditions(given_filter)
    assert [one.pointer for one in refused.value.faults] == [at]


def test_what_turns_may_meet_is_told_once() -> None:
    found = conditions(U | {"OR": [{"run_id": "r"}, {"AND": [{"run_id": "r"}]}], "agent_id": "a"})
    assert found.turns == (RUN, AGENT)


@pytest.mark.parametrize(
    ("named", "read"),
    [
        ({"run_id": None}, {}),
        ({"run_id": "r", "agent_id": "a"}, {"$and": [RUN, AGENT]}),
    ],
)
def test_what_is_erased(named: Any, read: Any) -> None:
    assert of_entities(**named) == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("2026-05-04", "2026-05-04T00:00:00Z"),
        ("2026-05-04T10:00:00+02:00", "2026-05-04T08:00:00Z"),
        (0, "1970-01-01T00:00:00Z"),
        (1.5, "1970-01-01T00:00:01.500000Z"),
    ],
)
def test_moments(said: Any, read: str) -> None:
    assert moment(said, "/at") == read


@pytest.mark.parametrize("said", ["", "x", True, None, 1e300, -(10**30), [], "2026-13-01"])
def test_no_moments(said: Any) -> None:
    with pytest.raises(InvalidInput):
        moment(said, "/at")


_VALUES = st.one_of(
    st.text(max_size=3), st.integers(), st.booleans(), st.none(), st.just("*"),
    st.dictionaries(st.sampled_from(["in", "ne", "gte", "contains", "x"]), st.text(max_size=2)),
)  # fmt: skip
_FILTERS = st.recursive(
    st.dictionaries(
        st.sampled_from(["user_id", "run_id", "agent_id", "metadata", "categories", "OR", "x"]),
        _VALUES,
        max_size=3,
    ),
    lambda inner: st.dictionaries(
        st.sampled_from(["AND", "OR", "NOT", "user_id"]), st.lists(inner, max_size=3), max_size=3
    ),
    max_leaves=8,
)


@given(_FILTERS)
def test_whatever_is_given_is_of_one_user_or_refused(given_filter: Any) -> None:
    with contextlib.suppress(InvalidInput):
        found = conditions(given_filter)
        assert json.dumps(found.user_id) in json.dumps(given_filter)
        assert "user_id" not in str(found.filter(lambda _: HERE))


@pytest.mark.parametrize(("given_filter", "_"), READ)
def test_what_is_read_is_a_filter(given_filter: Any, _: Any) -> None:
    compile_filter(conditions(given_filter).filter(lambda _: HERE))
