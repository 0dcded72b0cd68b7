"""Generate what follows from the registry: the SDK, the OpenAPI document, the reference.

``python -m tools.generate`` writes, ``python -m tools.generate --check`` fails on a difference.
"""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from muniment.operations.registry import REGISTRY
from tools.generate_client import client_files
from tools.generate_docs import reference_files

ROOT = Path(__file__).resolve().parent.parent


def generated() -> Mapping[Path, str]:
    """Every generated file with its text."""
    operations = list(REGISTRY.values())
    files = {**client_files(operations), **reference_files(operations)}
    return {ROOT / name: _formatted(name, text) for name, text in files.items()}


def _formatted(name: str, text: str) -> str:
    if not name.endswith(".py"):
        return text
    for command in (
        ["ruff", "format", "--quiet", "--stdin-filename", name, "-"],
        ["ruff", "check", "--fix", "--quiet", "--stdin-filename", name, "-"],
        ["ruff", "format", "--quiet", "--stdin-filename", name, "-"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            input=text,
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{name}: {done.stderr}")
        text = done.stdout
    return text


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` name those that differ and return 1."""
    stale = []
    files = generated()
    folder = ROOT / "src/muniment/client/generated"
    unexpected = sorted(set(folder.glob("*.py")) - set(files) - {folder / "__init__.py"})
    for path, text in files.items():
        current = path.read_text(encoding="utf-8") if path.exists() else None
        if current != text:
            stale.append(path)
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    stale += unexpected
    for path in unexpected:
        if "--check" not in arguments:
            path.unlink()
    if "--check" in arguments and stale:
        print("not up to date; run 'make generate':", *[p.relative_to(ROOT) for p in stale])
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
