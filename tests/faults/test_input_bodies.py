"""Bodies that are not JSON as this service reads it, or too much of it. HTTP only: the SDK cannot
send them; what it can send of the kind is in ``test_input_values.py``.

| body | answer |
|---|---|
| compressed, and so a bomb | 415, unread |
| nested 65, 10,000, 200,000 deep | 400 |
| NaN, Infinity, 1e5000, 1e131000, 1,001 digits | 400 |
| the same key twice, at any depth, escaped or by repair | 400 |
| a byte-order mark, UTF-16, UTF-32, Latin-1, overlong, surrogates as bytes, a raw NUL | 400 |
| more than 4 MiB, in one piece, in chunks, or only announced | 413 |
| no object; an unknown field; a field of the path again | 422 there |
"""

import gzip
import json
import zlib
from collections.abc import Iterator

import httpx
import pytest

pytest_plugins = ["tests.faults.input_service"]
EVENTS = "/v1/users/u/sessions/s/events"
JSON = {"content-type": "application/json"}


def event(content: str = '"x"', more: str = "") -> str:
    """The text of a body with one event, whose content is written as given."""
    turn = f'"turn":0,"role":"user","occurred_at":"2026-05-26T12:00:00Z","content":{content}{more}'
    return f'{{"events":[{{{turn}}}]}}'


def metadata(text: str) -> str:
    """The text of a body with one event, whose metadata is written as given."""
    return event(more=f',"metadata":{{"k":{text}}}')


MALFORMED: dict[str, bytes] = {
    "depth 65": metadata("[" * 61 + "]" * 61).encode(),
    "depth 10,000": metadata("[" * 10_000 + "]" * 10_000).encode(),
    "depth 200,000": metadata("[" * 200_000 + "]" * 200_000).encode(),
    "depth 200,000 of objects": metadata('{"a":' * 200_000 + "1" + "}" * 200_000).encode(),
    "brackets that never close": b"[" * 1_000_000,
    "NaN": metadata("NaN").encode(),
    "Infinity": metadata("Infinity").encode(),
    "-Infinity": metadata("[-Infinity]").encode(),
    "1e5000": metadata("1e5000").encode(),
    "1e131000": metadata("-1e131000").encode(),
    "1,001 digits": metadata("9" * 1001).encode(),
    "a million digits": metadata("9" * 1_000_000).encode(),
    "the same key twice": b'{"events":[],"events":[]}',
    "the same key twice inside": metadata('{"a":1,"a":1}').encode(),
    "the same key escaped": metadata('{"a":1,"\\u0061":2}').encode(),
    "the same key once repaired": metadata('{"a\\u0000":1,"a\\ud800":2}').encode(),
    "a byte-order mark": b"\xef\xbb\xbf" + event().encode(),
    "UTF-16": event().encode("utf-16"),
    "UTF-16, little": event().encode("utf-16-le"),
    "UTF-16, big": event().encode("utf-16-be"),
    "UTF-32": event().encode("utf-32"),
    "Latin-1": event('"é"').encode("latin-1"),
    "overlong": event('"%s"').encode() % b"\xc0\xaf",
    "a surrogate as bytes": event('"%s"').encode() % b"\xed\xa0\x80",
    "cut in a character": event('"%s"').encode() % b"\xe2\x82",
    "a raw NUL": event('"a\x00b"').encode(),
    "a raw control": event('"a\nb"').encode(),
    "a NUL behind it": event().encode() + b"\x00",
    "two of them": event().encode() * 2,
    "cut off": event().encode()[:-1],
    "a comment": b"// x\n" + event().encode(),
    "single quotes": b"{'events': []}",
    "Python": b"{'a': None, 'b': True}",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_json(http: httpx.Client, name: str) -> None:
    answer = http.post(EVENTS, content=MALFORMED[name], headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_body"), answer.text
    assert http.get("/v1/users/u/sessions/s").status_code == 404


def test_what_is_just_json(http: httpx.Client) -> None:
    """The other side of each border."""
    deep = "[" * 59 + "]" * 59
    text = f'[{deep},{"9" * 1000},1.7976931348623157e308,1e-5000,{{"a":1,"A":2}},"\\u00e9"]'
    answer = http.post(EVENTS, content=metadata(text).encode(), headers=JSON)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("coding", ["gzip", "deflate", "GZIP", "identity, gzip"])
def test_compressed(http: httpx.Client, coding: str) -> None:
    """64 MiB in 64 KiB, and nobody unpacks it."""
    raw = b" " * (64 * 2**20)
    bomb = zlib.compress(raw) if coding == "deflate" else gzip.compress(raw)
    headers = {**JSON, "content-encoding": coding}
    answer = http.post(EVENTS, content=bomb, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media")


@pytest.mark.parametrize(
    "media", ["text/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_other_media(http: httpx.Client, media: str) -> None:
    answer = http.post(EVENTS, content=event().encode(), headers={"content-type": media})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media")


def pieces(size: int) -> Iterator[bytes]:
    """A body of so many bytes, in chunks."""
    body = event()
    yield body[:-1].encode()
    for _ in range((size - len(body)) // 65536):
        yield b" " * 65536
    yield b" " * ((size - len(body)) % 65536) + b"}"


MOST = 4 * 2**20


def test_a_body_in_chunks_at_the_limit(http: httpx.Client) -> None:
    assert http.post(EVENTS, content=pieces(MOST), headers=JSON).status_code == 200


def test_a_body_in_chunks_beyond_it(http: httpx.Client) -> None:
    answer = http.post(EVENTS, content=pieces(MOST + 1), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    whole = b"".join(pieces(MOST + 1))
    answer = http.post(EVENTS, content=whole, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ("[]", ""),
        ('"x"', ""),
        ("1", ""),
        ("null", ""),
        (event()[:-1] + ',"x":1}', "/x"),
        (event(more=',"x":1'), "/events/0/x"),
        (event(more=',"Content":"x"'), "/events/0/Content"),
        (event(more=',"tenant_id":"x"'), "/events/0/tenant_id"),
        (event()[:-1] + ',"tenant_id":"x"}', "/tenant_id"),
        (event()[:-1] + ',"a~/b":1}', "/a~0~1b"),
        (event()[:-1] + ',"user_id":"u"}', "/user_id"),
    ],
)
def test_fields_that_are_none(http: httpx.Client, body: str, pointer: str) -> None:
    answer = http.post(EVENTS, content=body.encode(), headers=JSON)
    assert answer.status_code == 422, answer.text
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize("number", ["1" + "0" * 30, "-1", "0", "1.0", "1e3", "0x10", "9" * 5000])
def test_path_numbers_out_of_range(http: httpx.Client, number: str) -> None:
    answer = http.get(f"/v1/jobs/{number}")
    assert answer.status_code == 422, answer.text
    assert [one["pointer"] for one in answer.json()["errors"]] == ["/job_id"]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("limit=1&limit=2", "/limit"),
        ("limit=%FF", "/limit"),
        ("limit=%ZZ", "/limit"),
        ("%FF=1", ""),
        ("limit=", "/limit"),
        ("limit=1.0", "/limit"),
        ("limit=true", "/limit"),
        ("limit=NaN", "/limit"),
        ("limit=" + "9" * 5000, "/limit"),
        ("limit=" + "[" * 3000, "/limit"),
        ("tenant_id=x", "/tenant_id"),
        ("a~/b=1", "/a~0~1b"),
        ("cursor=%00", "/cursor"),
        ("cursor=%ED%A0%80", "/cursor"),
    ],
)
def test_queries_that_are_none(http: httpx.Client, query: str, pointer: str) -> None:
    answer = http.get(f"/v1/keys?{query}")
    assert answer.status_code == 422, answer.text
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_a_filter_in_a_query_is_json_of_the_same_kind(http: httpx.Client) -> None:
    for text in ('{"kind":"a","kind":"b"}', '{"turn":NaN}', '{"metadata.k":1e5000}', "[" * 100):
        answer = http.get("/v1/memories", params={"user_id": "u", "filter": text})
        assert answer.status_code == 422, answer.text
        assert answer.json()["errors"][0]["pointer"] == "/filter"
    repaired = json.dumps({"metadata.a\x00": 1, "metadata.a\ud800": 2})
    answer = http.get("/v1/memories", params={"user_id": "u", "filter": repaired})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
