"""A setting that cannot work stops the command: one sentence with its cure, exit status 2.

Wrong type, out of range, empty, of another form, and a name that is none. What only the start of a
process can find (a file, an address, a database's URL) is in tests/e2e/test_start.py.
"""

import sys

import pytest

from muniment.errors import BadSetting
from muniment.settings import Settings, read_settings, variable_of
from muniment.surfaces.cli.main import main

NOT_WHOLE = ("x", "1.5", "1e3", "tcp://10.0.0.1:7300", "0x10")
NOT_A_NUMBER = ("x", "nan", "inf", "-inf", "1,5")
BAD = {
    "data_dir": ("a\nb", "a\x1bb"),
    "host": (),
    "port": (*NOT_WHOLE, "-1", "65536", "9" * 40),
    "url": ("x", "localhost:7300", "ftp://h", "http://", "http://[::1", "http://h:99999", "http://h:0", "http://é"),
    "api_key": ("mnm_é", "a\nb"),
    "database_url": (),
    "worker_database_url": ("postgresql://somewhere/x",),
    "admin_database_url": (),
    "read_database_url": (),
    "audit_key_file": (),
    "audit_heads_file": (),
    "erasure_ledger_file": (),
    "scrub_after_hours": ("-1", "25", "x", "nan"),
    "database_wait_seconds": (*NOT_A_NUMBER, "-1", "86401"),
    "prepared_statements": ("x", "2", "None"),
    "pool_size": (*NOT_WHOLE, "0", "501"),
    "partitions": (*NOT_WHOLE, "0", "1025"),
    "index_cache_mib": (*NOT_WHOLE, "0", "-1", "9" * 20),
    "policy_file": (),
    "tokenizer_file": (),
    "worker_concurrency": (*NOT_WHOLE, "0", "65"),
    "worker_nice": (*NOT_WHOLE, "-1", "20"),
    "rate_limit_key": (),
    "rate_limit_tenant": (),
    "quota_user_mib": (*NOT_WHOLE, "0", "-1", "9" * 20),
    "quota_tenant_mib": (*NOT_WHOLE, "0", "-1", "9" * 20),
    "disk_reserve_mib": (*NOT_WHOLE, "-1", "9" * 20),
    "extractor": ("model", "LLM", "none"),
    "llm_provider": ("azure", "OpenAI"),
    "llm_url": ("x", "localhost:8000", "ftp://h", "http://", "http://h:0", "http://u:p@h/v1", "http://u@h"),
    "llm_model": ("a\nb", "x" * 201),
    "llm_api_key": ("sk-é", "a\nb"),
    "llm_output": ("json", "tool"),
    "llm_timeout_seconds": (*NOT_A_NUMBER, "0", "-1", "3601"),
    "llm_context_tokens": (*NOT_WHOLE, "3999", "-1", "9" * 20),
    "llm_output_tokens": (*NOT_WHOLE, "255", "-1", "9" * 20),
    "llm_tokens_per_hour": (*NOT_WHOLE, "0", "-1", "9" * 20),
    "embedding_models": (),
    "reranker_model": (),
    "reranker_first": (*NOT_WHOLE, "1", "101"),
    "reranker_seconds": (*NOT_A_NUMBER, "0", "-1", "61"),
    "worker_heartbeat_seconds": (*NOT_A_NUMBER, "0", "-1", "1e9"),
    "mcp_hosts": ("http://a", "a b", "a,,b", ",", "é", "a/b"),
    "mcp_graph": ("maybe", "2", "x"),
    "compat_mem0": ("maybe", "2", "x"),
    "mcp_conformance": ("maybe", "2", "x"),
    "kill_at": ("p:0", "p:x", "p:-1", ":1", "p:1:2"),
    "clock_shift_seconds": (*NOT_A_NUMBER, "1e300", "-1e300"),
    "log_level": ("loud", "INFO", "warn"),
}  # fmt: skip
EMPTY_IS_A_VALUE = {"rate_limit_key", "rate_limit_tenant"}
CASES = [(name, value) for name, values in BAD.items() for value in values]
CASES += [(name, empty) for name in BAD if name not in EMPTY_IS_A_VALUE for empty in ("", " ")]


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(variable_of(name), raising=False)


def is_one_sentence_with_a_cure(error: BadSetting) -> bool:
    """What is wrong, then what to do, without the words of a library."""
    said = f"{error.problem} {error.cure}"
    foreign = ("pydantic", "Traceback", "validation", "Input should", "\n")
    whole = error.problem.endswith(".") and error.cure.endswith(".")
    return whole and not any(word in said for word in foreign)


def test_every_setting_is_in_the_table() -> None:
    assert set(BAD) == set(Settings.model_fields)


@pytest.mark.parametrize(("name", "value"), CASES)
def test_a_value_that_cannot_work(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(variable_of(name), value)
    with pytest.raises(BadSetting, match=variable_of(name)) as refused:
        read_settings()
    assert is_one_sentence_with_a_cure(refused.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("MUNIMENT_PROT", "MUNIMENT_PORT"),
        ("MUNIMENT_DATABSE_URL", "MUNIMENT_DATABASE_URL"),
        ("MUNIMENT_DB_URL", "MUNIMENT_URL"),
        ("MUNIMENT_DATADIR", "MUNIMENT_DATA_DIR"),
        ("MUNIMENT_LOGLEVEL", "MUNIMENT_LOG_LEVEL"),
        ("MUNIMENT_", "MUNIMENT_"),
        ("MUNIMENT_SERVICE_HOST", "MUNIMENT_"),
    ],
)
def test_a_name_that_is_no_setting(monkeypatch: pytest.MonkeyPatch, name: str, meant: str) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(BadSetting, match=f"{name} is not a setting") as refused:
        read_settings()
    assert f"Did you mean {meant}" in refused.value.cure
    assert is_one_sentence_with_a_cure(refused.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"data_dir": ""}, "--data is empty"),
        ({"host": ""}, "--host is empty"),
        ({"port": 65536}, "--port must be 65535 or less"),
        ({"port": -1}, "--port must be 0 or more"),
    ],
)
def test_options_are_named_as_they_were_given(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadSetting, match=said) as refused:
        read_settings(options)
    assert is_one_sentence_with_a_cure(refused.value)


def test_an_option_counts_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_PORT", "x")
    assert read_settings({"port": 7301, "host": None}).port == 7301


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "MUNIMENT_LLM_MODEL is not set"),
        ({"llm_model": "m"}, "neither MUNIMENT_LLM_API_KEY nor MUNIMENT_LLM_URL is set"),
        ({"llm_model": "m", "llm_url": "http://h/v1", "llm_output_tokens": "8001"},
         "MUNIMENT_LLM_OUTPUT_TOKENS is more than a quarter"),
    ],
)  # fmt: skip
def test_a_model_is_named_whole(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], said: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(variable_of(name), value)
    assert read_settings().extractor == "rules"
    monkeypatch.setenv("MUNIMENT_EXTRACTOR", "llm")
    with pytest.raises(BadSetting, match=said) as refused:
        read_settings()
    assert is_one_sentence_with_a_cure(refused.value)


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"extractor": "llm", "llm_model": "m", "llm_url": "http://h:1/v1"}.items():
        monkeypatch.setenv(variable_of(name), value)
    assert read_settings().llm_url == "http://h:1/v1"


def test_secrets_are_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_API_KEY", "hush\n")
    monkeypatch.setenv("MUNIMENT_LLM_API_KEY", "hush\n")
    monkeypatch.setenv("MUNIMENT_LLM_URL", "http://hush:hush@h")
    monkeypatch.setenv("MUNIMENT_WORKER_DATABASE_URL", "postgresql://u:hush@h/d")
    with pytest.raises(BadSetting) as refused:
        read_settings()
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    "words",
    [
        ("serve",), ("api",), ("worker",), ("db", "migrate"), ("db", "status"), ("db", "verify"),
        ("db", "admin-key"), ("keys", "list"), ("import", "conversation", __file__),
    ],
)  # fmt: skip
def test_every_command_ends_with_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("MUNIMENT_POOL_SIZE", "none")
    monkeypatch.setattr(sys, "argv", ["muniment", *words])
    monkeypatch.setattr("muniment.surfaces.cli.importing.read_conversations", lambda _: [])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "error: MUNIMENT_POOL_SIZE is not a whole number. Correct it, or leave it out to get 8.\n"
    )
