"""Build the TypeScript client and test it on a service on loopback: ``make typescript``.

``python -m tools.check_typescript FOLDER``: a copy of clients/typescript with its modules installed.
What its how-to shows runs too, and must print what it says.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from muniment.testing import new_tenant, running_service

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/how-to/typescript.md"


def blocks(language: str) -> list[str]:
    """The blocks of the how-to in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def main(arguments: list[str]) -> int:
    """Build, test, and run the how-to; 1 where something is wrong."""
    folder = Path(arguments[0])
    (folder / "test/howto.ts").write_text("\n".join(blocks("ts")), encoding="utf-8")
    tools = folder / "node_modules/.bin"
    if subprocess.run([tools / "tsc"], cwd=folder, check=False).returncode:
        return 1
    with running_service() as service:
        where = {"MUNIMENT_URL": service.url, "MUNIMENT_API_KEY": new_tenant(service)}
        environment = os.environ | where
        tests = [str(path) for path in sorted((folder / "dist/test").glob("*.test.js"))]
        tested = subprocess.run(["node", "--test", *tests], env=environment, check=False)
        shown = subprocess.run(
            ["node", "dist/test/howto.js"],
            cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    if shown.stdout != "".join(blocks("output")):
        print(f"{PAGE.relative_to(ROOT)} says otherwise:\n{shown.stdout}")
        return 1
    return tested.returncode or shown.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
