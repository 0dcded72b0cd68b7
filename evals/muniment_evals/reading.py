"""Lines of a file that people give."""

from collections.abc import Iterator
from pathlib import Path

from muniment.errors import InvalidInput


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, by their number. Raises InvalidInput for what is no UTF-8 file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InvalidInput(f"{path}: {reason}.") from None
    yield from ((number, line) for number, line in enumerate(lines, 1) if line.strip())
