"""What the demo asserts of every answer that it shows."""

from dataclasses import dataclass, field


@dataclass
class Checks:
    """Counts what was claimed and keeps what turned out wrong."""

    made: int = 0
    wrong: list[str] = field(default_factory=list)

    def that(self, holds: bool, claim: str) -> bool:
        """Note whether ``claim`` holds; returns it."""
        self.made += 1
        if not holds:
            self.wrong.append(claim)
        return holds

    def equal(self, found: object, expected: object, what: str) -> bool:
        """Note whether ``what`` is as expected, with both values where it is not."""
        return self.that(found == expected, f"{what}: expected {expected!r}, found {found!r}")
