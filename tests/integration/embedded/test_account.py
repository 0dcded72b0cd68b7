"""The system user of a service that root starts: made once, whoever else makes it at once."""

import multiprocessing
import os
import pwd
import subprocess
from multiprocessing.synchronize import Barrier

import pytest

from muniment.postgres.embedded.account import Account, resolve

_NAME = "muniment-at-once"
_AT_ONCE = 6


def _resolve(start: Barrier, told: "multiprocessing.Queue[Account]") -> None:
    start.wait()
    told.put(resolve(_NAME))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes users")
@pytest.mark.parametrize("_again", range(4))
def test_processes_that_start_at_once_agree_on_the_user(_again: int) -> None:
    fork = multiprocessing.get_context("fork")
    start, told = fork.Barrier(_AT_ONCE), fork.Queue()
    starting = [fork.Process(target=_resolve, args=(start, told)) for _ in range(_AT_ONCE)]
    try:
        for process in starting:
            process.start()
        found = {told.get(timeout=60).uid for _ in starting}
        assert found == {pwd.getpwnam(_NAME).pw_uid}
    finally:
        for process in starting:
            process.join(60)
        subprocess.run(["/usr/sbin/userdel", _NAME], check=True, capture_output=True)
