"""The commands of the memory tool as calls of the SDK, whoever makes them, at once or awaited."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from anthropic.lib.tools import ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand as Create,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818DeleteCommand as Delete,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818InsertCommand as Insert,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818RenameCommand as Rename,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818StrReplaceCommand as StrReplace,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818ViewCommand as View,
)

from muniment.anthropic.texts import inserted, listing, numbered, replaced
from muniment.errors import Conflict, InvalidInput, NotFound, StaleVersion

ROOT = "/memories"
_TRIES = 20
_PAGE = 200
_MISSING = "The path {} does not exist. Please provide a valid path."

Call = tuple[str, dict[str, Any]]
Steps = Generator[Call, Any, str]


@dataclass(frozen=True)
class Commands:
    """The commands on the files of one user. Each yields calls of ``files`` and gets their answers
    or errors; what it returns is told to the model.
    """

    user_id: str
    namespace: str
    agent_id: str | None

    def view(self, command: View) -> Steps:
        """A file with line numbers, or what lies in a directory."""
        path = _within(command.path)
        if path:
            held = yield from self._find(path)
            if held is not None:
                return numbered(command.path, held.content, command.view_range)
        sizes = yield from self._below(path)
        if path and not sizes:
            raise ToolError(_MISSING.format(command.path))
        return listing(command.path, sizes)

    def create(self, command: Create) -> Steps:
        """A new file; one that is there stays."""
        path = _within(command.path)
        if not path:
            raise ToolError(f"File {command.path} already exists")
        try:
            told = yield from self._put(path, command.path, command.file_text, 0)
        except Conflict as error:
            stale = isinstance(error, StaleVersion)
            if stale or (yield from self._below(path)):
                raise ToolError(f"File {command.path} already exists") from error
            raise ToolError(f"The path {command.path} lies in a file") from error
        return f"File created successfully at: {command.path}{told}"

    def str_replace(self, command: StrReplace) -> Steps:
        """One text in the place of another that is there once."""
        return (
            yield from self._edit(
                command.path,
                lambda content: replaced(command.path, content, command.old_str, command.new_str),
            )
        )

    def insert(self, command: Insert) -> Steps:
        """A text after a line."""
        return (
            yield from self._edit(
                command.path,
                lambda content: inserted(
                    command.path, content, command.insert_line, command.insert_text
                ),
            )
        )

    def delete(self, command: Delete) -> Steps:
        """A file, or a directory with all that lies in it."""
        path = _within(command.path)
        if not path:
            raise ToolError("Cannot delete the /memories directory itself")
        try:
            yield self._call("delete", path=path)
        except NotFound as error:
            raise ToolError(f"The path {command.path} does not exist") from error
        except InvalidInput as error:
            raise _refused(command.path, error) from error
        return f"Successfully deleted {command.path}"

    def rename(self, command: Rename) -> Steps:
        """Another path for a file or a directory; what is there already stays."""
        old, new = _within(command.old_path), _within(command.new_path)
        if not old:
            raise ToolError("Cannot rename the /memories directory itself")
        if old == new and not (yield from self._is_there(old)):
            raise ToolError(f"The path {command.old_path} does not exist")
        if not new or old == new:
            raise ToolError(f"The destination {command.new_path} already exists")
        try:
            yield self._call("move", path=old, to=new)
        except NotFound as error:
            raise ToolError(f"The path {command.old_path} does not exist") from error
        except Conflict as error:
            raise ToolError(f"The destination {command.new_path} already exists") from error
        except InvalidInput as error:
            aimed = any(fault.pointer == "/to" for fault in error.faults)
            at = command.new_path if aimed else command.old_path
            raise _refused(at, error) from error
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self) -> Steps:
        """All files end."""
        sizes = yield from self._below("")
        for name in sorted({path.partition("/")[0] for path in sizes}):
            yield self._call("delete", path=name)
        return "All memory cleared"

    def _call(self, name: str, **given: Any) -> Call:
        return name, {"user_id": self.user_id, "namespace": self.namespace, **given}

    def _find(self, path: str) -> Generator[Call, Any, Any]:
        try:
            return (yield self._call("get", path=path))
        except NotFound:
            return None
        except InvalidInput as error:
            raise _refused(f"{ROOT}/{path}", error) from error

    def _is_there(self, path: str) -> Generator[Call, Any, bool]:
        held = yield from self._find(path)
        return held is not None or bool((yield from self._below(path)))

    def _below(self, path: str) -> Generator[Call, Any, dict[str, int]]:
        """Sizes of the files in a directory, by their paths within it."""
        sizes: dict[str, int] = {}
        place: dict[str, Any] = {"directory": path} if path else {}
        cursor: dict[str, Any] = {}
        while True:
            page = yield self._call("list", limit=_PAGE, **place, **cursor)
            for one in page.items:
                sizes[one.path.removeprefix(f"{path}/") if path else one.path] = one.size
            if page.next is None:
                return sizes
            cursor = {"cursor": page.next}

    def _put(self, path: str, shown: str, content: str, version: int) -> Generator[Call, Any, str]:
        """Write a file over a version; what is told besides. Raises Conflict."""
        try:
            stored = yield self._call(
                "put", path=path, content=content, if_version=version, agent_id=self.agent_id
            )
        except InvalidInput as error:
            raise _refused(shown, error) from error
        kinds = ", ".join(stored.redacted)
        return f"\nNot kept, since these are secrets: {kinds}" if kinds else ""

    def _edit(self, shown: str, edit: Any) -> Steps:
        """Read, edit, write; anew where somebody else wrote meanwhile."""
        path = _within(shown)
        for _ in range(_TRIES):
            held = (yield from self._find(path)) if path else None
            if held is None:
                there = not path or bool((yield from self._below(path)))
                raise ToolError(
                    f"The path {shown} is not a file." if there else _MISSING.format(shown)
                )
            content, told = edit(held.content)
            try:
                more = yield from self._put(path, shown, content, held.version)
            except StaleVersion:
                continue
            return f"{told}{more}"
        raise ToolError(f"The file {shown} is being changed by others. Please try again.")


_TEXTS = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str", "new_str"),
    "insert": ("path", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}


def check(command: object) -> None:
    """The SDK hands on what a model wrote unchecked. Raises ToolError for a command that is none,
    or has a field of another type.
    """
    name = getattr(command, "command", None)
    if not isinstance(name, str) or name not in _TEXTS:
        raise ToolError(f"Unknown command. It should be one of: {', '.join(_TEXTS)}.")
    for field in _TEXTS[name]:
        if not isinstance(getattr(command, field, None), str):
            raise ToolError(f"Invalid `{field}` parameter. It should be a string.")
    if name == "insert" and not _is_whole(getattr(command, "insert_line", None)):
        raise ToolError("Invalid `insert_line` parameter. It should be an integer.")
    lines = getattr(command, "view_range", None) if name == "view" else None
    if lines is not None and not (isinstance(lines, list) and all(map(_is_whole, lines))):
        raise ToolError("Invalid `view_range` parameter. It should be a list of two integers.")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _within(path: str) -> str:
    """The path below the root, empty for the root itself. Raises ToolError for a way out of it, in
    every spelling: what only begins like the root is not in it.
    """
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolError(f"Path must start with {ROOT}, got: {path}")
    parts = [part for part in path.removeprefix(ROOT).split("/") if part not in ("", ".")]
    for part in parts:
        meant = part
        while (again := unquote(meant)) != meant:
            meant = again
        if meant.strip() in (".", "..") or {"/", "\\", "\x00"} & set(meant):
            raise ToolError(f"Path {path} would escape {ROOT} directory")
    return "/".join(parts)


def _refused(path: str, error: InvalidInput) -> ToolError:
    said = "; ".join(fault.message for fault in error.faults) or error.detail
    return ToolError(f"The file {path} is refused: {said}")
