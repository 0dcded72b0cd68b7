"""The systemd unit fits the program.

| file | must |
|---|---|
| deploy/muniment.service | run a command that exists; leave `serve` the time to stop; be hardened |
| deploy/muniment.env.example | name settings that exist, with their defaults |
"""

import re
from dataclasses import fields
from types import SimpleNamespace
from typing import cast

from muniment.postgres.embedded import Postmaster
from muniment.settings import Settings
from muniment.surfaces import supervisor
from muniment.surfaces.serve import _database
from muniment.surfaces.supervisor import Child
from tests.support.documents import ROOT
from tests.support.packaging import assignments, commands, known_settings, unit


def test_the_unit_runs_the_service_as_a_user_of_its_own() -> None:
    service = unit()["Service"]
    program, *words = service["ExecStart"][0].split()
    assert program == "/opt/muniment/bin/muniment"
    assert tuple(words) in commands()
    assert service["User"] == service["Group"] == ["muniment"]
    (data,) = (
        one.partition("=")[2]
        for one in service["Environment"]
        if one.startswith("MUNIMENT_DATA_DIR=")
    )
    state, apart = service["StateDirectory"][0].split()
    assert data == f"/var/lib/{state}"
    assert f"MUNIMENT_ERASURE_LEDGER_FILE=/var/lib/{apart}/ledger" in service["Environment"]
    assert service["StateDirectoryMode"] == ["0700"]
    assert service["EnvironmentFile"] == ["-/etc/muniment/muniment.env"]
    assert unit()["Install"]["WantedBy"] == ["multi-user.target"]


def longest_stop() -> float:
    """Seconds that the supervisor may take for worker, API, database and what they left behind."""
    parts = SimpleNamespace(spawn=list, ready=None, refusal=None, tend=None)
    database = _database(cast(Postmaster, parts), Settings())
    (grace,) = (field.default for field in fields(Child) if field.name == "grace")
    each = [database.grace, cast(float, grace), cast(float, grace)]
    return sum(each) + supervisor._HARD_SECONDS * len(each) + 2 * supervisor._ORPHAN_SECONDS


def seconds(text: str) -> float:
    """A time span of systemd in seconds."""
    number, letters = re.findall(r"^(\d+)(s|min)$", text)[0]
    return float(number) * {"s": 1, "min": 60}[letters]


def test_the_unit_leaves_the_orderly_stop_to_serve() -> None:
    service = unit()["Service"]
    assert service["KillMode"] == ["mixed"]
    assert service["KillSignal"] == ["SIGTERM"]
    assert service["Restart"] == ["on-failure"]
    assert seconds(service["TimeoutStopSec"][0]) > longest_stop()
    said = re.search(r"takes (\d+) seconds", (ROOT / "deploy/muniment.service").read_text())
    assert said is not None
    assert float(said[1]) == longest_stop()


HARDENED = {
    "NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "AmbientCapabilities": "",
    "ProtectSystem": "strict", "ProtectHome": "yes", "ProtectClock": "yes",
    "ProtectControlGroups": "yes", "ProtectHostname": "yes", "ProtectKernelLogs": "yes",
    "ProtectKernelModules": "yes", "ProtectKernelTunables": "yes", "ProtectProc": "invisible",
    "PrivateTmp": "yes", "PrivateDevices": "yes", "RestrictNamespaces": "yes",
    "RestrictRealtime": "yes", "RestrictSUIDSGID": "yes", "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes", "SystemCallArchitectures": "native", "UMask": "0077",
    "LimitCORE": "0",
}  # fmt: skip
# With these the embedded server, its peer authentication or the network would not work.
IMPOSSIBLE = {"PrivateUsers", "PrivateNetwork", "DynamicUser", "PrivateIPC", "RootDirectory"}


def test_the_unit_is_hardened() -> None:
    service = unit()["Service"]
    assert {name: service.get(name, ["absent"])[-1] for name in HARDENED} == HARDENED
    assert not IMPOSSIBLE & set(service)
    assert service["SystemCallFilter"] == ["@system-service", "~@privileged @resources"]
    assert set(service["RestrictAddressFamilies"][0].split()) == {"AF_UNIX", "AF_INET", "AF_INET6"}


def test_the_units_environment_names_settings_that_exist() -> None:
    given = assignments("deploy/muniment.env.example")
    assert set(given) <= known_settings()
    assert not {"MUNIMENT_ADMIN_DATABASE_URL", "MUNIMENT_API_KEY"} & set(given)
    # What is not a secret or an example is the default, so that the file can be taken as it is.
    shown = {name: value for name, value in given.items() if "PASSWORD" not in value}
    without_default = {
        "data_dir",
        "erasure_ledger_file",
        "quota_user_mib",
        "quota_tenant_mib",
        "policy_file",
    }
    for name, value in shown.items():
        field = name.removeprefix("MUNIMENT_").lower()
        if field not in without_default:
            assert str(Settings.model_fields[field].default) == value, name
