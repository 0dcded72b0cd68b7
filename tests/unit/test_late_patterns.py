"""Patterns that are compiled late.

| given | when | then |
|---|---|---|
| a late pattern | it is used | it answers as the compiled one does |
| a wrong one | it is made; it is used | nothing; the compiler's error |
| every module of the domain and the providers | all late patterns are compiled | none is wrong |
"""

import re
import subprocess
import sys

import pytest
import regex

from muniment.domain.late import late, late_regex

TEXTS = ("", "abc", "Abc abC", "a b\nc ab")
IMPORT_ALL = """
import gc, importlib, pkgutil
import muniment.domain, muniment.providers
for package in (muniment.domain, muniment.providers):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith(".sentence_models"):  # it needs an extra
            importlib.import_module(module.name)
from muniment.domain.late import _Late
made = [one for one in gc.get_objects() if isinstance(one, _Late)]
for one in made:
    one.flags
print(len(made))
"""


@pytest.mark.parametrize("text", TEXTS)
def test_answers_as_the_compiled_pattern_does(text: str) -> None:
    source, flags = r"(?P<one>a)(b)?", re.IGNORECASE
    for made, compiled in (
        (late(source, flags), re.compile(source, flags)),
        (late_regex(source, flags), regex.compile(source, flags)),
    ):
        assert made.sub("-", text) == compiled.sub("-", text)
        assert made.subn("-", text) == compiled.subn("-", text)
        assert made.split(text) == compiled.split(text)
        assert made.findall(text) == compiled.findall(text)
        assert [one.span() for one in made.finditer(text)] == [
            one.span() for one in compiled.finditer(text)
        ]
        for name in ("match", "search", "fullmatch"):
            found, wanted = getattr(made, name)(text), getattr(compiled, name)(text)
            assert (found and found.groups()) == (wanted and wanted.groups())
        assert (made.pattern, made.flags, made.groups) == (source, compiled.flags, 2)
        assert made.groupindex == {"one": 1}


def test_a_wrong_pattern_fails_when_it_is_used() -> None:
    made, other = late("("), late_regex("(")
    with pytest.raises(re.error):
        made.search("a")
    with pytest.raises(regex.error):
        other.search("a")


def test_what_a_pattern_does_not_have_is_no_attribute() -> None:
    assert not hasattr(late("a"), "reversed")


def test_no_pattern_of_the_service_is_wrong() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
