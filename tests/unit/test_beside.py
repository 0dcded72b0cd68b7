"""What the API process offers besides its operations: what mem0's client asks for where it is set."""

import pytest

from muniment.settings import Settings
from muniment.surfaces.api import beside
from muniment.surfaces.mem0.endpoint import CALLS


@pytest.mark.parametrize(("asked", "offered"), [(False, 0), (True, len(CALLS))])
def test_mem0_is_off_unless_it_is_set(asked: bool, offered: int) -> None:
    routes = [path for one in beside(Settings(compat_mem0=asked)) for _, path, _ in one.routes()]
    assert sum(path.startswith("/compat/mem0/") for path in routes) == offered
