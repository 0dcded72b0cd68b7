"""Secrets in a text (RULES 10): what is one, what only looks like one, and the work that it takes.

| text | becomes |
|---|---|
| a key or token of a known format, wherever it stands | a marker with its kind; the rest stays |
| a value under a name of secrets: `password=...`, `"api_key": "..."`, "my password is ..." | the same |
| a password in an address, a token in a header | the same |
| a private key, from its first line to its last, or as far as it goes | one marker |
| a card number: issuer, length and check digit are right | the same |
| a UUID, a digest, a long number, an article number, a word in base 64, a remark about a password | as it was |
| a form to fill in, a reference to where the secret is | as it was |
| what was redacted before | as it was |
| any text | never longer than what may be stored; no secret in it is left |

The examples are no secrets: made up, and put together so that no scanner takes them for some.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.providers.redactor import SecretRedactor
from muniment.records.credentials import new_token
from muniment.records.secrets import Cleaner
from muniment.replay.held import SeededEntropy
from tests.support.growth import grows_linearly

REDACTOR = SecretRedactor()
LETTERS = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC"


def some(count: int, alphabet: str = LETTERS) -> str:
    """So many characters that look random."""
    return "".join(alphabet[(at * 7 + at // 5) % len(alphabet)] for at in range(count))


def b64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


HEX = "0123456789abcdef"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
JWT = f"{b64({'alg': 'HS256', 'typ': 'JWT'})}.{b64({'sub': 'nora', 'iat': 1})}.{some(43)}"
KEYS = {
    "aws-key": ["AK" + "IA" + some(16, UPPER), "AS" + "IA" + some(16, UPPER)],
    "github-token": ["gh" + "p_" + some(36), "github" + "_pat_" + some(60)],
    "gitlab-token": ["gl" + "pat-" + some(20)],
    "slack-token": ["xo" + "xb-" + "123456789012-123456789012-" + some(24)],
    "stripe-key": [
        "sk" + "_live_" + some(24),
        "sk" + "_test_" + some(30),
        "wh" + "sec_" + some(32),
    ],
    "openai-key": ["sk" + "-" + some(20) + "T3BlbkFJ" + some(20), "sk" + "-proj-" + some(48)],
    "anthropic-key": ["sk" + "-ant-api03-" + some(60)],
    "google-key": ["AI" + "za" + some(35)],
    "npm-token": ["np" + "m_" + some(36)],
    "pypi-token": ["py" + "pi-AgEIcHlwaS5vcmc" + some(80)],
    "sendgrid-key": ["SG" + "." + some(22) + "." + some(43)],
    "square-secret": ["sq0" + "csp-" + some(43)],
    "twilio-key": ["SK" + some(32, HEX)],
    "telegram-token": ["123456789" + ":" + some(35)],
    "mailchimp-key": [some(32, HEX) + "-us12"],
    "huggingface-token": ["hf" + "_" + some(34, "abcDEFghiJKL")],
    "vault-token": ["hv" + "s." + some(24)],
    "digitalocean-token": ["do" + "p_v1_" + some(64, HEX)],
    "jwt": [JWT],
    "muniment-key": [str(new_token(UUID(int=7), UUID(int=9), SeededEntropy("redaction")))],
}
each_key = pytest.mark.parametrize(
    ("kind", "key"), [(kind, key) for kind, keys in KEYS.items() for key in keys]
)
BLOCK = "PRIVATE KEY-----"
PRIVATE_KEY = f"-----BEGIN RSA {BLOCK}\n{some(64)}\n{some(64)}\n{some(20)}==\n-----END RSA {BLOCK}"


@each_key
@pytest.mark.parametrize(
    "around",
    [
        "{}", "Use {} for the upload.", "key={}", "({})", '{{"key": "{}"}}', "the key's {}, ok?",
        "first\n{}\nlast", "Authorization: Bearer {}", "https://api.example/?key={}&v=2", "«{}»",
    ],
)  # fmt: skip
def test_a_key_of_a_known_format(kind: str, key: str, around: str) -> None:
    found = REDACTOR.redact(around.format(key))
    assert found.text == around.format(f"[redacted: {kind}]")
    assert found.kinds == (kind,)


@each_key
def test_it_is_found_twice_and_beside_others(kind: str, key: str) -> None:
    other = "gh" + "o_" + some(36)
    found = REDACTOR.redact(f"{key} and {other}, again {key}")
    marks = [f"[redacted: {name}]" for name in (kind, "github-token", kind)]
    assert found.text == "{} and {}, again {}".format(*marks)
    assert found.kinds == tuple(dict.fromkeys((kind, "github-token")))


PASSWORD, SECRET = "[redacted: password]", "[redacted: secret]"
VALUE = some(24)


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("password=swordfish", f"password={PASSWORD}"),
        ("password: hunter2", f"password: {PASSWORD}"),
        ("Password : Tr0ub4dor&3 works", f"Password : {PASSWORD} works"),
        ('{"password": "correct-horse"}', f'{{"password": "{PASSWORD}"}}'),
        ('{\\"password\\": \\"hunter2\\"}', f'{{\\"password\\": \\"{PASSWORD}\\"}}'),
        ("my password is hunter2.", f"my password is {PASSWORD}."),
        ("The passcode is 482913, thanks", f"The passcode is {PASSWORD}, thanks"),
        ("DB_PASSWORD_PROD=hunter2", f"DB_PASSWORD_PROD={PASSWORD}"),
        ("Server=db;User Id=sa;Password=p4ss!word;Database=x", f"Server=db;User Id=sa;Password={PASSWORD};Database=x"),
        ("host=db user=nora password=p4ss dbname=x", f"host=db user=nora password={PASSWORD} dbname=x"),
        ("jdbc:x://h/d?user=a&password=p4ss&ssl=true", f"jdbc:x://h/d?user=a&password={PASSWORD}&ssl=true"),
        ("pwd := 'hunter2'", f"pwd := '{PASSWORD}'"),
        (f"api_key: {VALUE}", f"api_key: {SECRET}"),
        (f"API key = {VALUE}", f"API key = {SECRET}"),
        (f'"client_secret" => "{VALUE}"', f'"client_secret" => "{SECRET}"'),
        (f"AWS_SECRET_ACCESS_KEY={some(40)}", f"AWS_SECRET_ACCESS_KEY={SECRET}"),
        (f"AccountKey={some(86)}==;x", f"AccountKey={SECRET};x"),
        (f"//registry.example/:_authToken={VALUE}", f"//registry.example/:_authToken={SECRET}"),
        (f"the access token is {VALUE}", f"the access token is {SECRET}"),
        ("postgres://nora:hunter2@db.example/x", f"postgres://nora:{PASSWORD}@db.example/x"),
        ("redis://:p%40ss@10.0.0.1:6379/0", f"redis://:{PASSWORD}@10.0.0.1:6379/0"),
        ("https://u:p$!,x@h/ and more", f"https://u:{PASSWORD}@h/ and more"),
        (f"curl -H 'Authorization: Basic {b64('nora:hunter2-and-more')}='", "curl -H 'Authorization: Basic [redacted: token]'"),
        (f"Authorization: Bearer {VALUE}", "Authorization: Bearer [redacted: token]"),
        ("https://hooks.slack.com/" + f"services/T{some(8)}/B{some(8)}/{some(24)} pings us", "[redacted: slack-webhook] pings us"),
    ],
)  # fmt: skip
def test_what_stands_under_a_name_of_secrets(text: str, becomes: str) -> None:
    found = REDACTOR.redact(text)
    assert found.text == becomes
    assert len(found.kinds) == 1


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        (f"Here:\n{PRIVATE_KEY}\nThanks!", "Here:\n[redacted: private-key]\nThanks!"),
        (PRIVATE_KEY.replace("\n", "\\n"), "[redacted: private-key]"),
        (PRIVATE_KEY.partition("-----END")[0] + "that was it", "[redacted: private-key]\nthat was it"),
        (f"-----BEGIN ENCRYPTED {BLOCK}\n{some(64)}\n-----END ENCRYPTED {BLOCK} ok", "[redacted: private-key] ok"),
        (f"{PRIVATE_KEY}\nand\n{PRIVATE_KEY}", "[redacted: private-key]\nand\n[redacted: private-key]"),
        (f"-----BEGIN PUBLIC KEY-----\n{some(64)}\n-----END PUBLIC KEY-----", None),
        (f"PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1\n{some(64)}\nPrivate-MAC: {some(40, HEX)}", "[redacted: private-key]"),
    ],
)  # fmt: skip
def test_private_keys(text: str, becomes: str | None) -> None:
    assert REDACTOR.redact(text).text == (text if becomes is None else becomes)


def card(prefix: str, length: int) -> str:
    """A number with this beginning and the right check digit."""
    for last in "0123456789":
        number = prefix + "123456789012345678"[: length - len(prefix) - 1] + last
        digits = [int(one) for one in number[::-1]]
        twice = [sum(divmod(2 * one, 10)) for one in digits[1::2]]
        if (sum(digits[::2]) + sum(twice)) % 10 == 0:
            return number
    raise AssertionError


@pytest.mark.parametrize(
    ("prefix", "length"),
    [("4", 16), ("4", 19), ("51", 16), ("2221", 16), ("2720", 16), ("34", 15), ("37", 15), ("6011", 16),
     ("645", 16), ("36", 14), ("302", 14), ("3530", 16), ("62", 16), ("62", 19), ("6759", 16)],
)  # fmt: skip
def test_a_card_number(prefix: str, length: int) -> None:
    number = card(prefix, length)
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    for around in ("{}", "My card is {}.", "Ann,{},12/29", "card:{}", "({})"):
        assert REDACTOR.redact(around.format(number)).text == around.format(
            "[redacted: card-number]"
        )
        assert REDACTOR.redact(around.format(wrong)).kinds == ()


@pytest.mark.parametrize("gap", [" ", "-", ".", "\u00a0"])
def test_a_card_number_in_groups(gap: str) -> None:
    visa, amex = card("4", 16), card("37", 15)
    for parts in (
        [visa[at : at + 4] for at in range(0, 16, 4)],
        [amex[:4], amex[4:10], amex[10:]],
    ):
        assert REDACTOR.redact(f"pay with {gap.join(parts)} now").kinds == ("card-number",)
        beside = f"2026 {gap.join(parts)} 12/29 123"
        assert REDACTOR.redact(beside).text == "2026 [redacted: card-number] 12/29 123"
    assert REDACTOR.redact(f"{visa[:4]} {visa[4:8]}-{visa[8:12]} {visa[12:]}").kinds == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "550e8400-e29b-41d4-a716-446655440000",
        "The run 4111a1b2-1234-4234-8234-123456789012 failed.",
        "commit " + some(40, HEX),
        "sha256:" + some(64, HEX),
        "9" * 40,
        "Article 4006381333931 is out of stock.",  # an EAN of 13 digits
        "Order " + card("4", 16)[:-1],
        "Part " + card("9", 16),
        "IMEI " + card("49", 15),
        "at " + "1767225600000" + " milliseconds",
        "x" + card("4", 16),
        card("4", 16) + "0001",
        "0." + card("4", 16),
        base64.b64encode(b"ordinary").decode(),
        base64.b64encode(b"an ordinary sentence of some length, in base 64").decode(),
        "eyJ" + "hIjoxfQ",
        "data:image/png;base64," + base64.b64encode(bytes(range(256))).decode(),
        "The password is wrong.",
        "password: required",
        "Password: none",
        "She forgot her password, and the token expired.",
        "The secret is to rest the dough.",
        "Tokens: 4096 in, 512 out; max_tokens=4096",
        "token: expired",
        "secret: we are moving to Gouda",
        "The key is under the mat.",
        "api_key: <your key>",
        "password=${DB_PASSWORD}",
        "password=$DB_PASSWORD",
        "password={{ password }}",
        "password: ********",
        "password = get_password()",
        "password: /run/secrets/db_password1",
        "The password: ~/.config/pw1, as ever.",
        'password = os.environ["PASSWORD"]',
        "https://example.org:8080/a@b",
        "https://example.org/a:b@c",
        "mailto:nora@example.org",
        "postgres://nora:${PASSWORD}@db/x",
        "ratio 16:9 @ noon",
        "The bearer understands misunderstandings.",
        "EURASIA" + some(20, UPPER),
        "sk-learn-contrib-is-a-long-name-indeed",
        "risk-assessment-and-mitigation-planning",
        "my-very-long-hyphenated-name-of-a-branch-2026-05-01",
        "We met at 10:30, paid 1234 5678 and left at 11.",
        "Ask the token bucket: it refills at 10/s.",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_secret(text: str) -> None:
    assert REDACTOR.redact(text).text == text
    assert REDACTOR.redact(text).kinds == ()


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("password", "swordfish", "password"),
        ("db_password", "x1y2z3", "password"),
        ("apiKey", some(20), "secret"),
        ("access_token", some(20), "secret"),
        ("token_type", "bearer1234567890", None),
        ("tokens", "4096", None),
        ("note", "swordfish", None),
        ("password", "required", None),
        ("secret", "a remark of several words 1", None),
        ("../../etc/passwd", "swordfish", None),
        ("password", "/run/secrets/db_password", None),
    ],
)
def test_a_value_that_stands_under_a_name(name: str, value: str, kind: str | None) -> None:
    found = REDACTOR.redact(value, named=name)
    assert found.kinds == (() if kind is None else (kind,))
    assert (value in found.text) is (kind is None)


CARD = int(card("4", 16))
GONE = "[redacted: password]"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"n": CARD}, {"n": "[redacted: card-number]"}),
        ({"n": [float(CARD), 1]}, {"n": ["[redacted: card-number]", 1]}),
        ({"n": CARD + 1}, {"n": CARD + 1}),
        ({"password": 123456, "count": 123456}, {"password": GONE, "count": 123456}),
        ({"password": True, "passwd": None}, {"password": True, "passwd": None}),
        ({"password": {"value": "swordfish"}}, {"password": {"value": GONE}}),
        ({"password": {"value": 123456}}, {"password": {"value": GONE}}),
        ({"password": [{"old": {"x": "swordfish"}}]}, {"password": [{"old": {"x": GONE}}]}),
        (
            {"password": {"name": "nora", "hint": "fish", "min_length": 1000}},
            {"password": {"name": "nora", "hint": "fish", "min_length": 1000}},
        ),
        ({"note": {"value": "swordfish"}}, {"note": {"value": "swordfish"}}),
        ({"password": {"value": "changeme"}}, {"password": {"value": "changeme"}}),
        ({str(CARD): "Nora"}, {"[redacted: card-number]": "Nora"}),
        ({"a": [{"password=swordfish": {"x": 1}}]}, {"a": [{f"password={GONE}": {"x": 1}}]}),
        (
            {"password=swordfish": 1, "password=goldfish1": 2, f"password={GONE}": 3},
            {f"password={GONE}": 1, f"password={GONE} (2)": 2, f"password={GONE} (3)": 3},
        ),
    ],
)
def test_any_json(given: dict[str, Any], kept: dict[str, Any]) -> None:
    """A number is as secret as its digits; what lies under a name of secrets, as it; a name too."""
    assert Cleaner(REDACTOR).metadata(given) == kept


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ('{"password": {"value": "swordfish"}}', '{"password": {"value": "[redacted: password]"}}'),
        (
            '{"password": {"id": 7,\n "value": "x1y2z3"}}',
            '{"password": {"id": 7,\n "value": "[redacted: password]"}}',
        ),
        ('{\\"password\\": {\\"value\\": \\"x1y2z3\\"}}', None),
        ('{"password": {"hint": "fish"}}', '{"password": {"hint": "fish"}}'),
        (f"paid with {CARD}.0", "paid with [redacted: card-number].0"),
        (f"paid with {CARD}.05", f"paid with {CARD}.05"),
    ],
)
def test_json_within_a_text(text: str, redacted: str | None) -> None:
    found = REDACTOR.redact(text).text
    assert "x1y2z3" not in found
    assert redacted in (None, found)


def every() -> Iterator[str]:
    for keys in KEYS.values():
        yield from keys
    yield from (PRIVATE_KEY, card("4", 16), "password=hunter2", "a://b:c1d2@e")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("password=hunter2 =000", "password=[redacted: password] =000"),
        ("password=hunter2] = 000x", "password=[redacted: password]] = 000x"),
        ("password=[redacted: password]: abc1", "password=[redacted: password]: abc1"),
    ],
)
def test_a_marker_is_no_name(text: str, redacted: str) -> None:
    assert REDACTOR.redact(text).text == redacted
    assert REDACTOR.redact(redacted).text == redacted


@given(
    st.lists(st.sampled_from([*every()]) | st.text(max_size=20), max_size=8),
    st.sampled_from(" \n,"),
)
def test_what_was_redacted_stays_as_it_is(parts: list[str], gap: str) -> None:
    once = REDACTOR.redact(gap.join(parts))
    again = REDACTOR.redact(once.text)
    assert again.text == once.text


@given(
    st.text(max_size=80),
    st.sampled_from([key for keys in KEYS.values() for key in keys]),
    st.text(max_size=80),
)
def test_no_key_is_left_whatever_stands_around_it(before: str, key: str, after: str) -> None:
    found = REDACTOR.redact(f"{before} {key} {after}")
    assert key not in found.text
    assert found.kinds


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    found = REDACTOR.redact(text)
    assert bool(found.kinds) == (found.text != text)


@pytest.mark.parametrize("unit", ["password=a1b ", "password: é1é ", f"{card('36', 14)} "])
def test_markers_do_not_outgrow_what_may_be_stored(unit: str) -> None:
    text = (unit * 65_536).encode()[: 64 * 1024].decode(errors="ignore")
    found = REDACTOR.redact(text)
    assert found.kinds
    assert unit.strip() not in found.text
    assert len(found.text.encode()) <= 64 * 1024


@pytest.mark.parametrize(
    "unit",
    ["a ", "eyJ", "eyJ.", "eyJhIjoxfQ.", "sk-", "sk-" + some(20) + " ", "password ", "password:", "api_key: ",
     "password=x ", "token is ", "secret secret: ", "://", "://a:", ":", "-----BEGIN PRIVATE KEY-----",
     "-----BEGIN A PRIVATE KEY-----\nAAAA", "PuTTY-User-Key-File-2", "AKIA", "1234 ", "4111 1111 1111 1111 ", "4",
     "1-", "xoxb-1-", "ghp_", "glagent-", "AC" + some(32, HEX) + " ", "123456789:", "MNOa", "bearer ", "mnm_",
     "authorization: basic ", "ya29.", "T3BlbkFJ", "sk-T3BlbkFJ", "&a=", "password=&a", "\\", "\"password\"", "é", "\ud800"],
)  # fmt: skip
def test_work_on_64_kib_is_bounded(unit: str) -> None:
    text = (unit * 65_536)[:65_536]
    assert grows_linearly(lambda size: REDACTOR.redact(text[:size]), 65_536)
