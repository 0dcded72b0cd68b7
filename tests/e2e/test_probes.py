"""muniment eval probes: every probe finds nothing wrong, and would find what is."""

from collections.abc import Iterator

import pytest

from muniment.client import Client
from muniment.testing import Running
from muniment_evals.probes import NEVER, PROBES, Check, Place, run
from muniment_evals.probes.probe import measure

pytestmark = pytest.mark.long

FEW = 15
# Of paraphrases some are two memories: what is sure to be apart stays apart first of all.
MERGED = 0.9


def place(running: Running) -> Place:
    """A fresh tenant, and a way to another one."""

    def fresh() -> Client:
        with Client(running.url, running.key) as installation:
            return Client(running.url, installation.tenants.create(name="probe").key.secret)

    return Place(fresh(), fresh, pairs=FEW)


def test_nothing_is_wrong(running: Running) -> None:
    said: list[str] = []
    own = place(running)
    with own.client:
        figures = run(own, said.append)
    assert set(figures) == set(PROBES) > set(NEVER)
    assert len(said) == len(PROBES)
    others = {name: one for name, one in figures.items() if name != "duplicates_in_other_words"}
    assert {name: one.failures for name, one in others.items() if one.failed} == {}
    assert all(one.checks > 0 for one in figures.values())
    assert figures["duplicates_in_other_words"].rate <= 1 - MERGED


def test_what_is_wrong_is_counted(running: Running) -> None:
    def half_right(_: Place) -> Iterator[Check]:
        yield Check(True, "right")
        yield Check(False, "wrong")

    own = place(running)
    with own.client:
        figures = measure(half_right, own)
    assert (figures.checks, figures.failed, figures.rate) == (2, 1, 0.5)
    assert figures.failures == ["wrong"]
