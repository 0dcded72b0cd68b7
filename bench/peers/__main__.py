"""``make bench-peers``: others' memories beside Muniment over HTTP, interleaved in one run.

Each contender is a child process of its own environment, given the same texts and vectors, and times
inside itself. Rounds turn through them: each adds a slice, one by one and in batches; then each is
asked questions that were never asked before. Peers that keep things in PostgreSQL have an embedded
server each, with the settings of Muniment's.
"""

import argparse
import contextlib
import json
import platform
import tempfile
from dataclasses import asdict
from pathlib import Path

from bench.peers.contenders import KINDS, OURS, Kind, started
from bench.peers.parent import Child, ContenderFailed
from bench.peers.report import missed, table
from bench.peers.rounds import Figures, Plan, run
from bench.peers.texts import make_texts, write_texts

_TARGETS_AT = 2000


def main() -> int:
    """Run and print; 1 where somebody could not be measured, or a target is missed at 2,000."""
    options = _options()
    plan = Plan(
        memories=options.memories,
        rounds=options.rounds,
        singly=options.singly,
        batch=options.batch,
        questions=options.questions,
        warm=options.warm,
    )
    wanted = [one for one in KINDS if not options.only or one.name == OURS or one.module in options.only]  # fmt: skip
    found = _measure(wanted, plan, options)
    print(table(found))
    lost = missed(found)
    for what in lost:
        print(f"missed: {what}")
    if options.json:
        figures = {
            "machine": {"python": platform.python_version()},
            "plan": asdict(plan),
            "figures": {name: asdict(one) for name, one in found.items()},
            "missed": lost,
        }
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    failed = any(one.failed for one in found.values())
    return int(failed or (bool(lost) and options.memories == _TARGETS_AT))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("--environments", type=Path, required=True, help="one directory a peer")
    parser.add_argument("--memories", type=int, default=_TARGETS_AT, help="of the one user")
    parser.add_argument("--rounds", type=int, default=4, help="interleaved rounds, of each phase")
    parser.add_argument("--singly", type=int, default=100, help="adds one by one, a round")
    parser.add_argument("--batch", type=int, default=500, help="most adds in a call")
    parser.add_argument("--questions", type=int, default=100, help="a round and contender")
    parser.add_argument("--warm", type=int, default=10, help="questions before those, not counted")
    parser.add_argument(
        "--only", nargs="*", help="modules of bench/peers/adapters, beside Muniment"
    )
    parser.add_argument("--patience", type=float, default=900.0, help="seconds for one answer")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _measure(wanted: list[Kind], plan: Plan, options: argparse.Namespace) -> dict[str, Figures]:
    texts = make_texts(plan.memories, plan.asked)
    children: dict[str, Child] = {}
    absent: dict[str, Figures] = {}
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="peers-")))
        # The servers run as a user of their own when this runs as root.
        place.chmod(0o755)
        write_texts(texts, place)
        for number, kind in enumerate(wanted):
            reason = kind.missing(options.environments)
            if reason is not None:
                absent[kind.name] = Figures(failed=reason)
                continue
            own = place / str(number)
            try:
                children[kind.name] = stack.enter_context(
                    started(kind, options.environments, place, own, options.patience)
                )
            except ContenderFailed as error:
                absent[kind.name] = Figures(failed=str(error))
        return run(children, texts, plan) | absent


if __name__ == "__main__":
    raise SystemExit(main())
