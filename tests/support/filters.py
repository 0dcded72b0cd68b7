"""What a filter means, said a second time: plain Python over one document, and things to ask."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any
from unicodedata import normalize

from hypothesis import strategies as st

from muniment.domain.filter import FLAG_FIELDS, NUMBER_FIELDS, TEXT_FIELDS, TIME_FIELDS
from muniment.domain.timeline import micros, parse_instant
from muniment.domain.trust import GRADES, rank

# Quotes, escapes and signs of jsonpath and SQL, and characters at the edges of encodings.
HOSTILE = [
    "'", '"', "\\", '\\"', "$", "$v0", "@", "$.kind", "*", "**", "?", "(", ")", ")) || (1 == 1",
    '" ? (@ == 1) || $."', "%", "%s", "%(path)s", "{}", "[*]", "/", "~", "~0", "--", ";", "null",
    "true", "1", "0", "\n", "\t", "\x01", "\x1f", "\x7f", "\u2028", "\u202e", "\ufeff", "\ufffd",
    "\uffff", "\U0001f600", "\U0010ffff", "é", "e\u0301", "\\u0000", "\\x41", " ", "k" * 10_000,
]  # fmt: skip

plain_texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8
)
texts = st.sampled_from(["a", "b", "c", ""]) | st.sampled_from(HOSTILE) | plain_texts
# As the service stores them; a value and metadata are stored as they were written.
names = texts.map(lambda text: normalize("NFC", text))
keys = texts.map(lambda text: text.replace(".", "") or "k")
numbers = st.integers(-3, 3) | st.sampled_from(
    [0.5, -0.5, 1.0, 1e22, 2**53 + 1, 2.0**53, 2**200, -(10**999), 1e-300]
)
instants = st.sampled_from(
    [
        "2026-05-26T00:00:00Z",
        "2026-05-26T02:00:00+02:00",
        "2025-01-01T00:00:00.000001Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
    ]
)
scalars = texts | numbers | st.booleans() | st.none()
metadata = st.dictionaries(
    st.sampled_from(["k", "l"]) | keys,
    st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["k", "l"]) | keys, inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=3,
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """An item as ``item_document`` makes it: every field, null where there is nothing."""
    found: dict[str, Any] = {
        name: draw(st.none() | (texts if name == "value" else names)) for name in TEXT_FIELDS
    }
    found |= {"trust": draw(st.sampled_from(GRADES) | names)}
    found |= {name: draw(st.none() | instants.map(_micros)) for name in TIME_FIELDS}
    found |= {name: draw(st.none() | numbers) for name in NUMBER_FIELDS}
    found |= {name: draw(st.none() | st.booleans()) for name in FLAG_FIELDS}
    return found | {"metadata": draw(metadata)}


def _micros(text: str) -> int:
    return micros(parse_instant(text))


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    """One field with a value or operators."""
    paths = st.lists(st.sampled_from(["k", "l"]) | keys, min_size=1, max_size=3)
    name = draw(
        st.sampled_from([*TEXT_FIELDS, *TIME_FIELDS, *NUMBER_FIELDS, *FLAG_FIELDS])
        | paths.map(lambda path: ".".join(["metadata", *path]))
    )
    values = scalars
    for fields, of in (
        (TEXT_FIELDS, texts), (TIME_FIELDS, instants), (NUMBER_FIELDS, numbers),
        (FLAG_FIELDS, st.booleans()),
    ):  # fmt: skip
        if name in fields:
            values = of
    value = draw(values)
    operators: dict[str, st.SearchStrategy[Any]] = {
        "$eq": values | st.none(),
        "$ne": values | st.none(),
        "$in": st.lists(values | st.none(), min_size=1, max_size=3),
        "$exists": st.booleans(),
    }
    if name == "trust":
        values = st.sampled_from(GRADES)
    operators |= {sign: values.filter(lambda v: v is not None) for sign in _ORDERS}
    chosen = draw(st.lists(st.sampled_from(sorted(operators)), max_size=2, unique=True))
    if not chosen:
        return {name: value}
    return {name: {operator: draw(operators[operator]) for operator in chosen}}


filters = st.recursive(
    conditions() | st.just({}),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda groups: {"$and": groups})
        | st.lists(inner, min_size=1, max_size=3).map(lambda groups: {"$or": groups})
        | inner.map(lambda group: {"$not": group})
        | st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1])
    ),
    max_leaves=5,
)


def admits(expression: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    """Whether a filter admits a document."""
    return all(_entry(key, value, document) for key, value in expression.items())


def _entry(key: str, value: Any, document: Mapping[str, Any]) -> bool:
    if key == "$and":
        return all(admits(group, document) for group in value)
    if key == "$or":
        return any(admits(group, document) for group in value)
    if key == "$not":
        return not admits(value, document)
    tests = value if isinstance(value, Mapping) else {"$eq": value}
    found = list(_found(document, key.split(".")))
    return all(_holds(found, operator, operand, key) for operator, operand in tests.items())


def _found(value: Any, path: list[str]) -> Iterator[Any]:
    """What lies at a path; lists on the way are looked through, once each."""
    if not path:
        yield value
        return
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, Mapping) and path[0] in one:
            yield from _found(one[path[0]], path[1:])


_ORDERS: dict[str, Callable[[int], bool]] = {
    "$gt": lambda order: order > 0,
    "$gte": lambda order: order >= 0,
    "$lt": lambda order: order < 0,
    "$lte": lambda order: order <= 0,
}


def _holds(found: list[Any], operator: str, operand: Any, name: str) -> bool:
    there = any(value is not None for value in found)
    if operator == "$exists":
        return there is operand
    if operator == "$ne":
        return not _holds(found, "$eq", operand, name)
    if operator == "$in":
        return any(_holds(found, "$eq", one, name) for one in operand)
    if operand is None:
        return not there
    if name in TIME_FIELDS:
        operand = _micros(operand)
    elif name in TEXT_FIELDS and name != "value":
        operand = normalize("NFC", operand)
    if name == "trust" and operator != "$eq":
        ranks = [-rank(value) for value in found if value in GRADES]
        return any(_ORDERS[operator](value + rank(operand)) for value in ranks)
    orders = [_order(value, operand) for value in _members(found)]
    if operator == "$eq":
        return 0 in orders
    return any(order is not None and _ORDERS[operator](order) for order in orders)


def _members(values: list[Any]) -> Iterator[Any]:
    """Values, and those of lists among them, two deep."""
    for value in values:
        for one in value if isinstance(value, list) else [value]:
            yield from one if isinstance(one, list) else [one]


def _order(value: Any, operand: Any) -> int | None:
    """-1, 0 or 1; None for what does not compare."""
    a, b = _comparable(value), _comparable(operand)
    if a is None or b is None or type(a) is not type(b):
        return None
    return int(a > b) - int(a < b)


def _comparable(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode()
    return Decimal(repr(value)) if isinstance(value, int | float) else None
