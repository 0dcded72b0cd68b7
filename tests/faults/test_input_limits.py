"""Every limit of ``docs/reference/limits.md``: what is at it is taken, what is beyond is not.

The page and the code say the same numbers, and no row of the page is without a test here.
"""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from muniment.domain import filter as filters
from muniment.operations import analysis_prior, decode, file_paths, operation, paging, types
from muniment.operations.registry import REGISTRY
from muniment.records.files import MOST_VERSIONS
from muniment.records.idempotency import KEPT_FOR
from muniment.settings import Settings
from muniment.surfaces.http import app, protocol, reading
from tests.faults.input_calls import Answer, over_http
from tests.faults.input_fields import EVENT, NEEDED, UUID
from tests.faults.input_limits import LIMITS_OF_STORE, NUMBERS_OF_STORE, Limit, words
from tests.faults.thread_limits import THREADS
from tests.support.documents import ROOT

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
PAGE = (ROOT / "docs/reference/limits.md").read_text(encoding="utf-8")
ROWS = {
    cells[0]: cells
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| what")
    for cells in [[cell.strip() for cell in line.strip("| ").split(" | ")]]
}


def nested(depth: int) -> Any:
    """Lists in lists."""
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


def metadata(size: int) -> dict[str, str]:
    """An object of so many bytes as JSON without spaces."""
    return {"k": words(size - len('{"k":""}'))}


def field(name: str, key: str, schema: str = "maximum", definition: str | None = None) -> int:
    """A bound as the registry declares it."""
    found = REGISTRY[name].schema
    found = (
        found["properties"][key]
        if definition is None
        else found["$defs"][definition]["properties"][key]
    )
    options = [found, *found.get("anyOf", ())]
    return next(int(option[schema]) for option in options if schema in option)


def on(name: str, make: Callable[[int], Any], *path: str | int) -> Any:
    """A call with the made value in one field of the command."""

    def more(size: int) -> dict[str, Any]:
        value = make(size)
        if path[0] == "events":
            return {"events": [EVENT | {path[2]: value}]}
        return {str(path[0]): value}

    return name, more, "".join(f"/{part}" for part in path)


IDENTIFIERS = (
    on("working.get", words, "user_id"), on("working.get", words, "session_id"), on("working.get", words, "key"),
    on("working.put", words, "namespace"), on("events.write", words, "agent_id"), on("events.write", words, "events", 0, "name"),
    on("events.write", words, "events", 0, "data_source"), on("events.write", words, "events", 0, "tool"),
    on("memories.remember", words, "subject"), on("recall", words, "run_id"), on("keys.create", words, "principal"),
)  # fmt: skip
LIMITS: dict[str, Limit] = {
    "identifier: user, session, agent, namespace, data source, name, tool, subject, key, principal, run, tenant":
        Limit(types.MAX_IDENTIFIER_BYTES, IDENTIFIERS),
    "nesting of JSON": Limit(
        decode.MAX_DEPTH,
        (("working.put", lambda n: {"value": nested(n - 1)}, ""),
         ("memories.remember", lambda n: {"metadata": {"k": nested(n - 2)}}, "")),
        "malformed_body",
    ),
    "digits of a whole number": Limit(
        decode.MAX_DIGITS, (("working.put", lambda n: {"value": 10 ** (n - 1)}, ""),), "malformed_body"
    ),
    "content of an event": Limit(types.MAX_TEXT_BYTES, (on("events.write", words, "events", 0, "content"),)),
    "text of a memory": Limit(types.MAX_TEXT_BYTES, (on("memories.remember", words, "text"),)),
    "detail of a memory": Limit(types.MAX_DETAIL_BYTES, (on("memories.remember", words, "detail"),)),
    "question of a recall or a context": Limit(
        types.MAX_TEXT_BYTES, (on("recall", words, "query"), on("context.assemble", words, "query"))
    ),
    "value of a slot": Limit(
        types.MAX_VALUE_BYTES,
        (("memories.remember", lambda n: {"slot": "pet", "value": words(n)}, "/value"),),
    ),
    "metadata": Limit(
        types.MAX_METADATA_BYTES,
        (on("memories.remember", metadata, "metadata"), on("events.write", metadata, "events", 0, "metadata")),
    ),
    "events a call": Limit(
        types.MAX_EVENTS,
        (("events.write", lambda n: {"events": [EVENT | {"turn": at} for at in range(n)]}, "/events"),),
    ),
    "citations of a memory": Limit(
        field("memories.remember", "evidence", "maxItems"),
        (("memories.remember", lambda n: {"evidence": [{"session_id": "s", "turn": 0}] * n}, "/evidence"),),
    ),
    "ids of a forget": Limit(
        field("forget", "ids", "maxItems"), (("forget", lambda n: {"ids": [UUID] * n}, "/ids"),)
    ),
    "tiers or kinds of a recall": Limit(
        field("recall", "kinds", "maxItems"),
        (on("recall", lambda n: ["fact"] * n, "kinds"), on("recall", lambda n: ["semantic"] * n, "tiers")),
    ),
    "tiers, kinds or standings of a list": Limit(
        field("memories.list", "kinds", "maxItems"),
        (on("memories.list", lambda n: ["fact"] * n, "kinds"), on("memories.list", lambda n: ["semantic"] * n, "tiers"),
         on("memories.list", lambda n: ["asserted"] * n, "standing")),
    ),
    "verbs, layers or roles of a key": Limit(
        field("keys.create", "verbs", "maxItems"),
        (on("keys.create", lambda n: ["read"] * n, "verbs"), on("keys.create", lambda n: ["run"] * n, "layers"),
         on("keys.create", lambda n: ["user"] * n, "roles")),
    ),
    "conditions of a filter": Limit(
        filters.MAX_NODES,
        tuple(("memories.list" if at else "recall",
               lambda n: {"filter": {f"metadata.k{one}": 1 for one in range(n)}}, "/filter") for at in range(2)),
    ),
    "values of `$in`": Limit(
        filters.MAX_NODES,
        (("recall", lambda n: {"filter": {"metadata.k": {"$in": list(range(n))}}}, "/filter/metadata.k/$in"),),
    ),
    "items of a recall (`k`)": Limit(field("recall", "k"), (on("recall", int, "k"),)),
    "tokens of a profile (`max_tokens`)": Limit(
        field("profile.get", "max_tokens"), (on("profile.get", int, "max_tokens"),)
    ),
    "tokens of a context (`budget`)": Limit(
        field("context.assemble", "budget"), (on("context.assemble", int, "budget"),)
    ),
    "answers of a scope that a context considers (`k`)": Limit(
        field("context.assemble", "k"), (on("context.assemble", int, "k"),)
    ),
    "items of any other page (`limit`)": Limit(
        field("memories.list", "limit"),
        tuple(on(name, int, "limit") for name in ("memories.list", "events.list", "working.list", "keys.list", "jobs.list", "memories.appearances")),
    ),
    "turn of an event, step of a run": Limit(
        field("events.write", "turn", definition="Event"),
        (on("events.write", int, "events", 0, "turn"), on("recall", int, "step")),
    ),
    "content of a file": Limit(types.MAX_TEXT_BYTES, (on("files.put", words, "content"),)),
    "path of a file": Limit(file_paths.MAX_PATH_BYTES, (on("files.put", words, "path"),)),
    "version of a file": Limit(field("files.put", "if_version"), (on("files.get", int, "version"),)),
    "title of a document": Limit(types.MAX_VALUE_BYTES, (on("knowledge.put", words, "title"),)),
    "version of a document": Limit(field("knowledge.put", "version"), (on("knowledge.put", int, "version"),)),
    "version that a write of working memory asks for (`if_version`)": Limit(
        field("working.put", "if_version"), (on("working.put", int, "if_version"),)
    ),
    "life of a key of working memory": Limit(
        field("working.put", "ttl_seconds"), (on("working.put", int, "ttl_seconds"),)
    ),
}  # fmt: skip
LIMITS |= {row: Limit(*limit) for row, limit in THREADS.items()}
LIMITS |= LIMITS_OF_STORE
# What the page says of these is tried elsewhere or below.
NUMBERS: dict[str, int | float] = {
    "body, counted while it comes in": reading.MAX_BODY_BYTES,  # test_input_bodies
    "text of a document": types.MAX_DOCUMENT_BYTES,  # integration/test_knowledge
    "request line and headers, after the first piece of them": protocol.MAX_HEAD_BYTES,  # test_input_connections
    "number with a fraction or exponent": 1.7976931348623157e308,  # test_input_bodies
    "`Idempotency-Key`": 255,
    "time that an idempotency key holds": KEPT_FOR.total_seconds() / 3600,  # integration/test_idempotency
    "`X-Request-Id`": app.MAX_REQUEST_ID,
    "faults that one answer tells": operation.MOST_FAULTS,
    "cursor": paging.MAX_CURSOR,
    "versions of a file that are kept": MOST_VERSIONS,  # integration/test_files
    "faults that nobody confirmed, preferences, or patterns that a plan tells": analysis_prior.MOST_ALIKE,  # integration/test_plan_bounds
    "characters of a fault that nobody confirmed, in a plan": analysis_prior.MOST_CHARACTERS,  # integration/test_plan_bounds
    **NUMBERS_OF_STORE,
}  # fmt: skip
SETTINGS = {  # test_input_operator
    "requests of one key to one API process": "rate_limit_key",
    "requests of all keys of a tenant to one API process": "rate_limit_tenant",
    "text and metadata of one user": "quota_user_mib",
    "text and metadata of a tenant": "quota_tenant_mib",
    "free space that is kept on the disk of the embedded server": "disk_reserve_mib",
    "database connections of one API process": "pool_size",
}


def number(cell: str) -> float:
    """The number that a cell begins with."""
    found = re.match(r"[\d,]+(\.\d+)?(e\d+)?", cell)
    assert found is not None, cell
    return float(found.group().replace(",", ""))


def test_every_row_is_here() -> None:
    assert set(ROWS) == set(LIMITS) | set(NUMBERS) | set(SETTINGS)


@pytest.mark.parametrize("row", [*LIMITS, *NUMBERS])
def test_the_page_says_what_the_code_says(row: str) -> None:
    most = LIMITS[row].most if row in LIMITS else NUMBERS[row]
    assert number(ROWS[row][1]) == most


@pytest.mark.parametrize("row", SETTINGS)
def test_the_page_says_the_defaults(row: str) -> None:
    _, setting, default, _ = ROWS[row]
    name = SETTINGS[row]
    assert setting == f"`MUNIMENT_{name.upper()}`"
    value = Settings.model_fields[name].default
    assert default.removesuffix(" MiB") == ("none" if value is None else str(value))


def call(http: httpx.Client, name: str, more: dict[str, Any]) -> Answer:
    """One call, with what it needs besides."""
    return over_http(http, REGISTRY[name], NEEDED[name] | more)


@pytest.mark.parametrize("row", LIMITS)
def test_at_the_limit_and_beyond(http: httpx.Client, row: str) -> None:
    limit = LIMITS[row]
    call(http, "events.write", {})
    for name, more, pointer in limit.calls:
        at = call(http, name, more(limit.most))
        assert at.code in (None, "not_found", "conflict", "turn_conflict"), (name, at)
        beyond = call(http, name, more(limit.most + 1))
        assert beyond.code == limit.code, (name, beyond)
        assert beyond.pointers == (pointer,), (name, beyond)


def test_nothing_of_what_was_beyond_is_there(http: httpx.Client) -> None:
    """A call is taken whole or not at all."""
    events = [EVENT | {"turn": at} for at in range(types.MAX_EVENTS + 1)]
    assert call(http, "events.write", {"events": events}).code == "invalid_input"
    events = [*events[:9], EVENT | {"turn": 9, "content": words(types.MAX_TEXT_BYTES + 1)}]
    assert call(http, "events.write", {"events": events}).pointers == ("/events/9/content",)
    assert call(http, "sessions.get", {}).code == "not_found"


@pytest.mark.parametrize(
    ("given", "status"),
    [("k" * 255, 200), ("k" * 256, 422), (f'"{"k" * 255}"', 200), (f'"{"k" * 256}"', 422), ("a b", 200), ("k", 200),
     ('""', 422), ('"', 422), ('"a', 422), ('a"', 422), ('a"b', 200), ("\x01", 400), ("", 422)],
)  # fmt: skip
def test_idempotency_keys(http: httpx.Client, given: str, status: int) -> None:
    body = {"value": 1}
    path = "/v1/users/u/sessions/s/working/k"
    answer = http.put(path, json=body, headers=[(b"idempotency-key", given.encode())])
    assert answer.status_code == status, answer.text


def test_two_idempotency_keys_are_none(http: httpx.Client) -> None:
    headers = [("idempotency-key", "a"), ("idempotency-key", "b")]
    answer = http.put("/v1/users/u/sessions/s/working/k", json={"value": 1}, headers=headers)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("given", "kept"), [("x" * 128, True), ("x" * 129, False), ("é", False), ("", False)]
)
def test_request_ids(http: httpx.Client, given: str, kept: bool) -> None:
    headers = [(b"x-request-id", given.encode())]
    answer = http.get("/v1/keys", headers=headers)
    assert (answer.headers["x-request-id"] == given) is kept


def test_faults_that_are_told(http: httpx.Client) -> None:
    events = [EVENT | {"turn": -1}] * 100
    assert len(call(http, "events.write", {"events": events}).pointers) == 20
    unknown = dict.fromkeys((f"x{at}" for at in range(300_000)), 0)
    answer = call(http, "recall", unknown)
    assert answer.pointers == tuple(f"/x{at}" for at in range(20))


def test_a_list_of_a_million_is_refused_as_a_list(http: httpx.Client) -> None:
    """Not member by member, which would hold everybody up for half a minute."""
    for name, more in (
        ("events.write", "events"),
        ("memories.remember", "evidence"),
        ("forget", "ids"),
    ):
        assert call(http, name, {more: [{}] * 1_000_000}).pointers == (f"/{more}",)


@pytest.mark.parametrize("size", [paging.MAX_CURSOR, paging.MAX_CURSOR + 1])
def test_cursors(http: httpx.Client, size: int) -> None:
    for name in ("memories.list", "events.list", "working.list", "keys.list", "jobs.list"):
        answer = call(http, name, {"cursor": "x" * size})
        assert answer.pointers == ("/cursor",)
