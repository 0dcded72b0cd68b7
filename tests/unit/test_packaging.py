"""The files for operators fit the program.

| file | must |
|---|---|
| Containerfile | copy what is there; install by hash; end as a user that is not root; name commands that exist |
| .dockerignore | let through what Containerfile copies |
| compose.yaml | name settings and commands that exist; order its services; give each its own secret |
| deploy/compose.env.example, deploy/postgres-init.sh | name what compose.yaml wants and gives |
| requirements/build.lock | hold what pyproject.toml builds with, at the versions of dev.lock |
"""

import ast
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from muniment.postgres.embedded.configuration import Tuning, settings_text
from muniment.postgres.embedded.layout import Layout
from muniment.settings import Settings
from tests.support.documents import ROOT
from tests.support.packaging import (
    Instruction,
    assignments,
    commands,
    compose,
    compose_text,
    containerfile,
    environment_of_image,
    health_command,
    interpolated,
    known_settings,
    of,
    pyproject_value,
    references,
)

SECRETS = {"POSTGRES_PASSWORD": "s1", "DBA_PASSWORD": "s2", "APP_PASSWORD": "s3", "WORKER_PASSWORD": "s4"}  # fmt: skip
OWN = ("migrate", "api", "worker", "cli")


def services() -> dict[str, Any]:
    """Every service of compose.yaml with passwords filled in."""
    found: dict[str, Any] = compose(SECRETS)["services"]
    return found


# The image --------------------------------------------------------------------------------------


def copied() -> list[str]:
    """What Containerfile takes from the tree."""
    return [
        source
        for one in of("COPY")
        if not one.text.startswith("--from")
        for source in one.words[:-1]
    ]


def test_the_instructions_are_known() -> None:
    known = {
        "ARG", "FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL",
        "HEALTHCHECK", "ENTRYPOINT", "CMD",
    }  # fmt: skip
    assert {one.name for one in containerfile()} <= known
    assert [one.text for one in of("FROM")] == ["${PYTHON_IMAGE} AS build", "${PYTHON_IMAGE}"]


def test_what_is_copied_is_there() -> None:
    assert {"src", "evals", "requirements/runtime.lock"} <= set(copied())
    assert all((ROOT / source).exists() for source in copied())
    (between,) = (one for one in of("COPY") if one.text.startswith("--from"))
    assert between.words == ["--from=build", "/opt/muniment", "/opt/muniment"]


def test_the_ignored_files_are_exactly_the_others() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    let_through = {rule[1:] for rule in rules if rule.startswith("!")}
    assert let_through == set(copied())
    again = [rule for rule in rules[1:] if not rule.startswith("!")]
    assert not any(fnmatch(source, rule) for rule in again for source in copied())


def test_the_base_is_the_python_that_is_tested_on_a_named_debian() -> None:
    base, _ = of("ARG")
    found = re.fullmatch(r"PYTHON_IMAGE=docker\.io/library/python:(3\.\d+)-slim-[a-z]+", base.text)
    assert found is not None
    assert found[1] == pyproject_value(r'^python_version = "(.+)"')
    assert f"Programming Language :: Python :: {found[1]}" in pyproject_value(
        r"classifiers = \[([^\]]*)"
    )


def shell_commands(one: Instruction) -> list[list[str]]:
    """The commands of a RUN instruction."""
    return [shlex.split(command) for command in one.text.split("&&")]


def test_everything_is_installed_by_hash_or_from_the_tree() -> None:
    pips = [words for one in of("RUN") for words in shell_commands(one) if "pip" in words[0]]
    assert len(pips) == 4
    for words in pips:
        # What is locked is complete: with a look at what packages ask for, a new release of one
        # that is asked for with an extra would end the installation.
        assert "--no-deps" in words, words
        by_hash = "--require-hashes" in words and words[-2] == "--requirement"
        own = "--no-deps" in words and ({"--no-index", "--no-build-isolation"} & set(words))
        assert by_hash or own, words
    locks = [words[-1] for words in pips if words[-2] == "--requirement"]
    assert locks == ["requirements/build.lock", "requirements/${LOCK}.lock"]


def test_what_is_locked_is_installed_as_it_is() -> None:
    texts = [ROOT / "Makefile", *sorted((ROOT / "docs").rglob("*.md"))]
    lines = [
        line
        for text in texts
        for line in text.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
        if "--require-hashes" in line and "install" in line and text.parent.name != "adr"
    ]
    assert len(lines) >= 9
    assert [line for line in lines if "--no-deps" not in line] == []


def test_what_is_installed_may_be_chosen() -> None:
    _, lock = of("ARG")
    assert lock.text == "LOCK=runtime"
    for name in ("runtime", "llm"):
        assert f"requirements/{name}.lock" in copied()


def pins(name: str) -> set[str]:
    """What a lock file pins, with versions."""
    text = (ROOT / f"requirements/{name}.lock").read_text(encoding="utf-8")
    return set(re.findall(r"^([\w.-]+==[^\s;]+)", text, re.MULTILINE))


def test_the_lock_for_models_is_the_usual_one_and_more() -> None:
    assert pins("runtime") < pins("llm") < pins("dev")
    assert any(one.startswith("pydantic-ai-slim==") for one in pins("llm") - pins("runtime"))


def test_nothing_else_of_the_image_needs_a_network() -> None:
    for one in of("RUN"):
        for words in shell_commands(one):
            program = words[0].rpartition("/")[2]
            assert program in {"python", "pip", "useradd", "install"}, words
    assert {one.name for one in containerfile() if one.stage == 2} >= {"RUN", "USER"}
    assert not any("pip" in one.text for one in of("RUN", 2))


def test_the_image_ends_as_a_user_with_an_entry_of_their_own() -> None:
    (user,) = of("USER")
    uid, _, gid = user.text.partition(":")
    assert int(uid) > 0
    assert uid == gid
    add, make = shell_commands(of("RUN", 2)[0])
    assert add[0] == "useradd"
    assert add[add.index("--uid") + 1] == uid
    assert {f"--owner={add[-1]}", f"--group={add[-1]}", "--mode=0700"} <= set(make)
    position = [one.name for one in containerfile()]
    assert position.index("USER") > max(i for i, name in enumerate(position) if name == "COPY")


def test_the_data_is_a_volume_and_the_ledger_another() -> None:
    (volume,) = of("VOLUME")
    data, ledger = volume.text.split()
    assert environment_of_image()["MUNIMENT_DATA_DIR"] == data
    assert environment_of_image()["MUNIMENT_ERASURE_LEDGER_FILE"] == f"{ledger}/ledger"
    assert not Path(ledger).is_relative_to(data)
    assert shell_commands(of("RUN", 2)[0])[1][-2:] == [data, ledger]


def test_the_image_names_settings_and_commands_that_exist() -> None:
    named = {name for name in environment_of_image() if name.startswith("MUNIMENT_")}
    assert named == {"MUNIMENT_DATA_DIR", "MUNIMENT_ERASURE_LEDGER_FILE", "MUNIMENT_HOST"}
    assert named <= known_settings()
    assert of("ENTRYPOINT")[0].words == ["muniment"]
    assert tuple(of("CMD")[0].words) in commands()
    assert of("STOPSIGNAL")[0].text == "SIGTERM"
    assert of("EXPOSE")[0].text == str(Settings.model_fields["port"].default)


def test_the_image_looks_after_its_health() -> None:
    program, option, code = health_command()
    assert (program, option) == ("python", "-c")
    ast.parse(code)
    assert "'/healthz'" in code
    assert "MUNIMENT_PORT" in known_settings()
    assert "'MUNIMENT_PORT'" in code


# Several containers -----------------------------------------------------------------------------


def test_what_compose_wants_from_outside_is_in_the_example() -> None:
    example = assignments("deploy/compose.env.example")
    assert references(compose_text()) == set(example)
    assert {name for name, value in example.items() if not value} == set(SECRETS)


@pytest.mark.parametrize("missing", sorted(SECRETS))
def test_compose_refuses_a_missing_password(missing: str) -> None:
    with pytest.raises(KeyError, match=missing):
        compose({name: value for name, value in SECRETS.items() if name != missing})


@pytest.mark.parametrize(
    ("text", "values", "result"),
    [
        ("${A}", {"A": "1"}, "1"),
        ("x${A:-2}y", {}, "x2y"),
        ("x${A:-2}y", {"A": ""}, "x2y"),
        ("${A:?why}", {"A": "3"}, "3"),
        ("$A", {"A": "4"}, "$A"),
    ],
)
def test_names_are_replaced(text: str, values: dict[str, str], result: str) -> None:
    assert interpolated(text, values) == result


@pytest.mark.parametrize("name", OWN)
def test_our_services(name: str) -> None:
    service = services()[name]
    version = pyproject_value(r'^version = "(.+)"')
    assert service["image"] == f"muniment:{version}"
    assert (ROOT / service["build"]["context"] / service["build"]["dockerfile"]).exists()
    variables = {key for key in service["environment"] if key.startswith("MUNIMENT_")}
    assert variables
    assert variables <= known_settings()
    if name != "cli":
        assert tuple(service["command"]) in commands()
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_each_service_has_only_its_own_secret() -> None:
    expected = {
        "db": set(SECRETS.values()),
        "migrate": {"s2"},
        "api": {"s3"},
        "worker": {"s4"},
        "cli": set(),
    }
    for name, service in services().items():
        words = set(re.findall(r"\bs[1-4]\b", str(service["environment"])))
        assert words == expected[name], name


def test_the_addresses_lead_to_the_database() -> None:
    wanted = {
        ("migrate", "MUNIMENT_ADMIN_DATABASE_URL"): "muniment_dba",
        ("api", "MUNIMENT_DATABASE_URL"): "muniment_app",
        ("worker", "MUNIMENT_DATABASE_URL"): "muniment_app",
        ("worker", "MUNIMENT_WORKER_DATABASE_URL"): "muniment_worker",
    }
    found = {
        (name, key): urlsplit(value)
        for name in OWN
        for key, value in services()[name]["environment"].items()
        if key.endswith("DATABASE_URL")
    }
    assert {place: url.username for place, url in found.items()} == wanted
    database = services()["db"]["environment"]["POSTGRES_DB"]
    assert {(url.hostname, url.path) for url in found.values()} == {("db", f"/{database}")}
    assert services()["cli"]["environment"]["MUNIMENT_URL"] == "http://api:7300"


def test_the_order_of_the_services() -> None:
    needs = {
        name: {on: how["condition"] for on, how in service.get("depends_on", {}).items()}
        for name, service in services().items()
    }
    healthy, done = "service_healthy", "service_completed_successfully"
    assert needs == {
        "db": {},
        "migrate": {"db": healthy},
        "api": {"db": healthy, "migrate": done},
        "worker": {"db": healthy, "migrate": done},
        "cli": {"api": healthy},
    }
    # What others wait for the health of has a check: its own, or the image's.
    assert "test" in services()["db"]["healthcheck"]
    assert "healthcheck" not in services()["api"]
    restarts = {name: service["restart"] for name, service in services().items()}
    stays = "unless-stopped"
    assert restarts == {"db": stays, "migrate": "no", "api": stays, "worker": stays, "cli": "no"}
    assert services()["cli"]["profiles"] == ["tools"]


def test_the_workers_health_is_what_readiness_asks_for() -> None:
    program, option, code = services()["worker"]["healthcheck"]["test"][1:]
    assert (program, option) == ("python", "-c")
    ast.parse(code)
    assert "muniment_queue.worker_seen()" in code


def test_volumes_and_networks_are_declared() -> None:
    document = compose(SECRETS)
    for service in document["services"].values():
        assert set(service["networks"]) <= set(document["networks"])
        for volume in service.get("volumes", ()):
            source, target = volume.split(":")[:2]
            assert target.startswith("/")
            if source.startswith("."):
                assert (ROOT / source).exists()
            else:
                assert source in document["volumes"]
    assert document["networks"]["inside"]["internal"]
    assert "outside" not in document["services"]["db"]["networks"]
    assert all(port.startswith("127.0.0.1:") for port in document["services"]["api"]["ports"])


def test_the_key_is_where_the_command_line_looks() -> None:
    data = environment_of_image()["MUNIMENT_DATA_DIR"]
    assert services()["migrate"]["volumes"] == [f"keys:{data}"]
    assert services()["cli"]["volumes"] == [f"keys:{data}:ro"]


def test_whoever_forgets_and_whoever_mends_share_the_ledger() -> None:
    ledger = Path(environment_of_image()["MUNIMENT_ERASURE_LEDGER_FILE"])
    for name in ("api", "worker"):
        assert services()[name]["volumes"] == [f"erasures:{ledger.parent}"]


def test_the_database_keeps_what_is_written_and_logs_none_of_it() -> None:
    program, *options = services()["db"]["command"]
    assert program == "postgres"
    given = dict(option.removeprefix("-c").split("=", 1) for option in options)
    layout = Layout(Path("/data"), Path("/data/run"))
    embedded = dict(re.findall(r"^(\w+) = '(.*)'$", settings_text(layout, Tuning()), re.MULTILINE))
    assert {name: embedded[name] for name in given} == given
    assert {"fsync", "full_page_writes", "synchronous_commit", "log_min_messages"} <= set(given)


def test_the_database_is_prepared_with_the_passwords_that_compose_gives() -> None:
    script = (ROOT / "deploy/postgres-init.sh").read_text(encoding="utf-8")
    given = set(services()["db"]["environment"])
    wanted = set(re.findall(r"^\\getenv \w+ (\w+)$", script, re.MULTILINE))
    assert wanted == given - {"POSTGRES_PASSWORD", "POSTGRES_INITDB_ARGS"}
    assert (ROOT / "deploy/postgres-init.sh").stat().st_mode & 0o111
    mount = services()["db"]["volumes"][1]
    assert mount.split(":")[0] == "./deploy/postgres-init.sh"


# Building ---------------------------------------------------------------------------------------


def pinned(lock: str) -> dict[str, str]:
    """Package to its version and hashes, in a lock file."""
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    return {
        entry.partition("==")[0]: " ".join(entry.replace("\\", " ").split())
        for entry in re.split(r"\n(?=\S)", text.strip())
    }


def test_the_lock_for_building_is_a_part_of_the_one_for_developing() -> None:
    build, dev = pinned("build.lock"), pinned("dev.lock")
    wanted = pyproject_value(r'^requires = \["(.+)"\]')
    assert build["hatchling"].startswith(f"{wanted} --hash=sha256:")
    assert {name: dev.get(name) for name in build} == build
