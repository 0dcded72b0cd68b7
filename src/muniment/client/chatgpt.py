"""``conversations.json`` of a ChatGPT data export: a tree of messages becomes turns in order."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from muniment.client.conversations import Conversation, ConversationSession, ConversationTurn
from muniment.client.foreign import Unfit, moment, read_text, refuse
from muniment.errors import Fault, InvalidInput

_ROLES = {"user": "", "assistant": "assistant"}


def read_chatgpt(path: Path, user: str) -> Conversation:
    """Every conversation as a session of one user: the turns of its current branch, by the user and
    the assistant. Raises InvalidInput naming the conversations that are not in the format.
    """
    try:
        whole = json.loads(read_text(path))
    except (ValueError, RecursionError):
        whole = None
    if not isinstance(whole, list):
        raise InvalidInput(f"{path}: is not a list of conversations.")
    sessions: list[ConversationSession] = []
    faults: list[Fault] = []
    for number, one in enumerate(whole, 1):
        try:
            sessions.append(_session(one))
        except Unfit as error:
            faults.append(Fault(f"/{number}", str(error)))
    names = [session.session_id for session in sessions]
    if not faults and len(set(names)) != len(names):
        faults.append(Fault("", "two conversations have one id"))
    refuse(faults)
    return Conversation(user, tuple(sessions), ())


def _session(one: Any) -> ConversationSession:
    if not isinstance(one, dict) or not isinstance(one.get("mapping"), dict):
        raise Unfit("has no mapping")
    name = one.get("conversation_id", one.get("id"))
    if not isinstance(name, str) or not 0 < len(name.encode()) <= 256:
        raise Unfit("has no id")
    begun = moment(one.get("create_time")) or datetime.fromtimestamp(0, UTC)
    turns: list[ConversationTurn] = []
    for node, message in _branch(one["mapping"], one.get("current_node")):
        said = _said(message)
        if said is None:
            continue
        # What has no time of its own comes right after what was before it.
        before = turns[-1].at if turns else begun
        at = moment(message.get("create_time")) or before + timedelta(microseconds=1)
        speaker, content = said
        turns.append(ConversationTurn(node, len(turns), speaker, content, at))
    return ConversationSession(name, tuple(turns))


def _branch(mapping: Mapping[str, Any], current: object) -> list[tuple[str, Mapping[str, Any]]]:
    """Messages from the root to the current node; without one, to the leaf that comes last."""
    if current is None and mapping:
        leaves = [name for name, node in mapping.items() if not _of(node).get("children")]
        current = leaves[-1] if leaves else None
    path: list[tuple[str, Mapping[str, Any]]] = []
    seen: set[str] = set()
    while isinstance(current, str):
        if current in seen or current not in mapping:
            raise Unfit("has a tree that is none")
        seen.add(current)
        node = _of(mapping[current])
        message = node.get("message")
        if isinstance(message, dict):
            path.append((current, message))
        current = node.get("parent")
    return path[::-1]


def _of(node: Any) -> Mapping[str, Any]:
    if not isinstance(node, dict):
        raise Unfit("has a node that is none")
    return node


def _said(message: Mapping[str, Any]) -> tuple[str, str] | None:
    """Speaker and text of a turn; None for what is hidden, of a tool, or no text."""
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, dict) else None
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    if role not in _ROLES or hidden or not isinstance(content, dict):
        return None
    parts = content.get("parts")
    texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    text = "\n".join(part for part in texts if part.strip())
    if len(text.encode("utf-8", "replace")) > 64 * 1024:
        raise Unfit("has a turn of more than 64 KiB")
    return (_ROLES[role], text) if text else None
