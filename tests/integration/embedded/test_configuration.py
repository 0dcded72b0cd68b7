"""The text of the configuration files."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import StartRefused
from muniment.postgres.embedded import Layout, Tuning
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.configuration import (
    INCLUDE,
    access_text,
    map_text,
    quoted,
    settings_text,
    with_include,
)

LAYOUT = Layout.of(Path('/srv/it\'s a "data" dir'))


def unquoted(text: str) -> str:
    """What the server reads: the rules of its DeescapeQuotedString, written down again."""
    body = text[1:-1]
    return re.sub(r"''|\\(.)", lambda found: found[1] or "'", body)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0")))
def test_a_quoted_value_is_one_token_that_reads_back(value: str) -> None:
    assert re.fullmatch(r"'([^'\\\n]|\\.|'')*'", quoted(value))
    assert unquoted(quoted(value)) == value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"\n{INCLUDE}\n"),
        ("a = 1\n", f"a = 1\n{INCLUDE}\n"),
        (f"a = 1\n{INCLUDE}\n", f"a = 1\n{INCLUDE}\n"),
        (f"{INCLUDE}\n# only a remark\n", f"{INCLUDE}\n# only a remark\n"),
        (f"{INCLUDE}\nlog_statement = 'all'\n", f"{INCLUDE}\nlog_statement = 'all'\n{INCLUDE}\n"),
        (f"# {INCLUDE}\n", f"# {INCLUDE}\n{INCLUDE}\n"),
    ],
)
def test_our_include_is_the_last_statement(before: str, after: str) -> None:
    assert with_include(before) == after
    assert with_include(after) == after


def test_what_must_not_change_comes_after_the_operators_file() -> None:
    text = settings_text(LAYOUT, Tuning())
    tunable, _, fixed = text.partition("include_if_exists 'operator.conf'")
    assert "shared_buffers = '256MB'" in tunable
    for line in (
        "fsync = 'on'",
        "full_page_writes = 'on'",
        "synchronous_commit = 'on'",
        "wal_compression = 'off'",
        "listen_addresses = ''",
        "log_min_messages = 'log'",
        "log_min_error_statement = 'panic'",
        "log_error_verbosity = 'terse'",
        "log_parameter_max_length_on_error = '0'",
        "allow_alter_system = 'off'",
    ):
        assert f"\n{line}\n" in fixed


def test_fsync_is_off_only_when_asked() -> None:
    assert Tuning().durable
    assert "fsync = 'off'" in settings_text(LAYOUT, Tuning(durable=False))


@pytest.mark.parametrize(
    ("account", "peers", "method"),
    [
        (Account(1000, 1000, "ann"), ("ann",), "peer map=muniment"),
        (Account(1000, 1000, r"CORP\ann lee"), (r"CORP\ann lee",), "peer map=muniment"),
        (Account(999, 999, "muniment", drop=True), ("muniment", "root"), "peer map=muniment"),
        (Account(54321, 0, None), (), "scram-sha-256"),
        (Account(1000, 1000, "/pattern"), (), "scram-sha-256"),
        (Account(1000, 1000, 'quo"te'), (), "scram-sha-256"),
    ],
)
def test_who_may_log_in_and_how(account: Account, peers: tuple[str, ...], method: str) -> None:
    assert account.peers() == peers
    rules = [line for line in access_text(account).splitlines() if not line.startswith("#")]
    assert rules == [
        f"local all muniment_admin,muniment_app,muniment_worker {method}",
        f"local replication muniment_admin {method}",
        "local all all reject",
        "local replication all reject",
    ]
    names = [line.split('"')[1] for line in map_text(peers).splitlines()[1:]]
    assert sorted(set(names)) == sorted(peers)


@pytest.mark.parametrize("name", ["/.*", 'a"b', "a\nb"])
def test_a_name_that_would_be_a_pattern_never_gets_into_the_map(name: str) -> None:
    with pytest.raises(StartRefused):
        map_text([name])
