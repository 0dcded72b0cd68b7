"""MCP by others' tools: ``make conformance``. Exit status 1 if anything is not as it should be.

The conformance suite calls the fixtures on the service's own HTTP stack: every scored scenario of
both revisions, and those beside that this server has to do with. The inspector lists and calls
every tool over streamable HTTP and stdio.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.mcp_calls import arguments_of

from muniment.client import Client
from muniment.settings import environment_with
from muniment.surfaces.mcp.tools import TOOLS
from muniment.testing import Running, running_service

REVISIONS = ("2025-11-25", "2026-07-28")
# Named by the specification, scored in no set of requirements or in one of the two.
BESIDE = (
    ("server-session-lifecycle", "2025-11-25"),
    ("server-sse-polling", "2025-11-25"),
    ("json-schema-2020-12", "2025-11-25"),
    ("json-schema-2020-12", "2026-07-28"),
    ("http-header-validation", "2026-07-28"),
    ("http-custom-header-server-validation", "2026-07-28"),
)
_ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}


class Node:
    """The Node and the packages that were installed for this."""

    def __init__(self, modules: Path) -> None:
        self._modules = modules
        machine = _ARCHITECTURES[platform.machine()]
        self._node = modules / f"node-linux-{machine}/bin/node"

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script of a package, with its Node first on the path."""
        path = f"{self._node.parent}{os.pathsep}{environment_with({}).get('PATH', '')}"
        return subprocess.run(
            [self._node, self._modules / script, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=environment_with({"PATH": path}),
            cwd=self._modules.parent,
            timeout=300,
        )


def suite(node: Node, url: str) -> Iterator[str]:
    """What the suite finds wrong."""
    runs = [("--requirements", revision) for revision in REVISIONS]
    beside = [("--scenario", name, "--spec-version", version) for name, version in BESIDE]
    for run in (*runs, *beside):
        done = node.run(
            "@modelcontextprotocol/conformance/dist/index.js", "server", "--url", url, *run
        )
        told = [
            line
            for line in done.stdout.splitlines()
            if line.startswith(("Total", "Passed", "Not scored"))
        ]
        print(*run[1:], *told)
        if done.returncode:
            yield f"{' '.join(run)}\n{done.stdout}\n{done.stderr}"


def inspect(node: Node, service: Running, client: Client, key: str) -> Iterator[str]:
    """What the inspector cannot list or call."""
    known = {"MUNIMENT_URL": service.url, "MUNIMENT_API_KEY": key}
    command = [item for name, value in known.items() for item in ("-e", f"{name}={value}")]
    ways = {
        "http": [f"{service.url}/mcp", "--header", f"Authorization: Bearer {key}"],
        "stdio": [*command, sys.executable, "-m", "muniment", "mcp"],
    }
    for way, target in ways.items():
        listed = _inspected(node, target, "--method", "tools/list")
        names = [tool["name"] for tool in listed.get("tools", ())]
        print(f"inspector over {way}: {len(names)} tools")
        if names != list(TOOLS):
            yield f"{way}: listed {names}: {listed}"
        for name, arguments in arguments_of(client).items():
            pairs = [f"{field}={_plain(value)}" for field, value in arguments.items()]
            given = [item for pair in pairs for item in ("--tool-arg", pair)]
            told = _inspected(node, target, "--method", "tools/call", "--tool-name", name, *given)
            if told.get("isError", True) or "structuredContent" not in told:
                yield f"{way}: {name}: {told}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _inspected(node: Node, target: list[str], *arguments: str) -> dict[str, Any]:
    script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    done = node.run(script, "--cli", *target, *arguments)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"isError": True, "stdout": done.stdout, "stderr": done.stderr}
    return found


def main(modules: Path) -> int:
    """Run everything; what is wrong is printed."""
    node = Node(modules)
    with (
        running_service(environment={"MUNIMENT_MCP_CONFORMANCE": "true"}) as service,
        Client(service.url, service.key) as client,
    ):
        faults = [
            *suite(node, f"{service.url}/mcp/conformance"),
            *inspect(node, service, client, service.key),
        ]
    for fault in faults:
        print(f"WRONG: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
