"""What the memory tool tells of a file, and what its edits make of one.

The words are those of the SDK's own file-system backend: models know them.
"""

from collections.abc import Iterable, Mapping, Sequence

from anthropic.lib.tools import ToolError

_WIDTH = len("999999")
_DEPTH = 2
_UNITS = "BKMG"


def numbered(path: str, content: str, view_range: Sequence[int] | None) -> str:
    """A file with the numbers of its lines, or so much of it as was asked for."""
    lines = content.split("\n")
    first, last = 1, len(lines)
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0])
        last = len(lines) if view_range[1] == -1 else view_range[1]
    shown = _with_numbers(lines[first - 1 : last], first)
    return f"Here's the content of {path} with line numbers:\n{shown}"


def listing(path: str, sizes: Mapping[str, int]) -> str:
    """A directory, two levels deep. ``sizes`` are those of the files, by their paths within it."""
    seen = {name: size for name, size in sizes.items() if not _hidden(name)}
    lines = [f"{_size(sum(sizes.values()))}\t{path}"]
    for name, size in sorted(_entries(seen).items(), key=lambda one: one[0].split("/")):
        lines.append(f"{_size(size)}\t{path}/{name}")
    header = f"Here're the files and directories up to 2 levels deep in {path}, "
    return f"{header}excluding hidden items:\n" + "\n".join(lines)


def replaced(path: str, content: str, old: str, new: str) -> tuple[str, str]:
    """The content with one text in the place of another, and what is told. Raises ToolError where
    the old one is not there just once.
    """
    count = content.count(old)
    if count == 0:
        raise ToolError(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
        )
    if count > 1:
        raise ToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{', '.join(map(str, _lines_with(content, old)))}. Please ensure it is unique"
        )
    at = content[: content.find(old)].count("\n")
    after = content.replace(old, new)
    lines = after.split("\n")
    start = max(0, at - 2)
    shown = _with_numbers(lines[start : at + 3], start + 1)
    told = "The memory file has been edited. Here is the snippet showing the change "
    return after, f"{told}(with line numbers):\n{shown}"


def inserted(path: str, content: str, line: int, text: str) -> tuple[str, str]:
    """The content with a text after a line, and what is told. Raises ToolError where there is no
    such line.
    """
    lines = content.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise ToolError(
            f"Invalid `insert_line` parameter: {line}. It should be within the range "
            f"[0, {len(lines)}]."
        )
    lines.insert(line, text.rstrip("\n"))
    after = "\n".join(lines)
    return after if after.endswith("\n") else f"{after}\n", f"The file {path} has been edited."


def _with_numbers(lines: Iterable[str], first: int) -> str:
    return "\n".join(f"{str(n).rjust(_WIDTH)}\t{line}" for n, line in enumerate(lines, first))


def _lines_with(content: str, old: str) -> list[int]:
    found = []
    at = content.find(old)
    while at != -1:
        found.append(content[:at].count("\n") + 1)
        at = content.find(old, at + 1)
    return found


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/")[:_DEPTH])


def _entries(sizes: Mapping[str, int]) -> dict[str, int]:
    """Files and directories of the upper levels; a directory is as large as what lies in it."""
    found: dict[str, int] = {}
    for name, size in sizes.items():
        parts = name.split("/")
        if len(parts) <= _DEPTH:
            found[name] = size
        for depth in range(1, min(len(parts), _DEPTH + 1)):
            directory = "/".join(parts[:depth]) + "/"
            found[directory] = found.get(directory, 0) + size
    return found


def _size(size: int) -> str:
    if size == 0:
        return "0B"
    power = min((size.bit_length() - 1) // 10, len(_UNITS) - 1)
    scaled = size / 1024**power
    return f"{int(scaled) if scaled == int(scaled) else f'{scaled:.1f}'}{_UNITS[power]}"
