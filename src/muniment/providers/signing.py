"""Ed25519 with a key in a file, made at first use, for its owner alone."""

import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from muniment.errors import Unavailable


class Ed25519Signer:
    """Implements ``domain.sealing.Signer``. The file holds the private key, hexadecimal."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._key: Ed25519PrivateKey | None = None

    def public_key(self) -> str:
        """The public key. Raises Unavailable where the file cannot be used."""
        return self._held().public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> str:
        """A signature. Raises Unavailable where the file cannot be used."""
        return self._held().sign(message).hex()

    def holds(self, public_key: str, message: bytes, signature: str) -> bool:
        """Whether the holder of that key signed this message; false for what is no key, too."""
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
            key.verify(bytes.fromhex(signature), message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def _held(self) -> Ed25519PrivateKey:
        if self._key is None:
            try:
                self._key = _read(self._file) or _made(self._file)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "it holds no key"
                raise Unavailable(
                    f"The file of the key that signs the audit chain cannot be used: {reason}."
                ) from error
        return self._key


def _read(file: Path) -> Ed25519PrivateKey | None:
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.read_text("ascii")))
    except FileNotFoundError:
        return None


def _made(file: Path) -> Ed25519PrivateKey:
    """A new key, whole before it has its name; of two processes the first one's counts."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.{os.getpid()}.new")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n")
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(partial, file)
    except FileExistsError:
        pass
    finally:
        partial.unlink()
    key = _read(file)
    if key is None:
        raise FileNotFoundError(file)
    return key


def append_lines(file: Path, lines: str) -> None:
    """Append to a file for its owner alone, durably. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="ascii") as out:
        out.write(lines)
        out.flush()
        os.fsync(out.fileno())
