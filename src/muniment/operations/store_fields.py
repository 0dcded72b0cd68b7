"""Where an item of the application's own lies, by what it is found, and how long it stays."""

from typing import Annotated

from annotated_types import Gt, Le, MaxLen, MinLen
from pydantic import AfterValidator, Field

from muniment.operations.types import Identifier

MAX_LABELS = 16
MAX_PATH_BYTES = 1024
MAX_FIELDS = 16
MAX_PLACE = 256
MAX_LIFE = 100 * 366 * 24 * 3600


def _short(path: tuple[str, ...]) -> tuple[str, ...]:
    if sum(len(label.encode()) for label in path) > MAX_PATH_BYTES:
        raise ValueError(f"at most {MAX_PATH_BYTES} bytes of UTF-8 together")
    return path


def _bounded(place: str) -> str:
    if len(place.encode()) > MAX_PLACE:
        raise ValueError(f"at most {MAX_PLACE} bytes of UTF-8")
    return place


Labels = Annotated[tuple[Identifier, ...], MaxLen(MAX_LABELS), AfterValidator(_short)]
Path = Annotated[tuple[Identifier, ...], MinLen(1), MaxLen(MAX_LABELS), AfterValidator(_short)]
Place = Annotated[
    str, MinLen(1), AfterValidator(_bounded), Field(json_schema_extra={"maxLength": MAX_PLACE})
]
Places = Annotated[tuple[Place, ...], MaxLen(MAX_FIELDS)]
Life = Annotated[float, Gt(0), Le(MAX_LIFE)]
