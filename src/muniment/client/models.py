"""Every model of the SDK. Generated; do not edit."""

from muniment.client.generated.audit import (
    AuditCheck,
    AuditEntries,
    AuditEntry,
    AuditFinding,
    AuditHead,
    KnownHead,
)
from muniment.client.generated.entities import (
    Entities,
    Entity,
    EntityView,
    Merged,
    Related,
    Removed,
    Unmerged,
)
from muniment.client.generated.events import Event, EventsWritten, EventVerdict
from muniment.client.generated.exports import ExportLines, UserExport
from muniment.client.generated.forget import Forgotten
from muniment.client.generated.governance import GovernanceLine, GovernanceReport
from muniment.client.generated.holds import Hold, HoldPlaced, HoldReleased, Holds
from muniment.client.generated.imports import Imported, ImportUploaded
from muniment.client.generated.jobs import Job, Jobs
from muniment.client.generated.keys import Key, Keys
from muniment.client.generated.memories import (
    Changed,
    Citation,
    Decision,
    Derivation,
    History,
    Items,
    Kept,
    Lineage,
    LineageDecision,
    MemoryVersion,
    Remembered,
    Source,
    UndoneDecision,
)
from muniment.client.generated.passes import WorkerPass, WorkerPasses
from muniment.client.generated.policy import (
    KindOutlook,
    PolicyChanged,
    Returns,
    Simulation,
    TenantsPolicy,
)
from muniment.client.generated.profile import Profile
from muniment.client.generated.recall import MemoryView, Watermarks
from muniment.client.generated.rereviews import Rereview, RereviewDecided, Rereviews
from muniment.client.generated.review import Decided, Opposing, Queue, Waiting
from muniment.client.generated.runs import (
    Checkpointed,
    Checkpoints,
    CheckpointSummary,
    ClosedRun,
    NewFact,
    RunBudget,
    RunDifference,
    RunFact,
    Runs,
    RunSummary,
    RunView,
)
from muniment.client.generated.sessions import CandidateMemory, Consolidation, Session, SessionJob
from muniment.client.generated.shared import Evidence, Item, NewKey, ScoreParts
from muniment.client.generated.slots import SlotChanged, SlotInfo, Slots
from muniment.client.generated.tenants import NewTenant
from muniment.client.generated.users import UserConsent
from muniment.client.generated.working import (
    WorkingDeleted,
    WorkingItem,
    WorkingKey,
    WorkingKeys,
    WorkingStored,
)

__all__ = [
    "AuditCheck",
    "AuditEntries",
    "AuditEntry",
    "AuditFinding",
    "AuditHead",
    "CandidateMemory",
    "Changed",
    "CheckpointSummary",
    "Checkpointed",
    "Checkpoints",
    "Citation",
    "ClosedRun",
    "Consolidation",
    "Decided",
    "Decision",
    "Derivation",
    "Entities",
    "Entity",
    "EntityView",
    "Event",
    "EventVerdict",
    "EventsWritten",
    "Evidence",
    "ExportLines",
    "Forgotten",
    "GovernanceLine",
    "GovernanceReport",
    "History",
    "Hold",
    "HoldPlaced",
    "HoldReleased",
    "Holds",
    "ImportUploaded",
    "Imported",
    "Item",
    "Items",
    "Job",
    "Jobs",
    "Kept",
    "Key",
    "Keys",
    "KindOutlook",
    "KnownHead",
    "Lineage",
    "LineageDecision",
    "MemoryVersion",
    "MemoryView",
    "Merged",
    "NewFact",
    "NewKey",
    "NewTenant",
    "Opposing",
    "PolicyChanged",
    "Profile",
    "Queue",
    "Related",
    "Remembered",
    "Removed",
    "Rereview",
    "RereviewDecided",
    "Rereviews",
    "Returns",
    "RunBudget",
    "RunDifference",
    "RunFact",
    "RunSummary",
    "RunView",
    "Runs",
    "ScoreParts",
    "Session",
    "SessionJob",
    "Simulation",
    "SlotChanged",
    "SlotInfo",
    "Slots",
    "Source",
    "TenantsPolicy",
    "UndoneDecision",
    "Unmerged",
    "UserConsent",
    "UserExport",
    "Waiting",
    "Watermarks",
    "WorkerPass",
    "WorkerPasses",
    "WorkingDeleted",
    "WorkingItem",
    "WorkingKey",
    "WorkingKeys",
    "WorkingStored",
]
