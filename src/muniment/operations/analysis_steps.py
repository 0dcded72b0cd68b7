"""A step of an analysis, as it is reported and as it is planned again."""

from dataclasses import field

from muniment.operations.types import Metadata, Statement, command


@command
class BatteryStep:
    """What was run, in words, and with which parameters."""

    step: Statement
    parameters: Metadata = field(default_factory=dict)
