"""Whose an item of a LangGraph store is: one user's, the organisation's, or by its namespace."""

from collections.abc import Callable, Sequence

from langgraph.store.base import InvalidNamespaceError

Namespace = tuple[str, ...]
Whose = Callable[[Namespace], str | None]
USER = "{user_id}"


def whose(user_id: str | Sequence[str] | Whose | None) -> Whose:
    """What says whose a namespace, or the beginning of one, is; None is the organisation.

    A text is that user's id for everything. A template such as ``("memories", "{user_id}")`` reads
    it from the namespace, and refuses one that names no user: InvalidNamespaceError.
    """
    if user_id is None or isinstance(user_id, str):
        return lambda _namespace: user_id
    if callable(user_id):
        return user_id
    template = tuple(user_id)
    if template.count(USER) != 1:
        raise ValueError(f"A template has {USER!r} in it once.")
    return lambda namespace: _named(template[: template.index(USER) + 1], namespace)


def _named(template: Namespace, namespace: Namespace) -> str:
    here = namespace[: len(template)]
    fits = len(here) == len(template) and all(
        label in {USER, given} for label, given in zip(template, here, strict=True)
    )
    if not fits:
        raise InvalidNamespaceError(
            f"A namespace begins with {template} here, and so names a user."
        )
    return here[-1]
