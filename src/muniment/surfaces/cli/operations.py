"""A command for each operation: path fields are arguments, the others options."""

import inspect
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from muniment.client.connection import find_client
from muniment.client.core import Endpoint
from muniment.errors import Fault, InvalidInput
from muniment.operations.operation import Effect, Operation
from muniment.surfaces.cli.families import MODULES
from muniment.surfaces.cli.output import EXIT_USAGE, show, show_error


def add_to(cli: typer.Typer, family: str | None = None) -> None:
    """Add the operations of a family, or of all: ``FAMILY ACTION``, or ``NAME`` for one that is a
    family of its own."""
    families: dict[str, typer.Typer] = {}
    for operation in _operations(family):
        place = cli
        if operation.name != operation.family:
            if operation.family not in families:
                families[operation.family] = typer.Typer(no_args_is_help=True)
                cli.add_typer(
                    families[operation.family],
                    name=operation.family,
                    help=f"Operations of the family {operation.family}.",
                )
            place = families[operation.family]
        place.command(operation.action, help=_help(operation))(_command(operation))


def _operations(family: str | None) -> Iterable[Operation[Any, Any]]:
    if family is None:
        found: Iterable[Operation[Any, Any]] = _operations_module("registry").REGISTRY.values()
        return found
    modules = [_operations_module(name) for name in MODULES[family]]
    return [one for module in modules for one in module.OPERATIONS if one.family == family]


def _operations_module(name: str) -> Any:
    return import_module(f"muniment.operations.{name}")


def _help(operation: Operation[Any, Any]) -> str:
    return f"{operation.summary}.\n\n{inspect.cleandoc(operation.command.__doc__ or '')}"


def _command(operation: Operation[Any, Any]) -> Callable[..., None]:
    def run(**given: Any) -> None:
        as_json = given.pop("as_json")
        try:
            arguments = {
                name: _value(operation, name, value)
                for name, value in given.items()
                if value is not None
            }
        except InvalidInput as error:
            show_error(error, as_json=as_json)
            raise typer.Exit(EXIT_USAGE) from None
        endpoint = Endpoint(
            operation.name,
            operation.http.method,
            operation.http.path,
            writes=operation.effect is not Effect.READ,
            nullable=operation.nullable,
        )
        with find_client() as client:
            result = client.call(endpoint, arguments, operation.result)
        show(result, operation.columns, as_json=as_json)
        if getattr(result, "ok", True) is False:
            # What was verified and found wrong.
            raise typer.Exit(1)

    parameters = [_parameter(operation, name) for name in operation.field_names]
    parameters = [*parameters, _as_json()]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def _parameter(operation: Operation[Any, Any], name: str) -> inspect.Parameter:
    required = name in operation.schema.get("required", [])
    kind: Any = bool if operation.types(name) == ["boolean"] else str
    default: Any = inspect.Parameter.empty if required else None
    if name in operation.http.path_fields:
        kind = Annotated[kind, typer.Argument()]
    else:
        kind = Annotated[
            kind if required else kind | None, typer.Option(help=_hint(operation, name))
        ]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _hint(operation: Operation[Any, Any], name: str) -> str:
    types = operation.types(name)
    if "object" in types:
        return "JSON, FILE or @FILE with JSON, or @- for standard input."
    if "array" in types:
        return "JSON, @FILE with JSON, or @- for standard input."
    schema = operation.schema["properties"][name]
    options = (schema, *schema.get("anyOf", []))
    choices = [value for option in options for value in option.get("enum", [])]
    return f"One of: {', '.join(choices)}." if choices else ""


def _as_json() -> inspect.Parameter:
    option = typer.Option("--json", help="Print the result as JSON.")
    return inspect.Parameter(
        "as_json",
        inspect.Parameter.KEYWORD_ONLY,
        default=False,
        annotation=Annotated[bool, option],
    )


def _value(operation: Operation[Any, Any], name: str, given: Any) -> Any:
    """The JSON value of an option. Raises InvalidInput for what is not one."""
    if not isinstance(given, str):
        return given
    types = operation.types(name)
    if given.startswith("@") and ("object" in types or "array" in types):
        given = _read(name, given[1:])
    elif "object" in types and not given.lstrip().startswith("{") and Path(given).is_file():
        given = _read(name, given)
    return operation.from_text(name, given)


def _read(name: str, path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InvalidInput(faults=[Fault(f"/{name}", f"{path}: {reason}")]) from None
