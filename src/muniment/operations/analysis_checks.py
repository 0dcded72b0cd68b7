"""What a report may not say, against itself and against what is held."""

from collections.abc import Sequence
from datetime import datetime

from muniment.errors import Fault, InvalidInput
from muniment.operations.analysis_input import ReportAnalysis
from muniment.operations.analysis_outcomes import FindingOutcome
from muniment.operations.citing import check_speaker
from muniment.ports import Context


def check_fields(command: ReportAnalysis, ctx: Context) -> None:
    """What the command's own fields say against each other."""
    faults = []
    if command.analysed_at is not None and command.analysed_at > ctx.now:
        faults.append(Fault("/analysed_at", "is in the future"))
    again = command.revalidation
    if again is not None and again.finding is not None:
        if again.outcome != "invalidated":
            faults.append(Fault("/revalidation/finding", "goes with the outcome invalidated alone"))
        if again.finding >= len(command.findings):
            faults.append(Fault("/revalidation/finding", "is the place of no finding"))
    ids = [one.id for one in command.retired] + ([] if again is None else [again.id])
    for at, one in enumerate(command.retired):
        if ids.count(one.id) > 1:
            faults.append(Fault(f"/retired/{at}/id", "is named twice"))
    if faults:
        raise InvalidInput(faults=faults)
    for kind in {one.kind for one in command.findings}:
        check_speaker(ctx, command.speaker, kind)
    check_speaker(ctx, command.speaker, "finding")


def check_not_before(command: ReportAnalysis, found_at: datetime) -> None:
    """An analysis that was made before something was found has not seen that it holds no more."""
    if command.analysed_at is not None and command.analysed_at < found_at:
        raise InvalidInput(faults=[Fault("/analysed_at", "is before what it ends was found")])


def check_not_ended(command: ReportAnalysis, found: Sequence[FindingOutcome]) -> None:
    """A report does not find what it says is no more."""
    ended = {one.id for one in command.retired}
    if command.revalidation is not None and command.revalidation.outcome == "invalidated":
        ended.add(command.revalidation.id)
    faults = [
        Fault(f"/findings/{at}/text", "says the same as what the report ends")
        for at, one in enumerate(found)
        if one.id in ended
    ]
    if faults:
        raise InvalidInput(faults=faults)
