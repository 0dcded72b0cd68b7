"""Calls of the family files. Generated; do not edit."""

from muniment.client.calls import Call
from muniment.client.core import Endpoint
from muniment.client.generated.files import (
    File,
    Files,
    FilesChanged,
    FileStored,
    FileVersions,
)

_PUT = Endpoint("files.put", "PUT", "/v1/users/{user_id}/files/{path}", writes=True)
_GET = Endpoint("files.get", "GET", "/v1/users/{user_id}/files/{path}")
_LIST = Endpoint("files.list", "GET", "/v1/users/{user_id}/files")
_HISTORY = Endpoint("files.history", "GET", "/v1/users/{user_id}/files/{path}/history")
_MOVE = Endpoint("files.move", "POST", "/v1/users/{user_id}/files/{path}/move", writes=True)
_DELETE = Endpoint("files.delete", "DELETE", "/v1/users/{user_id}/files/{path}", writes=True)


class FilesCalls:
    """Calls of the family files."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def put(
        self,
        *,
        user_id: str,
        path: str,
        content: str,
        namespace: str = "default",
        agent_id: str | None = None,
        if_version: int | None = None,
        idempotency_key: str | None = None,
    ) -> FileStored:
        """Write a file.

        Write a file. ``if_version`` 0 asks that there be none, N that version N is what it
        says.

        >>> client.files.put(user_id="nora", path="path", content="I live in Gouda.")
        """
        return self._call(
            _PUT, {'user_id': user_id, 'path': path, 'content': content, 'namespace': namespace,
            'agent_id': agent_id, 'if_version': if_version}, FileStored, idempotency_key
        )  # fmt: skip

    def get(
        self, *, user_id: str, path: str, namespace: str = "default", version: int | None = None
    ) -> File:
        """Read a file.

        What a file says, or said in a ``version``.

        >>> client.files.get(user_id="nora", path="path")
        """
        return self._call(
            _GET, {'user_id': user_id, 'path': path, 'namespace': namespace, 'version': version},
            File
        )  # fmt: skip

    def list(
        self,
        *,
        user_id: str,
        namespace: str = "default",
        directory: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Files:
        """List the files of a user.

        Files of a user, or those below a directory, in the order of their paths.

        >>> client.files.list(user_id="nora")
        """
        return self._call(
            _LIST, {'user_id': user_id, 'namespace': namespace, 'directory': directory,
            'cursor': cursor, 'limit': limit}, Files
        )  # fmt: skip

    def history(
        self,
        *,
        user_id: str,
        path: str,
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> FileVersions:
        """List the versions of a file.

        Versions of a file, the last first; also of one that was deleted or moved away.

        >>> client.files.history(user_id="nora", path="path")
        """
        return self._call(
            _HISTORY, {'user_id': user_id, 'path': path, 'namespace': namespace, 'cursor': cursor,
            'limit': limit}, FileVersions
        )  # fmt: skip

    def move(
        self,
        *,
        user_id: str,
        path: str,
        to: str,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> FilesChanged:
        """Move a file or a directory.

        Give a file another path, or all files below a directory.

        >>> client.files.move(user_id="nora", path="path", to="to")
        """
        return self._call(
            _MOVE, {'user_id': user_id, 'path': path, 'to': to, 'namespace': namespace},
            FilesChanged, idempotency_key
        )  # fmt: skip

    def delete(
        self,
        *,
        user_id: str,
        path: str,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> FilesChanged:
        """Delete a file or a directory.

        End a file, or all files below a directory. Versions stay until the user is forgotten.

        >>> client.files.delete(user_id="nora", path="path")
        """
        return self._call(
            _DELETE, {'user_id': user_id, 'path': path, 'namespace': namespace}, FilesChanged,
            idempotency_key
        )  # fmt: skip
