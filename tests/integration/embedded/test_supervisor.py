"""The supervisor: start in order, restart, reap, stop in reverse, die together."""

import os
import signal
import sys
from pathlib import Path

import pytest

from muniment.surfaces.supervisor import Backoff, Child
from tests.integration.embedded.conftest import Served, Start
from tests.integration.embedded.waiting import exited, until

SLEEP = ["sleep", "600"]
QUICK = {"first": 0.02, "longest": 0.1}


def shell(script: str) -> list[str]:
    return ["sh", "-c", script]


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


STUBBORN = python(
    "import signal, sys\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "open(sys.argv[1], 'w').close()\n"
    "signal.pause()"
)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize(
    ("delay", "following"), [(0.0, 0.2), (0.2, 0.4), (0.4, 0.8), (8.0, 10.0), (10.0, 10.0)]
)
def test_delays_grow_and_are_bounded(delay: float, following: float) -> None:
    assert Backoff().after(delay) == pytest.approx(following)


@pytest.mark.parametrize("how", [{}, {"argv": SLEEP, "spawn": lambda: None}])
def test_a_child_has_one_way_to_start(how: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="argv or spawn"):
        Child(name="odd", **how)  # type: ignore[arg-type]


def test_children_start_in_order_and_stop_in_reverse(place: Path, start: Start) -> None:
    ready = place / "ready"
    first = shell(
        f"touch {place}/first; while [ ! -e {place}/go ]; do sleep 0.01; done;"
        f" touch {ready}; exec sleep 600"
    )
    served = start(
        "supervise",
        [
            {"name": "first", "argv": first, "ready_file": str(ready)},
            {"name": "second", "argv": SLEEP},
            {"name": "third", "argv": SLEEP},
        ],
    )
    until((place / "first").exists, "the first child runs")
    assert not [line for line in served.lines.seen if line.startswith("second")]
    (place / "go").touch()
    served.ready()
    begun = [line.split()[0] for line in served.lines.seen if " started as " in line]
    assert begun == ["first", "second", "third"]
    lines = served.lines.seen
    assert lines.index("first is ready") < next(
        number for number, line in enumerate(lines) if line.startswith("second started")
    )
    served.stop()
    ended = [line.split()[0] for line in served.lines.seen if " stopped with status" in line]
    assert ended == ["third", "second", "first"]


def test_a_dead_child_alone_is_started_again(start: Start) -> None:
    served = start(
        "supervise",
        [{"name": name, "argv": SLEEP, "backoff": QUICK} for name in ("database", "api", "worker")],
    ).ready()
    before = {name: served.pid_of(name) for name in ("database", "api", "worker")}
    os.kill(before["database"], signal.SIGKILL)
    served.lines.wait_for("database ended with status -9; starts again in 0.0 s")
    served.lines.wait_for("database is ready")
    assert served.pid_of("database") != before["database"]
    assert all(alive(before[name]) for name in ("api", "worker"))
    assert served.pid_of("api") == before["api"]
    served.stop()


def test_a_child_that_keeps_dying_is_tried_with_growing_delays(place: Path, start: Start) -> None:
    flag = place / "ran"
    once = shell(f"if [ -e {flag} ]; then exit 7; fi; touch {flag}; exec sleep 600")
    backoff = {"first": 0.01, "factor": 4, "longest": 0.16}
    served = start("supervise", [{"name": "api", "argv": once, "backoff": backoff}]).ready()
    until(flag.exists, "it has run")
    os.kill(served.pid_of("api"), signal.SIGKILL)
    told = [served.lines.wait_for("starts again in") for _ in range(5)]
    assert [line.split()[-2] for line in told] == ["0.0", "0.0", "0.2", "0.2", "0.2"]
    flag.unlink()
    served.lines.wait_for("api is ready")
    served.stop()


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (shell("exit 7"), "ended with status 7 before it was ready"),
        (shell("kill -9 $$"), "ended with status -9 before it was ready"),
        (["/nonexistent/program"], "before it was ready"),
    ],
)
def test_a_first_start_that_fails_stops_everything(
    argv: list[str], words: str, place: Path, start: Start
) -> None:
    served = start(
        "supervise",
        [
            {"name": "database", "argv": SLEEP},
            {"name": "api", "argv": argv, "ready_file": str(place / "never")},
            {"name": "worker", "argv": SLEEP},
        ],
    )
    assert words in served.refusal()
    exited(served.pid_of("database"))
    assert not [line for line in served.lines.seen if line.startswith("worker")]


def test_a_child_that_counts_as_ready_at_once_may_die_at_once(place: Path, start: Start) -> None:
    flag = place / "ran"
    second = shell(f"if [ -e {flag} ]; then exec sleep 600; fi; touch {flag}; exit 7")
    served = start(
        "supervise",
        [
            {"name": "api", "argv": SLEEP, "ready_file": str(place)},
            {"name": "worker", "argv": second, "backoff": QUICK},
        ],
    ).ready()
    served.lines.wait_for("worker ended with status 7; starts again")
    served.lines.wait_for("worker is ready")
    assert alive(served.pid_of("api"))
    served.stop()


def test_a_child_that_is_never_ready_is_refused(place: Path, start: Start) -> None:
    served = start(
        "supervise",
        [
            {
                "name": "api",
                "argv": SLEEP,
                "ready_file": str(place / "never"),
                "ready_within": 0.3,
            }
        ],
    )
    assert "not ready within" in served.refusal()
    exited(served.pid_of("api"))


def test_a_restarted_child_that_does_not_get_ready_is_started_anew(
    place: Path, start: Start
) -> None:
    ready = place / "ready"
    ready.touch()
    child = {"name": "api", "argv": SLEEP, "ready_file": str(ready), "ready_within": 0.2}
    served = start("supervise", [child | {"backoff": QUICK}]).ready()
    ready.unlink()
    os.kill(served.pid_of("api"), signal.SIGKILL)
    served.lines.wait_for("does not get ready; killed")
    served.lines.wait_for("api ended with status -9")
    ready.touch()
    served.lines.wait_for("api is ready")
    served.stop()


def test_a_child_is_tended(place: Path, start: Start) -> None:
    mark = place / "tended"
    child = {"name": "api", "argv": SLEEP, "tend_file": str(mark), "tend_every": 0.05}
    served = start("supervise", [child]).ready()
    until(mark.exists, "tended once")
    mark.unlink()
    until(mark.exists, "tended again")
    served.stop()


def stubborn(place: Path, **more: object) -> dict[str, object]:
    mark = place / "stubborn"
    return {"name": "api", "argv": [*STUBBORN, str(mark)], "ready_file": str(mark), **more}


def test_a_child_that_does_not_stop_is_killed_after_its_grace(place: Path, start: Start) -> None:
    served = start("supervise", [stubborn(place, grace=0.3)]).ready()
    served.process.terminate()
    served.lines.wait_for("api stopped with status -9")
    served.lines.wait_for("all stopped")
    assert served.process.wait(30) == 0


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_stops_fast(second: signal.Signals, place: Path, start: Start) -> None:
    served = start(
        "supervise", [{"name": "database", "argv": SLEEP}, stubborn(place, grace=600)]
    ).ready()
    served.process.send_signal(signal.SIGTERM)
    served.lines.wait_for("stopping on SIGTERM")
    served.process.send_signal(second)
    served.lines.wait_for("api stopped with status -9")
    served.lines.wait_for("database stopped with status -9")
    assert served.process.wait(30) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_that_stop(number: signal.Signals, start: Start) -> None:
    served = start("supervise", [{"name": "api", "argv": SLEEP}]).ready()
    served.process.send_signal(number)
    served.lines.wait_for("api stopped with status -15")
    assert served.process.wait(30) == 0


def test_under_nohup_it_outlives_the_terminal(start: Start) -> None:
    served = start(
        "supervise", [{"name": "api", "argv": SLEEP, "backoff": QUICK}], wrapper=["nohup"]
    ).ready()
    served.process.send_signal(signal.SIGHUP)
    # It still does its work: what dies is started again.
    os.kill(served.pid_of("api"), signal.SIGKILL)
    served.lines.wait_for("api ended with status -9")
    served.lines.wait_for("api is ready")
    served.stop()


def test_a_signal_while_starting_stops_too(place: Path, start: Start) -> None:
    served = start(
        "supervise",
        [
            {"name": "api", "argv": SLEEP, "ready_file": str(place / "never")},
            {"name": "worker", "argv": SLEEP},
        ],
    )
    served.lines.wait_for("api started")
    served.stop()
    assert not [line for line in served.lines.seen if line.startswith("worker")]


def test_children_take_a_signal_of_the_terminal_from_us_alone(start: Start) -> None:
    served = start("supervise", [{"name": "api", "argv": SLEEP}]).ready()
    assert os.getsid(served.pid_of("api")) == served.pid_of("api")
    served.stop()


def test_children_start_with_a_clean_signal_state(start: Start) -> None:
    served = start("supervise", [{"name": "api", "argv": SLEEP}]).ready()
    process = Path(f"/proc/{served.pid_of('api')}")
    until(lambda: (process / "cmdline").read_bytes().startswith(SLEEP[0].encode()), "it runs")
    status = (process / "status").read_text().splitlines()
    state = dict(line.split(":\t", 1) for line in status)
    assert int(state["SigBlk"], 16) == 0
    # 32 and 33 are the C library's own, which `make` leaves ignored in what it starts.
    assert int(state["SigIgn"], 16) & ~(0b11 << 31) == 0
    served.stop()


def test_a_child_gets_the_descriptors_and_the_environment_that_it_is_given(
    place: Path, start: Start
) -> None:
    (place / "lent").write_text("through a descriptor")
    script = f'cd {place}; cat <&"$1" > read; env > new; mv new env; exec sleep 600'
    child = {
        "name": "api",
        "argv": [*shell(script), "sh"],
        "lent_file": str(place / "lent"),
        "env": {"PATH": "/usr/bin:/bin", "MARK": "x"},
    }
    served = start("supervise", [child], environment={"SECRET": "s"}).ready()
    until((place / "env").exists, "the child has written")
    assert (place / "read").read_text() == "through a descriptor"
    environment = (place / "env").read_text()
    assert "MARK=x\n" in environment
    assert "SECRET" not in environment
    served.stop()


def test_orphans_are_adopted_and_reaped(place: Path, start: Start) -> None:
    script = (
        f"(sleep 600 & echo $! > {place}/pid.new; mv {place}/pid.new {place}/pid) ; exec sleep 600"
    )
    served = start("supervise", [{"name": "api", "argv": shell(script)}]).ready()
    until((place / "pid").exists, "an orphan")
    orphan = int((place / "pid").read_text())
    parent = Path(f"/proc/{orphan}/stat")
    until(
        lambda: int(parent.read_text().rpartition(")")[2].split()[1]) == served.process.pid,
        "the orphan is adopted",
    )
    os.kill(orphan, signal.SIGKILL)
    served.lines.wait_for(f"reaped orphan {orphan}")
    assert not Path(f"/proc/{orphan}").exists()
    served.stop()


@pytest.mark.parametrize("trap", ["", "trap '' TERM; "])
def test_orphans_do_not_outlive_an_orderly_stop(trap: str, place: Path, start: Start) -> None:
    """Nor do the orphans that the end of an orphan makes."""
    orphan = place / "orphan.sh"
    orphan.write_text(f"{trap}cd {place}\nsleep 600 &\necho $$ $! > new\nmv new pids\nwait\n")
    script = f"(sh {orphan} &) ; exec sleep 600"
    served = start("supervise", [{"name": "api", "argv": shell(script)}]).ready()
    until((place / "pids").exists, "orphans")
    served.stop()
    left = [pid for pid in map(int, (place / "pids").read_text().split()) if alive(pid)]
    assert left == []


def all_pids(served: Served, names: list[str]) -> list[int]:
    return [served.pid_of(name) for name in names]


def test_a_killed_supervisor_takes_its_children_down(place: Path, start: Start) -> None:
    names = ["database", "api", "worker"]
    served = start(
        "supervise",
        [
            {"name": "database", "argv": SLEEP, "death_signal": "SIGINT"},
            stubborn(place),
            {"name": "worker", "argv": SLEEP},
        ],
    ).ready()
    pids = all_pids(served, names)
    served.process.kill()
    for pid in pids:
        exited(pid)


def test_children_started_again_are_bound_too(start: Start) -> None:
    served = start("supervise", [{"name": "api", "argv": SLEEP, "backoff": QUICK}]).ready()
    os.kill(served.pid_of("api"), signal.SIGKILL)
    served.lines.wait_for("api is ready")
    pid = served.pid_of("api")
    served.process.kill()
    exited(pid)
