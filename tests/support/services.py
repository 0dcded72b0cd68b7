"""A real service in processes of its own, on a copy of a data directory that was installed once."""

import atexit
import contextlib
import functools
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from muniment import testing
from muniment.testing import Running
from tests.support.cluster import fresh_place, place_for_servers

# What they say counts at the first start alone, or leaves no data directory to copy.
_OF_THE_FIRST_START = {"MUNIMENT_PARTITIONS", "MUNIMENT_DATABASE_URL"}


@contextlib.contextmanager
def running_service(
    data_dir: Path | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """``muniment.testing.running_service``, without the work of a first start.

    A ``data_dir`` that is not there yet, or none, is a copy of one whose service was started for
    the first time and stopped, by this test process. The admin key is the same in each.
    """
    with contextlib.ExitStack() as stack:
        place = data_dir or stack.enter_context(fresh_place()) / "data"
        if not place.exists() and _OF_THE_FIRST_START.isdisjoint(environment or {}):
            copy_data(_installed(), place)
        yield stack.enter_context(testing.running_service(place, environment))


def copy_data(source: Path, place: Path) -> None:
    """A copy of a stopped service's data directory, whoever owns the files."""
    subprocess.run(["cp", "--archive", "--reflink=auto", source, place], check=True)


@functools.cache
def _installed() -> Path:
    place = Path(tempfile.mkdtemp(prefix="muniment-installed-", dir=place_for_servers()))
    atexit.register(shutil.rmtree, place)
    place.chmod(0o755)
    with testing.running_service(place / "data"):
        pass
    return place / "data"
