"""What a model is sent: the turns as data that nothing inside them can close (RULES 12.2).

| | |
|---|---|
| a turn | one line of JSON: number, role, name, instant, text |
| a character that is not seen, or turns the direction of writing | as ``\\uXXXX`` |
| the delimiter | random for each call, and in none of its turns |
| a turn that was dropped, quarantined or recalled (``echo``) | not sent |
| the same of an assistant, right before a turn of the user | sent, to be read along |
| more turns than the model reads at once | several calls of whole turns, at most eight, the last |
| a turn that alone is longer than that | not sent |
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import regex

from muniment.domain.extraction import SaidTurn
from muniment.domain.slot import Slot

MOST_CALLS = 8
_BYTES_A_TOKEN = 4
_DELIMITER_BYTES = 12
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]")
_TEMPLATE = (files("muniment.providers") / "prompts" / "extract.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Call:
    """One call: what the model is told, the data, and the turns that it may cite, by number."""

    instructions: str
    data: str
    turns: Mapping[int, SaidTurn]


def calls(
    turns: Sequence[SaidTurn],
    slots: Mapping[str, Slot],
    user_name: str | None,
    *,
    tokens: int,
    entropy: Callable[[int], bytes],
) -> tuple[list[Call], int]:
    """The calls for a session in its order, each of at most so many tokens, and how many turns
    found no place in them.
    """
    about = _json_line({"user": user_name})
    told = _instructions(slots, _delimiter(entropy))
    room = (tokens - tokens_of(told)) * _BYTES_A_TOKEN - len(about.encode())
    to_send = _to_send(turns)
    parts = _parts([(turn, _line(turn)) for turn in to_send], room)[-MOST_CALLS:]
    made = [_call(part, about, slots, entropy) for part in parts if _says_something(part)]
    return made, len(to_send) - sum(len(part) for part in parts)


def tokens_of(text: str) -> int:
    """About how many tokens a text is, by its bytes: a character may take several."""
    return -(-len(text.encode()) // _BYTES_A_TOKEN)


Part = list[tuple[SaidTurn, str]]


def _to_send(turns: Sequence[SaidTurn]) -> list[SaidTurn]:
    following = [*turns[1:], None]
    return [
        turn
        for turn, after in zip(turns, following, strict=False)
        if not turn.echo
        or (
            turn.role == "assistant"
            and after is not None
            and after.role == "user"
            and not after.echo
        )
    ]


def _parts(lines: Part, room: int) -> list[Part]:
    """Whole turns in order, as many to a part as find room, the last parts full."""
    parts: list[Part] = []
    left = 0
    for turn, line in reversed(lines):
        size = len(line.encode())
        if size > room:
            continue
        if size > left:
            parts.append([])
            left = room
        parts[-1].append((turn, line))
        left -= size
    return [part[::-1] for part in reversed(parts)]


def _says_something(part: Part) -> bool:
    return any(not turn.echo and turn.role in ("user", "tool") for turn, _ in part)


def _call(
    part: Part, about: str, slots: Mapping[str, Slot], entropy: Callable[[int], bytes]
) -> Call:
    body = about + "".join(line for _, line in part)
    delimiter = _delimiter(entropy)
    while delimiter in body:
        delimiter = _delimiter(entropy)
    return Call(
        instructions=_instructions(slots, delimiter),
        data=f"{delimiter}\n{body}{delimiter}",
        turns={turn.turn: turn for turn, _ in part},
    )


def _delimiter(entropy: Callable[[int], bytes]) -> str:
    return f"====turns-{entropy(_DELIMITER_BYTES).hex()}===="


def _instructions(slots: Mapping[str, Slot], delimiter: str) -> str:
    listed = ", ".join(f"`{slot.name}`" for slot in slots.values())
    return _TEMPLATE.replace("{slots}", listed).replace("{delimiter}", delimiter)


def _line(turn: SaidTurn) -> str:
    said = {
        "turn": turn.turn,
        "role": turn.role,
        **({} if turn.name is None else {"name": turn.name}),
        "at": turn.occurred_at.isoformat(),
        "text": turn.content,
        **({"context": True} if turn.echo else {}),
    }
    return _json_line(said)


def _json_line(value: Mapping[str, object]) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: _escaped(found[0]), text) + "\n"


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
