"""Errors as text, as they show in a traceback and a log."""

from uuid import UUID

import pytest

from muniment.client.models import NewKey
from muniment.errors import Fault, InvalidInput, MunimentError, NotFound


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (NotFound("There is no such memory."), "There is no such memory."),
        (NotFound(), NotFound.title),
        (
            InvalidInput(faults=[Fault("/k", "at most 100"), Fault("/user_id", "is needed")]),
            f"{InvalidInput.title} /k: at most 100; /user_id: is needed",
        ),
        (InvalidInput("The body.", faults=[Fault("", "is no object")]),
         "The body. the whole: is no object"),
    ],
)  # fmt: skip
def test_an_error_says_where_and_what(error: MunimentError, text: str) -> None:
    assert str(error) == text


def test_a_secret_is_not_shown_by_chance() -> None:
    key = NewKey(key_id=UUID(int=1), principal="p", secret="mnm_secret")
    assert "mnm_secret" not in repr(key)
    assert key.secret == "mnm_secret"
