"""The SDK's models and methods, written from the types of the registry."""

import dataclasses
import textwrap
import types
import typing
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import AwareDatetime

from muniment.errors import Fault
from muniment.operations.operation import Effect, Operation
from tools.generate_examples import doctest

Operations = Sequence[Operation[Any, Any]]
_FOLDER = "src/muniment/client/generated"
_SHARED = "shared"
# More fields of commands than that are too much for one file of a family.
_MOST = 25
# A call of so many characters fits into its line.
_LINE = 65
_NAMES: dict[object, str] = {
    str: "str", int: "int", float: "float", bool: "bool", bytes: "bytes", datetime: "datetime",
    AwareDatetime: "datetime", UUID: "UUID", Any: "Any", type(None): "None",
    Fault: "Fault",
}  # fmt: skip
_FACTORIES: dict[object, str] = {dict: "dict", list: "list"}
_IMPORTS = """
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.errors import Fault
"""


def client_files(operations: Operations) -> Mapping[str, str]:
    """One module a family, three for a large one; one of shared models, one for all families."""
    homes = _homes(operations)
    files = {f"{_FOLDER}/{_SHARED}.py": _shared(homes)}
    for family, members in _families(operations).items():
        if not _is_large(members):
            files[f"{_FOLDER}/{family}.py"] = _family(family, members, homes)
        else:
            files |= _large_family(family, members, homes)
    files[f"{_FOLDER}/surface.py"] = _surface(operations)
    files["src/muniment/client/models.py"] = _all_models(homes)
    return files


def _families(operations: Operations) -> dict[str, list[Operation[Any, Any]]]:
    found: dict[str, list[Operation[Any, Any]]] = defaultdict(list)
    for operation in operations:
        found[operation.family].append(operation)
    return found


def _homes(operations: Operations) -> dict[type, str]:
    """Where each model is written: with its family, or among the shared ones."""
    users: dict[type, set[str]] = defaultdict(set)
    for operation in operations:
        roots = [operation.result, *_field_types(operation.command).values()]
        for model in dict.fromkeys(m for root in roots for m in _models(root)):
            users[model].add(operation.family)
    homes = {m: next(iter(f)) if len(f) == 1 else _SHARED for m, f in users.items()}
    # What a shared model is made of is shared.
    for model in [model for model, home in homes.items() if home == _SHARED]:
        for part in _models(model):
            homes[part] = _SHARED
    names = [model.__name__ for model in homes]
    if len(set(names)) != len(names):
        raise ValueError("two models of the registry have one name")
    return homes


def _models(kind: object) -> Iterator[type]:
    """The dataclasses in a type, those that others are made of first."""
    if isinstance(kind, type) and kind not in _NAMES and dataclasses.is_dataclass(kind):
        for part in _field_types(kind).values():
            yield from _models(part)
        yield kind
    for argument in typing.get_args(kind):
        if not isinstance(argument, str):
            yield from _models(argument)


def _field_types(model: type) -> dict[str, Any]:
    return typing.get_type_hints(model)


def _text(kind: object) -> str:
    """A type as source."""
    if kind in _NAMES:
        return _NAMES[kind]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return f"Literal[{', '.join(repr(argument) for argument in arguments)}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(_text(argument) for argument in arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return f"tuple[{_text(arguments[0])}, ...]"
    if origin is list:
        return f"list[{_text(arguments[0])}]"
    if origin is dict:
        return f"dict[{_text(arguments[0])}, {_text(arguments[1])}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Mapping[{_text(arguments[0])}, {_text(arguments[1])}]"
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return kind.__name__
    raise TypeError(f"the generator does not know the type {kind!r}")


def _argument_text(kind: object) -> str:
    """A type as an argument: any sequence will do for a tuple, any mapping for a dict."""
    return (
        _text(kind)
        .replace("tuple[", "Sequence[")
        .replace(", ...]", "]")
        .replace("dict[", "Mapping[")
    )


def _model(model: type) -> str:
    lines = [f"@dataclass(frozen=True)\nclass {model.__name__}:", f'    """{model.__doc__}"""\n']
    hints = _field_types(model)
    fields = sorted(dataclasses.fields(model), key=_has_default)
    lines += [f"    {one.name}: {_text(hints[one.name])}{_default(one)}" for one in fields]
    return "\n".join(lines)


def _has_default(one: "dataclasses.Field[Any]") -> bool:
    return (one.default, one.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)


def _default(one: "dataclasses.Field[Any]") -> str:
    if one.default is not dataclasses.MISSING:
        return f" = {one.default!r}"
    if one.default_factory is not dataclasses.MISSING:
        return f" = field(default_factory={_FACTORIES[one.default_factory]})"
    if not one.repr:
        return " = field(repr=False)"
    return ""


def _shared(homes: Mapping[type, str]) -> str:
    models = [_model(model) for model, home in homes.items() if home == _SHARED]
    return "\n\n\n".join(
        [f'"""Models of more than one family. Generated; do not edit."""\n{_IMPORTS}', *models]
    )


def _family(family: str, members: Operations, homes: Mapping[type, str]) -> str:
    parts = [*_own_models(family, homes), "\n".join(map(_endpoint, members))]
    parts += [_calls(family, members, ""), _calls(family, members, "Async")]
    return "\n\n\n".join([_head(f"The family {family}", homes, [_SHARED]), *parts])


def _large_family(family: str, members: Operations, homes: Mapping[type, str]) -> Mapping[str, str]:
    """The models, the calls, and the asynchronous calls, each in a module."""
    head = _head(f"Models of the family {family}", homes, [_SHARED])
    found = {f"{_FOLDER}/{family}.py": "\n\n\n".join([head, *_own_models(family, homes)])}
    for prefix in ("", "Async"):
        head = _head(f"Calls of the family {family}", homes, [_SHARED, family])
        parts = [head, "\n".join(map(_endpoint, members)), _calls(family, members, prefix)]
        module = _calls_module(family, members, prefix)
        found[f"{_FOLDER}/{module}.py"] = "\n\n\n".join(parts)
    return found


def _is_large(members: Operations) -> bool:
    """Whether models and calls of a family take more than one module."""
    return sum(len(operation.field_names) for operation in members) > _MOST


def _calls_module(family: str, members: Operations, prefix: str) -> str:
    """Where the class with the calls of a family is."""
    if not _is_large(members):
        return family
    return f"{family}_{prefix.lower()}_calls" if prefix else f"{family}_calls"


def _head(what: str, homes: Mapping[type, str], used: Sequence[str]) -> str:
    head = f'"""{what}. Generated; do not edit."""\n{_IMPORTS}'
    for module in used:
        names = sorted(model.__name__ for model, home in homes.items() if home == module)
        head += f"from muniment.client.generated.{module} import {', '.join(names)}\n"
    return head


def _own_models(family: str, homes: Mapping[type, str]) -> list[str]:
    return [_model(model) for model, home in homes.items() if home == family]


def _calls(family: str, members: Operations, prefix: str) -> str:
    methods = [_method(operation, asynchronous=bool(prefix)) for operation in members]
    return (
        f'class {class_name(family, prefix)}:\n    """Calls of the family {family}."""\n\n'
        f"    def __init__(self, call: {prefix}Call) -> None:\n        self._call = call\n\n"
        + "\n\n".join(methods)
    )


def _all_models(homes: Mapping[type, str]) -> str:
    lines = ['"""Every model of the SDK. Generated; do not edit."""\n']
    for home in sorted(set(homes.values())):
        names = sorted(model.__name__ for model, where in homes.items() if where == home)
        lines.append(f"from muniment.client.generated.{home} import {', '.join(names)}")
    exported = ", ".join(f'"{name}"' for name in sorted(model.__name__ for model in homes))
    wrapped = textwrap.fill(exported, 96, initial_indent="    ", subsequent_indent="    ")
    return "\n".join([*lines, f"\n__all__ = [\n{wrapped},\n]  # fmt: skip\n"])


def class_name(family: str, prefix: str = "") -> str:
    """The name of the class with a family's methods."""
    return f"{prefix}{family.capitalize()}Calls"


def _endpoint(operation: Operation[Any, Any]) -> str:
    http = operation.http
    writes = ", writes=True" if operation.effect is not Effect.READ else ""
    if operation.nullable:
        writes += f", nullable=frozenset({sorted(operation.nullable)!r})"
    place = f"{operation.name!r}, {http.method!r}, {http.path!r}"
    return f"_{operation.action.upper()} = Endpoint({place}{writes})"


def _method(operation: Operation[Any, Any], *, asynchronous: bool) -> str:
    hints = _field_types(operation.command)
    fields = sorted(dataclasses.fields(operation.command), key=_has_default)
    parameters = [f"{one.name}: {_parameter(one, hints[one.name])}" for one in fields]
    arguments = ", ".join(f"{one.name!r}: {one.name}" for one in fields)
    key = ""
    if operation.effect is not Effect.READ:
        parameters.append("idempotency_key: str | None = None")
        key = ", idempotency_key"
    star = "*, " if parameters else ""
    name, result = operation.action, operation.result.__name__
    wait = "await " if asynchronous else ""
    return (
        f"    {'async ' if asynchronous else ''}def {name}(self, {star}{', '.join(parameters)}) -> {result}:\n"
        f'        """{operation.summary}.\n\n{_indent(_doc(operation))}\n\n'
        f"{textwrap.indent(doctest(operation, asynchronous=asynchronous), '        ')}\n"
        '        """\n'
        f"        return {wait}self._call({_wrapped(f'_{name.upper()}, {{{arguments}}}, {result}{key}')}"
    )


def _wrapped(arguments: str) -> str:
    """The arguments of a call and its end, filled into lines where they are long: one a line, they
    would be most of a file.
    """
    if len(arguments) < _LINE:
        return f"{arguments})"
    held = arguments.replace(": ", ":\xa0")
    filled = textwrap.fill(held, 86, break_long_words=False, break_on_hyphens=False)
    lines = textwrap.indent(filled.replace("\xa0", " "), " " * 12)
    return f"\n{lines}\n        )  # fmt: skip"


def _doc(operation: Operation[Any, Any]) -> str:
    return (operation.command.__doc__ or "").strip()


def _indent(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    wrapped = [textwrap.fill(part, 88, break_on_hyphens=False) for part in paragraphs]
    return textwrap.indent("\n\n".join(wrapped), "        ")


def _parameter(one: "dataclasses.Field[Any]", kind: object) -> str:
    text = _argument_text(kind)
    if not _has_default(one):
        return text
    if one.default is dataclasses.MISSING:
        return f"{text} | None = None"
    return f"{text} = {one.default!r}"


def _surface(operations: Operations) -> str:
    families = _families(operations)
    head = '"""Every family in one place. Generated; do not edit."""\n'
    head += "from muniment.client.calls import AsyncCall, Call\n"
    for family, members in families.items():
        for prefix in ("", "Async"):
            module = _calls_module(family, members, prefix)
            name = class_name(family, prefix)
            head += f"from muniment.client.generated.{module} import {name}\n"
    parts = [head]
    for prefix, call in (("", "Call"), ("Async", "AsyncCall")):
        lines = [
            f"class {prefix}Surface:",
            f'    """What {prefix}Client offers: a family an attribute, single operations as methods."""\n',
        ]
        lines.append(f"    def __init__(self, call: {call}) -> None:")
        for family, members in families.items():
            made = f"{class_name(family, prefix)}(call)"
            single = len(members) == 1 and members[0].name == family
            lines.append(f"        self.{family} = {made}{f'.{family}' if single else ''}")
        parts.append("\n".join(lines))
    return "\n\n\n".join(parts)
