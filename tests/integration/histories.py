"""Random histories, made in the service and in a model of their own at once."""

import asyncio
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from muniment.errors import CannotUndo, NotFound, NotHeld
from muniment.postgres.embedded import ADMIN
from tests.support import bitemporal_world as model
from tests.support.bitemporal import Place, Said
from tests.support.bitemporal_days import DAYS
from tests.support.bitemporal_world import Past, Scope
from tests.support.databases import Database
from tests.support.told import breaks, untold
from tests.support.world import START, Local, Tenant

HISTORIES = int(os.environ.get("MUNIMENT_HISTORIES", "100"))
PARTS = 10
OPERATIONS = 30
NOW = 40.0
TURNS_LIVE = NOW + 90
FIRST = START - timedelta(days=NOW)
SAID_ON = (2, 5, 8)
CITIES = ("Paris", "Rome", "Oslo")
TRUST = {"u": "user_stated", "o": "operator", "g": "agent_inferred"}
PLACES: dict[str, dict[str, Any]] = {
    "city": {"kind": "fact", "slot": "city"},
    "pet": {"kind": "fact", "slot": "pet", "text": "Has a dog called Bo.", "value": "Bo"},
    "finding": {"kind": "finding", "text": "Sales fell in the north."},
    "fault": {"kind": "data_quality", "text": "The orders table lags.", "data_source": "orders"},
}
SAYS = {city: (f"I live in {city} these days.", f"I don't live in {city} any more.")
        for city in CITIES} | {
    "pet": ("I have a dog called Bo.", "I don't have Bo any more."),
    "finding": ("Sales fell in the north.", "It is wrong that sales fell in the north."),
    "fault": ("The orders table lags.", "It is wrong that the orders table lags."),
}  # fmt: skip
Word = tuple[str, float, int | None, dict[str, Any]]
TURN_OF = {
    (what, no, on): number
    for number, (what, no, on) in enumerate(
        (what, no, on) for what in SAYS for no in (0, 1) for on in SAID_ON[: 1 if no else None]
    )
}


def day(number: float) -> datetime:
    """Midnight of a day of the model, or a moment of it."""
    return FIRST + timedelta(days=number)


@dataclass
class History:
    """One history as it is made, in the service and in the model."""

    tenant: Tenant
    service: Local
    admin: "psycopg.Connection[Any]"
    name: str
    chance: random.Random
    scopes: dict[str, Scope] = field(default_factory=dict)
    ids: dict[int, UUID] = field(default_factory=dict)
    marks: dict[str, datetime] = field(default_factory=dict)
    places: dict[UUID, str] = field(default_factory=dict)

    async def begin(self) -> None:
        """Two users who said all that may be cited, and nothing held."""
        self.scopes["org"] = Scope({"fault": Place(many=True, lives=365)})
        for user in ("u", "v"):
            await self.arrive(user)

    async def arrive(self, user: str) -> None:
        """A user, anew."""
        self.places = {}
        self.scopes[user] = Scope(
            {
                "city": Place(),
                "pet": Place(many=True),
                "finding": Place(many=True, lives=90, renewed=True),
            }
        )
        events = [
            {"turn": turn, "role": "user", "content": SAYS[what][no], "occurred_at": day(on)}
            for (what, no, on), turn in TURN_OF.items()
        ]
        await self.tenant(
            "events.write", user_id=self.user(user), session_id="s", namespace=self.name,
            events=events,
        )  # fmt: skip

    def user(self, name: str) -> str:
        """A user's name in the service."""
        return f"{name} {self.name}"

    @property
    def now(self) -> float:
        """The moment, in days of the model."""
        return (self.service.clock.now() - FIRST) / timedelta(days=1)

    def word(self, scope: str, what: str, *, no: bool = False) -> Word:
        """On whose word: the grade, when and in which turn it was said, and the fields that say so."""
        grade = self.chance.choice("uuog")
        if grade == "u":
            on = self.chance.choice(SAID_ON[: 1 if no else None])
            turn = TURN_OF[what, int(no), on]
            cited: dict[str, Any] = {"session_id": "s", "turn": turn}
            cited |= {"user_id": self.user("v")} if scope == "org" else {}
            return grade, on, turn, {"evidence": [cited]}
        return grade, self.now, None, {"speaker": "operator"} if grade == "o" else {}

    async def through(self) -> int:
        """Its operations, and then every question; how many answers were compared."""
        for _ in range(OPERATIONS):
            await self.operation()
        asked = self.check()
        for _ in range(3):
            await self.ask()
        return asked

    async def operation(self) -> None:
        """One operation, here and there, and what is held then."""
        self.service.clock.advance(minutes=1)
        self.marks = {}
        acts: list[tuple[int, Callable[[], Any]]] = [
            (14, self.state), (4, self.correct), (4, self.retract), (2, self.confirm),
            (1, self.pin), (5, self.undo), (1, self.forget), (1, self.wait),
        ]  # fmt: skip
        (act,) = self.chance.choices([one for _, one in acts], [weight for weight, _ in acts])
        await act()
        for scope, watermark in self.watermarks().items():
            self.scopes[scope].note(watermark)

    def watermarks(self) -> dict[str, datetime]:
        """How far the record of each scope is, after the operation."""
        if not self.marks:
            if len(self.places) < len(self.scopes):
                rows = self.admin.execute(
                    "SELECT s.scope_id, coalesce(u.user_id, 'org') FROM muniment.scope s"
                    " LEFT JOIN muniment.end_user u USING (tenant_id, user_pk)"
                    " WHERE s.tenant_id = %s AND s.namespace = %s",
                    [self.tenant.tenant_id, self.name],
                ).fetchall()
                self.places = {scope_id: user.split(" ")[0] for scope_id, user in rows}
            rows = self.admin.execute(
                "SELECT scope_id, watermark FROM muniment.scope_state"
                " WHERE tenant_id = %s AND scope_id = ANY(%s)",
                [self.tenant.tenant_id, [*self.places]],
            ).fetchall()
            self.marks = {self.places[scope_id]: at for scope_id, at in rows}
        return self.marks

    def decided(self, scope: str, memory: int | None, past: Past, held: UUID | None) -> None:
        """Note a decision, and hold the ids of both sides to be one."""
        if memory is not None and held is not None:
            assert self.ids.setdefault(memory, held) == held
            assert len(set(self.ids.values())) == len(self.ids)
            past.memory = memory
            past.at = self.watermarks()[scope]
            self.scopes[scope].decisions.append(past)

    def new(self) -> int:
        """An id of the model for a memory that may come about."""
        return len(self.ids) + 1

    async def state(self) -> None:
        """Somebody says something."""
        scope = self.chance.choice(("u", "u", "v", "org"))
        name = self.chance.choice([*self.scopes[scope].places, *["city"] * 4 * (scope != "org")])
        value = self.chance.choice(CITIES) if name == "city" else name
        grade, told, turn, fields = self.word(scope, value)
        start, length = self.chance.randrange(DAYS - 2), self.chance.choice([0, 0, 0, 2, 4])
        end = min(start + length, DAYS - 1) if length else None
        given = PLACES[name] | (
            {"text": f"Lives in {value}.", "value": value} if name == "city" else {}
        )
        given |= {} if scope == "org" else {"user_id": self.user(scope)}
        done = await self.tenant(
            "memories.remember", **given, **fields, namespace=self.name, valid_from=day(start),
            valid_to=None if end is None else day(end),
        )  # fmt: skip
        said = Said(value, start, end, grade, told, turn)
        new, now = self.new(), self.now
        memory, past = self.scopes[scope].change(
            name, now, lambda place: place.remember(said, new, now)
        )
        assert done.trust == TRUST[grade]
        self.decided(scope, memory, past, done.id)

    def chosen(self, *, asserted: bool = False) -> tuple[str, str, int, str] | None:
        """A memory that is held: its scope, place, id, and what it says."""
        scope = self.chance.choice(("u", "u", "v", "org"))
        for place in self.scopes[scope].places.values():
            place.let_go(self.now)
        held = self.scopes[scope].memories(asserted=asserted)
        if not held:
            return None
        name, memory = self.chance.choice(held)
        values = [cell.value for cell in self.scopes[scope].places[name].state.cells
                  if cell and cell.memory == memory]  # fmt: skip
        values += [claim.value for claim in self.scopes[scope].places[name].state.claims
                   if claim.memory == memory]  # fmt: skip
        return scope, name, memory, values[0]

    async def correct(self) -> None:
        """A city was wrong."""
        found = self.chosen(asserted=True)
        if found is None or found[1] != "city":
            return
        scope, name, memory, value = found
        right = self.chance.choice([city for city in CITIES if city != value])
        grade, told, turn, fields = self.word(scope, right)
        done = await self.tenant(
            "memories.correct",
            id=self.ids[memory],
            text=f"Lives in {right}.",
            value=right,
            **fields,
        )
        said, new = Said(right, 0, None, grade, told, turn), self.new()
        holder, past = self.scopes[scope].change(
            name, self.now, lambda place: model.correct(place, memory, said, new)
        )
        self.decided(scope, holder, past, done.id)

    async def retract(self) -> None:
        """It is so no more."""
        found = self.chosen()
        if found is None:
            return
        scope, name, memory, value = found
        grade, _, _, fields = self.word(scope, value, no=True)
        at = self.chance.randrange(DAYS - 1)
        said: list[str] = []
        _, past = self.scopes[scope].change(
            name, self.now, lambda place: said.append(model.retract(place, memory, at, grade))
        )
        asked = self.tenant("memories.retract", id=self.ids[memory], at=day(at), **fields)
        if said == ["not held"]:
            with pytest.raises(NotHeld):
                await asked
            return
        done = await asked
        assert [done.outcome] == said
        if done.outcome == "retracted":
            self.decided(scope, memory, past, done.id)

    async def confirm(self) -> None:
        """It was seen again."""
        found = self.chosen()
        if found is None:
            return
        scope, name, memory, value = found
        grade, told, turn, fields = self.word(scope, value)
        done = await self.tenant("memories.confirm", id=self.ids[memory], **fields)
        said = Said(value, 0, None, grade, told, turn)
        _, past = self.scopes[scope].change(
            name, self.now, lambda place: model.confirm(place, memory, said)
        )
        self.decided(scope, memory, past, done.id)

    async def pin(self) -> None:
        """Kept on the profile, or no more: nothing that is asked for here."""
        found = self.chosen(asserted=True)
        if found is None:
            return
        scope, name, memory, _ = found
        act = self.chance.choice(("memories.pin", "memories.unpin"))
        done = await self.tenant(act, id=self.ids[memory])
        _, past = self.scopes[scope].change(name, self.now, lambda _: None)
        self.decided(scope, memory, past, done.decision_id and done.id)

    async def undo(self) -> None:
        """The last decision about some memory is taken back, or it says why not."""
        scope = self.chance.choice(("u", "u", "v", "org"))
        of_scope = self.scopes[scope]
        if not of_scope.decisions:
            return
        name, memory = self.chance.choice(of_scope.known())
        for place in of_scope.places.values():
            place.let_go(self.now)
        here = [one for one in of_scope.decisions if one.place == name]
        last = [one for one in here if one.touches(memory)][-1]
        asked = self.tenant("memories.undo", id=self.ids[memory])
        answers = await asyncio.gather(asked, return_exceptions=True)
        done: Any = answers[0]
        if isinstance(done, CannotUndo) and (last is not here[-1] or last.erased):
            return
        if isinstance(done, NotFound) and of_scope.expired(memory, self.now):
            return
        assert not isinstance(done, BaseException), done
        at = self.admin.execute(
            "SELECT decided_at FROM muniment.decision WHERE tenant_id = %s AND decision_id = %s",
            [self.tenant.tenant_id, done.undid],
        ).fetchone()
        assert at == (last.at,)
        place = of_scope.places[name]
        before = place.state
        model.undo(place, last, self.now)
        past = Past(name, last.memory, None, before, place.state)
        self.decided(scope, last.memory, past, self.ids[last.memory])

    async def forget(self) -> None:
        """One memory goes, or now and then a whole user."""
        if self.chance.random() < 0.2:
            await self.tenant("forget", user_id=self.user("u"))
            await self.tenant("users.reopen", user_id=self.user("u"))
            await self.arrive("u")
            return
        found = self.chosen()
        if found is None:
            return
        scope, _, memory, _ = found
        whose = {} if scope == "org" else {"user_id": self.user(scope)}
        await self.tenant("forget", **whose, ids=[self.ids[memory]], namespace=self.name)
        for past in self.scopes[scope].forget(memory):
            self.decided(scope, past.memory, past, self.ids[past.memory])

    async def wait(self) -> None:
        """Time passes, but not so much that turns go: those that the gate dropped are the first."""
        if self.now < TURNS_LIVE - 20:
            self.service.clock.advance(days=20)

    def check(self) -> int:
        """Every day at every moment; how many answers that were."""
        asked = 0
        rows = self.admin.execute(
            "SELECT coalesce(u.user_id, 'org'), v.memory_id, coalesce(m.slot, m.kind), v.trust,"
            " lower(v.valid), upper(v.valid), lower(v.recorded), upper(v.recorded)"
            " FROM muniment.memory_version v JOIN muniment.memory m USING (tenant_id, scope_id, memory_id)"
            " JOIN muniment.scope s USING (tenant_id, scope_id)"
            " LEFT JOIN muniment.end_user u USING (tenant_id, user_pk)"
            " WHERE v.tenant_id = %s AND s.namespace = %s AND v.standing = 'asserted'"
            " AND (v.expires_at IS NULL OR v.expires_at > %s)",
            [self.tenant.tenant_id, self.name, self.service.clock.now()],
        ).fetchall()
        for name, scope in self.scopes.items():
            own = [row[1:] for row in rows if row[0].split(" ")[0] == name]
            for at, held in scope.moments:
                known = [row for row in own if row[5] <= at and (row[6] is None or at < row[6])]
                for number in range(DAYS):
                    moment = day(number)
                    asked += 1
                    assert sorted(
                        (str(row[0]), row[2]) for row in known
                        if row[3] <= moment and (row[4] is None or moment < row[4])
                    ) == sorted(self.expected(held, number)), (self.name, name, at, number)  # fmt: skip
        return asked

    def expected(self, held: dict[str, model.Cells], number: int) -> list[tuple[str, str]]:
        """Which memories at which grade the model has for a day."""
        cells = [cells[number] for cells in held.values()]
        return [
            (str(self.ids[cell.memory]), TRUST[cell.grade])
            for cell in cells
            if cell and (cell.gone is None or cell.gone > self.now)
        ]

    async def ask(self) -> None:
        """The service itself, about some day at some moment."""
        scope = self.chance.choice([name for name in self.scopes if self.scopes[name].moments])
        at, held = self.chance.choice(self.scopes[scope].moments)
        number = self.chance.randrange(DAYS)
        whose = {} if scope == "org" else {"user_id": self.user(scope)}
        moment: dict[str, Any] = {"as_of": day(number), "known_at": at, "namespace": self.name}
        found = await self.tenant("memories.list", **whose, **moment)
        assert found.watermark == at
        assert sorted((str(item.id), item.trust) for item in found.items) == sorted(
            self.expected(held, number)
        )


async def run(tenant: Tenant, service: Local, database: Database, part: int) -> int:
    """Every so many-th history, from one on; how many answers were compared."""
    asked = 0
    with database.connect(ADMIN) as admin:
        for number in range(part, HISTORIES, PARTS):
            service.clock.moment = START
            history = History(tenant, service, admin, f"h{number}", random.Random(number))
            await history.begin()
            try:
                asked += await history.through()
            except Exception as error:
                error.add_note(f"in history {number}, on day {history.now:.2f}")
                raise
        assert (await untold(tenant, admin), breaks(tenant, admin)) == ([], [])
    return asked


def fewest() -> int:
    """How many answers a part compares at least."""
    return HISTORIES // PARTS * OPERATIONS * DAYS
