"""A file with one secret, for its owner alone."""

import os
from pathlib import Path

from muniment.errors import BadSetting


def read_secret(path: Path) -> str | None:
    """What the file holds; None if there is none. Raises BadSetting for one that is not text."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(path, error) from error


def write_secret(path: Path, secret: str) -> None:
    """Replace the file by one of mode 0600, at once and durably. Raises BadSetting."""
    partial = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secret + "\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: Exception) -> BadSetting:
    reason = getattr(error, "strerror", None) or "it is not text"
    return BadSetting(
        f"The key file {path} cannot be used: {reason}.",
        cure="Set MUNIMENT_DATA_DIR to a directory that this user can write.",
    )
