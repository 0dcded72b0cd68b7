"""Whose an item of a LangGraph store is: one user's, the organisation's, or by its namespace; and
whose a thread of a saver.
"""

from collections.abc import Callable, Sequence

from langgraph.store.base import InvalidNamespaceError

from muniment.errors import Fault, InvalidInput

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


def owner_of(fixed: str | None, named: str | None, at: str) -> str | None:
    """Whose threads a call of a saver is about; None is nobody in particular. ``fixed`` is what the
    saver was told, ``named`` what the call says ``at`` a place. Raises InvalidInput where the two
    do not agree.
    """
    if fixed == USER:
        if named is None:
            raise _refused(at, "is needed: this saver keeps the threads of the users it is told")
        return named
    if named is None or named == fixed:
        return fixed
    if fixed is None:
        raise _refused(at, "names a user, and this saver keeps nobody's threads: give it USER")
    raise _refused(at, "names another user than the one whose threads this saver keeps")


def _refused(at: str, why: str) -> InvalidInput:
    return InvalidInput(faults=[Fault(at, why)])
