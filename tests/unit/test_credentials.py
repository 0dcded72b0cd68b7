"""API keys: a token is what it was made as, letter for letter, and anything else is refused alike."""

import hashlib
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import Unauthenticated
from muniment.records.credentials import KeyGrant, Token, key_values, new_token, read_token

tokens = st.builds(Token, st.uuids(), st.uuids(), st.binary(min_size=32, max_size=32))
ANY_TEXT = st.text(st.characters(exclude_categories=()))
NOW = datetime(2026, 5, 26, tzinfo=UTC)


class Counting:
    """Entropy that can be told apart."""

    def bytes(self, count: int) -> bytes:
        return bytes(range(count))


@given(tokens)
def test_a_token_is_read_back(token: Token) -> None:
    assert read_token(str(token)) == token
    assert str(read_token(str(token))) == str(token)


@given(tokens)
def test_a_token_travels_in_a_header(token: Token) -> None:
    text = str(token)
    assert text.startswith("mnm_")
    assert text.isascii()
    assert text == text.lower()
    assert text.replace("_", "").isalnum()
    assert len(text) == 4 + 52 + 1 + 52


def test_a_new_token_has_a_secret_of_its_own() -> None:
    token = new_token(UUID(int=1), UUID(int=2), Counting())
    assert (token.tenant_id, token.key_id) == (UUID(int=1), UUID(int=2))
    assert token.secret == bytes(range(32))


@given(tokens)
def test_what_is_stored_is_the_hash_alone(token: Token) -> None:
    assert token.secret_hash == hashlib.sha256(token.secret).digest()
    grant = KeyGrant("ops", ["read"], ["semantic"], ["user"], "u", NOW)
    stored = key_values(token, grant, now=NOW, created_by=UUID(int=7))
    assert stored["secret_hash"] == token.secret_hash
    assert token.secret not in stored.values()
    assert str(token) not in map(str, stored.values())
    assert (stored["key_id"], stored["created_by"]) == (token.key_id, UUID(int=7))
    assert (stored["verbs"], stored["layers"], stored["roles"]) == (
        ["read"],
        ["semantic"],
        ["user"],
    )
    assert (stored["principal"], stored["user_id"], stored["expires_at"]) == ("ops", "u", NOW)


def refused(text: str) -> bool:
    try:
        read_token(text)
    except Unauthenticated as error:
        return error.detail == Unauthenticated.title and not error.faults
    return False


GOOD = str(Token(UUID(int=1), UUID(int=2), bytes(range(32))))
HEAD, IDS, SECRET = GOOD.split("_")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "mnm_", "mnm__", "mnm", "_", "Bearer " + GOOD, GOOD + " ", " " + GOOD, GOOD + "\n",
        GOOD.upper(), GOOD.replace("mnm_", "MNM_"), GOOD.removeprefix("mnm_"), "mnm_" + GOOD,
        f"mnm_{IDS}", f"mnm_{IDS}_", f"mnm__{SECRET}", f"mnm_{SECRET}{IDS}", f"mnm_{IDS}__{SECRET}",
        f"mnm_{IDS}_{SECRET}_", f"mnm_{IDS}_{SECRET}=", f"mnm_{IDS}===={SECRET}",
        f"mnm_{IDS}_{SECRET}a", f"mnm_{IDS}_{SECRET}aaaaaaaa", f"mnm_{IDS}_{SECRET[:-1]}",
        f"mnm_{IDS[:-8]}_{SECRET}", f"mnm_{IDS}_{SECRET[:-1]}1", f"mnm_{IDS}_{SECRET[:-1]}é",
        f"mnm_{IDS}_{SECRET[:-1]}ſ", f"mnm_{IDS}_{SECRET[:-1]}\x00", f"mnm_{IDS}_{SECRET[:-1]}\ud800",
        f"mnm_{'=' * 52}_{'=' * 52}", f"mnm_{'a' * 100_000}_{'a' * 100_000}",
        # The last letter of a part has bits to spare; a token has one spelling all the same.
        f"mnm_{IDS[:-1]}{chr(ord(IDS[-1]) + 1)}_{SECRET}",
    ],
)  # fmt: skip
def test_what_is_no_token(text: str) -> None:
    assert refused(text)


@given(ANY_TEXT | ANY_TEXT.map("mnm_".__add__))
def test_any_text_is_refused_and_nothing_else_is_raised(text: str) -> None:
    assert refused(text)


@given(tokens, st.data())
def test_a_changed_letter_is_another_token_or_none(token: Token, data: st.DataObject) -> None:
    text = str(token)
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(exclude_categories=()) | st.sampled_from("az27=_ A"))
    changed = text[:place] + letter + text[place + 1 :]
    if changed == text:
        return
    assert refused(changed) or (
        read_token(changed) != token and str(read_token(changed)) == changed
    )


@given(tokens, st.data())
def test_a_token_cut_short_or_longer_is_none(token: Token, data: st.DataObject) -> None:
    text = str(token)
    cut = data.draw(st.integers(0, len(text) - 1))
    assert refused(text[:cut])
    assert refused(text + data.draw(ANY_TEXT.filter(bool)))


def test_a_refusal_does_not_quote() -> None:
    with pytest.raises(Unauthenticated) as caught:
        read_token("mnm_hunter2_hunter2")
    assert "hunter2" not in f"{caught.value} {caught.value.detail}"
    assert caught.value.__cause__ is None
