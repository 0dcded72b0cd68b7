"""What an operation is: declared once, served by every surface from the registry."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from muniment.domain.policy import Layer
from muniment.errors import Fault, InvalidInput, MalformedBody, MunimentError
from muniment.operations.bounds import oversized
from muniment.operations.decode import clean, decode, place_of
from muniment.ports import Context

C = TypeVar("C")
R = TypeVar("R")

Method = Literal["GET", "PUT", "POST", "DELETE"]
Verb = Literal[
    "read", "write", "propose", "forget", "review", "steward", "operate", "audit", "admin",
    "install",
]  # fmt: skip
VERBS: tuple[Verb, ...] = get_args(Verb)


class Effect(Enum):
    """What an operation does to what is stored; surfaces derive their annotations from it."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


@dataclass(frozen=True)
class Http:
    """How an operation is offered over HTTP; ``{name}`` in the path is a field of the command."""

    method: Method
    path: str
    status: int = 200

    @property
    def path_fields(self) -> tuple[str, ...]:
        """Names of the command's fields that travel in the path."""
        parts = self.path.split("/")
        return tuple(part[1:-1] for part in parts if part.startswith("{"))


@dataclass(frozen=True)
class Parsed(Generic[C]):
    """A validated command, and what was repaired in the input on the way."""

    command: C
    repairs: tuple[Fault, ...]


@dataclass(frozen=True)
class Operation(Generic[C, R]):
    """One operation: command and result (frozen dataclasses), handler, effect, and its surfaces.

    ``errors`` are those of the operation itself; every operation may also raise the general ones.
    A ``layer`` of None: the operation spans layers, and the verb alone decides. ``columns`` is the
    table that people see; one that ends in ``?`` only where a row has it. ``checks_user``: the
    handler itself keeps a key of one user to that user, since the command names none. ``secret``:
    the result is shown once and never kept. ``still_holds``: whether an answer may be given again
    under its idempotency key; if not, the request is worked on as a new one. ``proposable``: a key
    that may only propose calls it too, and what it says waits for a person (RULES 15.5). ``exact``:
    fields whose texts come back as they were given or are refused; others are repaired.
    """

    name: str
    summary: str
    command: type[C]
    result: type[R]
    handler: Callable[[C, Context], Awaitable[R]]
    effect: Effect
    verb: Verb
    layer: Layer | None
    http: Http
    errors: tuple[type[MunimentError], ...] = ()
    columns: tuple[str, ...] = field(default=())
    checks_user: bool = False
    secret: bool = False
    still_holds: Callable[[C, R, Context], Awaitable[bool]] | None = None
    proposable: bool = False
    exact: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The part of the name before the dot, or the whole name."""
        return self.name.partition(".")[0]

    @property
    def action(self) -> str:
        """The part of the name after the dot, or the whole name."""
        return self.name.rpartition(".")[2]

    def allows(self, verbs: Collection[str]) -> bool:
        """Whether a key with these verbs may call it."""
        return self.verb in verbs or (self.proposable and "propose" in verbs)

    @cached_property
    def commands(self) -> TypeAdapter[C]:
        """Reads and describes the command."""
        return TypeAdapter(self.command)

    @cached_property
    def results(self) -> TypeAdapter[R]:
        """Writes and describes the result."""
        return TypeAdapter(self.result)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the command."""
        return self.commands.json_schema()

    @cached_property
    def field_names(self) -> tuple[str, ...]:
        """Names of the command's fields."""
        return tuple(one.name for one in fields(self.command))  # type: ignore[arg-type]

    @cached_property
    def _exact(self) -> list[list[str]]:
        return [[name] for name in self.exact]

    @cached_property
    def nullable(self) -> frozenset[str]:
        """Required fields that any JSON value fills, null too: leaving one out is no null."""
        required = self.schema.get("required", [])
        return frozenset(name for name in required if self.types(name) == ["JSON"])

    def parse(self, raw: bytes, path: Mapping[str, str]) -> Parsed[C]:
        """The one way in for all surfaces: JSON text and path parameters to a valid command.

        Raises MalformedBody for what is not JSON as the service reads it, InvalidInput with JSON
        pointers for what breaks a rule.
        """
        document = decode(raw) if raw else {}
        if not isinstance(document, dict):
            raise InvalidInput(faults=[Fault("", "expected an object")])
        return self.parse_decoded(document, path)

    def parse_texts(self, texts: Mapping[str, str], path: Mapping[str, str]) -> Parsed[C]:
        """The same from query parameters: texts stay texts where the field is one, else JSON."""
        document = {name: self.from_text(name, text) for name, text in texts.items()}
        try:
            return self.parse_decoded(document, path)
        except MalformedBody as error:
            raise InvalidInput(faults=error.faults) from None

    def types(self, name: str) -> list[str]:
        """JSON types that a field of the command admits, without null."""
        return _types(self.schema["properties"].get(name, {"type": "string"}))

    def from_text(self, name: str, text: str) -> Any:
        """A field from text: texts stay texts, lists may be separated by commas, else JSON."""
        types = self.types(name)
        if "string" in types:
            return text
        if types == ["array"] and not text.startswith("["):
            return text.split(",")
        try:
            return decode(text.encode("utf-8", "replace"))
        except MalformedBody:
            raise InvalidInput(
                faults=[Fault(f"/{name}", f"expected {' or '.join(types)}")]
            ) from None

    def parse_decoded(self, document: Mapping[str, Any], path: Mapping[str, str]) -> Parsed[C]:
        """The same from decoded JSON, as query parameters and in-process callers have it."""
        for name in path:
            if name in document:
                raise InvalidInput(faults=[Fault(f"/{name}", "is given by the path already")])
        repairs: list[Fault] = []
        merged = clean(document, "", repairs) | clean(self._path_values(path), "", repairs)
        places = dict.fromkeys(one.pointer for one in repairs)
        if unkept := [one for one in places if one.split("/")[1:2] in self._exact]:
            raise InvalidInput(faults=[Fault(one, _UNKEPT) for one in unkept[:MOST_FAULTS]])
        if faults := oversized(self.schema, merged, MOST_FAULTS):
            raise InvalidInput(faults=faults)
        try:
            command = self.commands.validate_json(_dump(merged), strict=True)
        except ValidationError as error:
            raise InvalidInput(faults=_faults(error)) from None
        return Parsed(command, tuple(repairs))

    def _path_values(self, path: Mapping[str, str]) -> dict[str, Any]:
        return {name: self.from_text(name, text) for name, text in path.items()}


_JSON: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])
MOST_FAULTS = 20
_UNKEPT = "holds NUL or a broken character, which cannot be kept as it is"
# In the place of messages that quote a piece of the value or name a detail of the language.
_MESSAGES = {
    "uuid_parsing": "expected a UUID",
    "uuid_type": "expected a UUID",
    "unexpected_keyword_argument": "is not a field here",
}


def _dump(document: dict[str, Any]) -> bytes:
    return _JSON.dump_json(document)


def _types(schema: Mapping[str, Any]) -> list[str]:
    """The JSON types that a property's schema admits, without null."""
    if "anyOf" in schema:
        return [name for option in schema["anyOf"] for name in _types(option) if name != "null"]
    if "enum" in schema or "const" in schema:
        return ["string"]
    if "$ref" in schema:
        return ["object"]
    return [schema["type"]] if "type" in schema else ["JSON"]


def _faults(error: ValidationError) -> list[Fault]:
    """Places and rules, never the value that broke them."""
    errors = error.errors(include_url=False, include_input=False)
    broken = [one["loc"] for one in errors]
    return [
        Fault(place_of(one["loc"]), _message(one))
        for one in errors
        # Members that are broken do not count: their list is called too short besides.
        if one["type"] != "too_short" or not any(_within(loc, one["loc"]) for loc in broken)
    ][:MOST_FAULTS]


def _within(loc: tuple[int | str, ...], outer: tuple[int | str, ...]) -> bool:
    return len(loc) > len(outer) and loc[: len(outer)] == outer


def _message(one: ErrorDetails) -> str:
    bounds = one.get("ctx", {})
    if one["type"] == "too_short":
        return f"at least {bounds['min_length']} of them"
    if one["type"] == "too_long":
        return f"at most {bounds['max_length']} of them"
    return _MESSAGES.get(one["type"], one["msg"].removeprefix("Value error, "))
