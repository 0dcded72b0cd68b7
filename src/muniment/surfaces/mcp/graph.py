"""The tools of the reference knowledge-graph memory server, on a user's memories."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from muniment.errors import Fault, InvalidInput, MunimentError, NotFound
from muniment.operations.operation import Effect, Http, Operation, Verb
from muniment.operations.registry import REGISTRY
from muniment.surfaces.mcp import graph_shapes as shapes
from muniment.surfaces.mcp.calls import Calls, told
from muniment.surfaces.mcp.graph_store import GraphStore, Kept
from muniment.surfaces.mcp.incoming import IDEMPOTENCY_META, Incoming
from muniment.surfaces.mcp.tools import Tool
from muniment.surfaces.mcp.toolsets import ToolCall

Handler = Callable[[Any, GraphStore], Awaitable[Any]]
_VERBS: dict[Effect, Verb] = {
    Effect.READ: "read",
    Effect.WRITE: "write",
    Effect.DESTRUCTIVE: "forget",
}
_DOES: dict[Effect, tuple[str, ...]] = {
    Effect.READ: (),
    Effect.WRITE: ("memories.remember",),
    Effect.DESTRUCTIVE: ("forget",),
}


async def _create_entities(
    command: shapes.CreateEntities, graph: GraphStore
) -> shapes.CreatedEntities:
    faults = [
        Fault(f"/entities/{at}/entityType", "stands for the user; choose another")
        for at, node in enumerate(command.entities)
        if node.entity_type == "self"
    ]
    if faults:
        raise InvalidInput(faults=faults)
    created: list[shapes.SeenNode] = []
    waiting: list[shapes.SeenNode] = []
    firsts: dict[str, tuple[int, shapes.Node]] = {}
    for at, node in enumerate(command.entities):
        firsts.setdefault(node.name, (at, node))
    with _one_by_one() as done:
        for at, node in firsts.values():
            kept = await graph.create(node)
            done.append(f"/entities/{at}")
            if kept is not None and not kept.proposed:
                created.append(_seen(node, kept.held))
            if kept is not None and kept.waiting:
                waiting.append(_seen(node, kept.waiting))
    return shapes.CreatedEntities(entities=tuple(created), waiting=tuple(waiting) or None)


@contextmanager
def _one_by_one() -> Iterator[list[str]]:
    """What is done one by one says in its error which parts of the input were done before it."""
    done: list[str] = []
    try:
        yield done
    except MunimentError as error:
        if done:
            error.extra["done"] = done
        raise


def _seen(node: shapes.Node, observations: Iterable[str]) -> shapes.SeenNode:
    return shapes.SeenNode(
        name=node.name, entity_type=node.entity_type, observations=tuple(observations)
    )


async def _create_relations(
    command: shapes.CreateRelations, graph: GraphStore
) -> shapes.CreatedRelations:
    for name in dict.fromkeys(end for one in command.relations for end in (one.from_, one.to)):
        await graph.known(name)
    kept = Kept()
    with _one_by_one() as done:
        for at, one in enumerate(command.relations):
            if one not in command.relations[:at]:
                await graph.relate(one, kept)
            done.append(f"/relations/{at}")
    held, waiting = (
        tuple(
            shapes.SeenRelation(from_=one.from_, to=one.to, relation_type=one.relation_type)
            for one in some
        )
        for some in (kept.held, kept.waiting)
    )
    return shapes.CreatedRelations(relations=held, waiting=waiting or None)


async def _add_observations(
    command: shapes.AddObservations, graph: GraphStore
) -> shapes.AddedObservations:
    names = [await graph.known(one.entity_name) for one in command.observations]
    results = []
    with _one_by_one() as done:
        for at, (name, one) in enumerate(zip(names, command.observations, strict=True)):
            kept = await graph.observe(name, one.contents)
            done.append(f"/observations/{at}")
            results.append(
                shapes.Added(
                    entity_name=one.entity_name,
                    added_observations=tuple(kept.held),
                    waiting=tuple(kept.waiting) or None,
                )
            )
    return shapes.AddedObservations(results=tuple(results))


async def _delete_entities(command: shapes.DeleteEntities, graph: GraphStore) -> shapes.Deleted:
    gone: list[bool] = []
    with _one_by_one() as done:
        for at, name in enumerate(command.entity_names):
            if name not in command.entity_names[:at]:
                gone.append(await graph.remove(name))
            done.append(f"/entityNames/{at}")
    return _deleted("Entities", sum(gone), len(gone))


async def _delete_observations(
    command: shapes.DeleteObservations, graph: GraphStore
) -> shapes.Deleted:
    whole = await graph.whole()
    observed = cache(whole.observed)
    found = [
        observed(one.entity_name).saying(text)
        for one in command.deletions
        for text in one.observations
    ]
    await graph.forget([fact for facts in found for fact in facts])
    return _deleted("Observations", sum(map(bool, found)), len(found))


async def _delete_relations(command: shapes.DeleteRelations, graph: GraphStore) -> shapes.Deleted:
    count = await graph.forget(await graph.relations(command.relations))
    return _deleted("Relations", count, len(command.relations))


def _deleted(what: str, count: int, asked: int) -> shapes.Deleted:
    whole = f"{what} deleted successfully"
    part = f"Deleted {count} of {asked} {what.lower()}. The rest matched nothing."
    return shapes.Deleted(success=True, message=whole if count >= asked else part)


async def _read_graph(_command: shapes.ReadGraph, graph: GraphStore) -> shapes.GraphView:
    return (await graph.whole()).view()


async def _search_nodes(command: shapes.SearchNodes, graph: GraphStore) -> shapes.GraphView:
    whole = await graph.whole()
    sought = command.query.lower()
    only = {name for name, kind in whole.kinds.items() if sought in f"{name}\n{kind}".lower()}
    only |= {fact.subject or graph.user for fact in whole.facts if sought in fact.text.lower()}
    return whole.view(only | await graph.found(command.query))


async def _open_nodes(command: shapes.OpenNodes, graph: GraphStore) -> shapes.GraphView:
    whole = await graph.whole()
    return whole.view(whole.named(command.names) & {*whole.kinds, graph.user})


def _tool(
    handler: Handler, command: type[Any], result: type[Any], effect: Effect, description: str
) -> Tool:
    name = handler.__name__.removeprefix("_")
    operation: Operation[Any, Any] = Operation(
        name=f"graph.{name}",
        summary=description,
        command=command,
        result=result,
        handler=handler,  # type: ignore[arg-type]
        effect=effect,
        verb=_VERBS[effect],
        layer="semantic",
        http=Http("POST", "/mcp/graph"),
        errors=(NotFound,),
        proposable=effect is Effect.WRITE,
    )
    title = name.replace("_", " ").title()
    return Tool(name, operation, title, description, repeatable=effect is Effect.DESTRUCTIVE)


def _needed(tool: Tool) -> list[Operation[Any, Any]]:
    """What the key of a call has to be allowed: to look what is there, and what the tool does."""
    return [REGISTRY["entities.list"], *map(REGISTRY.__getitem__, _DOES[tool.operation.effect])]


_OFFERED = (
    _tool(
        _create_entities, shapes.CreateEntities, shapes.CreatedEntities, Effect.WRITE,
        "Create entities in the knowledge graph, with what is known of them",
    ),
    _tool(
        _create_relations, shapes.CreateRelations, shapes.CreatedRelations, Effect.WRITE,
        "Create relations between entities of the knowledge graph, in active voice",
    ),
    _tool(
        _add_observations, shapes.AddObservations, shapes.AddedObservations, Effect.WRITE,
        "Add observations to entities of the knowledge graph",
    ),
    _tool(
        _delete_entities, shapes.DeleteEntities, shapes.Deleted, Effect.DESTRUCTIVE,
        "Delete entities and their relations from the knowledge graph, for good",
    ),
    _tool(
        _delete_observations, shapes.DeleteObservations, shapes.Deleted, Effect.DESTRUCTIVE,
        "Delete observations of entities from the knowledge graph, for good",
    ),
    _tool(
        _delete_relations, shapes.DeleteRelations, shapes.Deleted, Effect.DESTRUCTIVE,
        "Delete relations from the knowledge graph, for good",
    ),
    _tool(
        _read_graph, shapes.ReadGraph, shapes.GraphView, Effect.READ,
        "Read the whole knowledge graph",
    ),
    _tool(
        _search_nodes, shapes.SearchNodes, shapes.GraphView, Effect.READ,
        "Search the knowledge graph for entities by name, type, observation or meaning",
    ),
    _tool(
        _open_nodes, shapes.OpenNodes, shapes.GraphView, Effect.READ,
        "Show entities of the knowledge graph by their names",
    ),
)  # fmt: skip
GRAPH_TOOLS = {tool.name: tool for tool in _OFFERED}


class GraphTools:
    """The set of tools at /mcp/graph; the address names the user."""

    instructions = "A knowledge graph of one user: entities, observations, relations."

    def listed(self, verbs: frozenset[str], _given: Iterable[str]) -> list[dict[str, Any]]:
        """See Toolset."""
        return [
            one.described()
            for one in _OFFERED
            if all(needed.allows(verbs) for needed in _needed(one))
        ]

    def has(self, name: str) -> bool:
        """See Toolset."""
        return name in GRAPH_TOOLS

    def call(self, calls: Calls, name: str, incoming: Incoming, key: str | None) -> ToolCall:
        """See Toolset."""
        tool = GRAPH_TOOLS[name]
        return ToolCall(tool.operation.name, lambda: _run(tool, calls, incoming, key))


async def _run(tool: Tool, calls: Calls, incoming: Incoming, key: str | None) -> dict[str, Any]:
    incoming = await calls.permit(incoming, _needed(tool))
    if "user_id" not in incoming.bound:
        place = [Fault("/user_id", "is needed in the address: /mcp/graph?user_id=NAME")]
        raise InvalidInput("The address does not say whose graph it is.", faults=place)
    operation, arguments = tool.operation, incoming.message.arguments
    given = {} if arguments is None else arguments
    if not isinstance(given, dict):
        raise InvalidInput(faults=[Fault("", "expected an object")])
    command = operation.parse_decoded(given, {}).command
    key = calls.key_of(operation, key)
    handler: Handler = operation.handler  # type: ignore[assignment]
    result = await handler(command, GraphStore(calls, incoming, key))
    text = operation.results.dump_json(result, by_alias=True, exclude_none=True).decode()
    return told(text, {} if key is None else {IDEMPOTENCY_META: key})
