"""Which schema the database has, as far as this process knows: looked up until it is the head."""

from uuid import UUID

from muniment.errors import MunimentError
from muniment.ports import Units
from muniment.postgres.migrate import migrations

_WITH_ANSWERS = _WITH_USAGE = 2
_ANY_TENANT = UUID(int=0)


class SchemaState:
    """Implements ``ports.Schema``."""

    def __init__(self, version: int) -> None:
        self.version = version

    @property
    def keeps_answers(self) -> bool:
        """Idempotency keys can be kept."""
        return self.version >= _WITH_ANSWERS

    @property
    def counts_usage(self) -> bool:
        """What scopes store is counted."""
        return self.version >= _WITH_USAGE

    @property
    def is_head(self) -> bool:
        """This build's last migration is there."""
        return self.version >= len(migrations())

    async def refresh(self, units: Units) -> None:
        """Look again. A database that does not answer leaves what is known."""
        try:
            async with units.open(_ANY_TENANT) as unit:
                self.version = int(await unit.value("schema_version") or 0)
        except MunimentError:
            return
