"""Every model of the SDK. Generated; do not edit."""

from muniment.client.generated.analysis import (
    AnalysisPlan,
    AnalysisReported,
    BatteryStep,
    ConfirmatoryTest,
    FindingOutcome,
    LeftOut,
    OnDataSource,
    PlanGate,
    PlanReason,
    PriorOutcome,
    ReportedFinding,
    ReportedTurn,
    Retirement,
    Revalidation,
)
from muniment.client.generated.approvals import Approval, Approvals
from muniment.client.generated.artifacts import (
    Artifact,
    ArtifactChange,
    ArtifactDifference,
    ArtifactVersion,
    ArtifactVersions,
    PutDone,
)
from muniment.client.generated.audit import (
    AuditChange,
    AuditCheck,
    AuditEntries,
    AuditEntry,
    AuditFinding,
    AuditHead,
    KnownHead,
)
from muniment.client.generated.context import (
    AssembledContext,
    ContextItem,
    ContextRecord,
    ContextSection,
    LoggedItem,
)
from muniment.client.generated.embeddings import Embeddings
from muniment.client.generated.entities import (
    Entities,
    Entity,
    EntityView,
    Merged,
    Related,
    Removed,
    Unmerged,
)
from muniment.client.generated.events import (
    Event,
    EventsWritten,
    EventVerdict,
    WrittenTurn,
    WrittenTurns,
)
from muniment.client.generated.exports import ExportLines, UserExport
from muniment.client.generated.files import (
    File,
    FileEntry,
    Files,
    FilesChanged,
    FileStored,
    FileVersion,
    FileVersions,
)
from muniment.client.generated.forget import Forgotten
from muniment.client.generated.governance import GovernanceLine, GovernanceReport
from muniment.client.generated.holds import Hold, HoldPlaced, HoldReleased, Holds
from muniment.client.generated.imports import Imported, ImportUploaded
from muniment.client.generated.jobs import Job, Jobs
from muniment.client.generated.keys import Key, Keys
from muniment.client.generated.knowledge import (
    Document,
    DocumentDeleted,
    DocumentEntry,
    DocumentPut,
    Documents,
    Proposal,
    ProposalDecided,
    ProposalEntry,
    Proposals,
)
from muniment.client.generated.machines import AllowedMove, Machines, StateMachine, Transition
from muniment.client.generated.memories import (
    Appearance,
    Appearances,
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
from muniment.client.generated.recall import AskedPeriod, MemoryView
from muniment.client.generated.receipts import Receipt, Receipts
from muniment.client.generated.rereviews import Rereview, RereviewDecided, Rereviews
from muniment.client.generated.review import Decided, Opposing, Queue, Waiting
from muniment.client.generated.runs import (
    Acknowledged,
    Checkpointed,
    Checkpoints,
    CheckpointSummary,
    ClaimedTool,
    ClosedRun,
    ExplainedDecision,
    ExplainedItem,
    ExplainedSource,
    ItemState,
    Moved,
    NewFact,
    PendingApproval,
    RecordedTool,
    RunBudget,
    RunDifference,
    RunFact,
    RunMove,
    RunMoves,
    Runs,
    RunSummary,
    RunView,
    StaleInput,
    StepAnswer,
    StepExplained,
    ToolResult,
)
from muniment.client.generated.schemas import ArtifactSchema, ArtifactSchemas
from muniment.client.generated.sessions import CandidateMemory, Consolidation, Session, SessionJob
from muniment.client.generated.shared import (
    DocumentPlace,
    DroppedItem,
    Evidence,
    GoverningDocument,
    Item,
    NewKey,
    ScoreParts,
    Watermarks,
)
from muniment.client.generated.slots import SlotChanged, SlotInfo, Slots
from muniment.client.generated.sources import DataSource, DataSources
from muniment.client.generated.store import (
    StoreFound,
    StoreGet,
    StoreItem,
    StoreKey,
    StoreListing,
    StorePaths,
    StorePattern,
    StorePut,
    StoreRead,
    StoreSearch,
    StoreWritten,
)
from muniment.client.generated.tenants import NewTenant
from muniment.client.generated.threads import (
    ChannelValue,
    ChannelVersion,
    Piece,
    PiecesSaved,
    StoredChannel,
    StoredValue,
    StoredWrite,
    TaskWrite,
    ThreadAncestor,
    ThreadAncestors,
    ThreadCheckpoint,
    ThreadCheckpoints,
    ThreadCopied,
    ThreadPieces,
    ThreadSaved,
    ThreadsDeleted,
    ThreadValue,
)
from muniment.client.generated.tools import Tool, Tools
from muniment.client.generated.users import KnownUser, Reopened, UserConsent, Users
from muniment.client.generated.working import (
    WorkingDeleted,
    WorkingItem,
    WorkingKey,
    WorkingKeys,
    WorkingStored,
)

__all__ = [
    "Acknowledged", "AllowedMove", "AnalysisPlan", "AnalysisReported", "Appearance",
    "Appearances", "Approval", "Approvals", "Artifact", "ArtifactChange", "ArtifactDifference",
    "ArtifactSchema", "ArtifactSchemas", "ArtifactVersion", "ArtifactVersions", "AskedPeriod",
    "AssembledContext", "AuditChange", "AuditCheck", "AuditEntries", "AuditEntry",
    "AuditFinding", "AuditHead", "BatteryStep", "CandidateMemory", "Changed", "ChannelValue",
    "ChannelVersion", "CheckpointSummary", "Checkpointed", "Checkpoints", "Citation",
    "ClaimedTool", "ClosedRun", "ConfirmatoryTest", "Consolidation", "ContextItem",
    "ContextRecord", "ContextSection", "DataSource", "DataSources", "Decided", "Decision",
    "Derivation", "Document", "DocumentDeleted", "DocumentEntry", "DocumentPlace",
    "DocumentPut", "Documents", "DroppedItem", "Embeddings", "Entities", "Entity", "EntityView",
    "Event", "EventVerdict", "EventsWritten", "Evidence", "ExplainedDecision", "ExplainedItem",
    "ExplainedSource", "ExportLines", "File", "FileEntry", "FileStored", "FileVersion",
    "FileVersions", "Files", "FilesChanged", "FindingOutcome", "Forgotten", "GovernanceLine",
    "GovernanceReport", "GoverningDocument", "History", "Hold", "HoldPlaced", "HoldReleased",
    "Holds", "ImportUploaded", "Imported", "Item", "ItemState", "Items", "Job", "Jobs", "Kept",
    "Key", "Keys", "KindOutlook", "KnownHead", "KnownUser", "LeftOut", "Lineage",
    "LineageDecision", "LoggedItem", "Machines", "MemoryVersion", "MemoryView", "Merged",
    "Moved", "NewFact", "NewKey", "NewTenant", "OnDataSource", "Opposing", "PendingApproval",
    "Piece", "PiecesSaved", "PlanGate", "PlanReason", "PolicyChanged", "PriorOutcome",
    "Profile", "Proposal", "ProposalDecided", "ProposalEntry", "Proposals", "PutDone", "Queue",
    "Receipt", "Receipts", "RecordedTool", "Related", "Remembered", "Removed", "Reopened",
    "ReportedFinding", "ReportedTurn", "Rereview", "RereviewDecided", "Rereviews", "Retirement",
    "Returns", "Revalidation", "RunBudget", "RunDifference", "RunFact", "RunMove", "RunMoves",
    "RunSummary", "RunView", "Runs", "ScoreParts", "Session", "SessionJob", "Simulation",
    "SlotChanged", "SlotInfo", "Slots", "Source", "StaleInput", "StateMachine", "StepAnswer",
    "StepExplained", "StoreFound", "StoreGet", "StoreItem", "StoreKey", "StoreListing",
    "StorePaths", "StorePattern", "StorePut", "StoreRead", "StoreSearch", "StoreWritten",
    "StoredChannel", "StoredValue", "StoredWrite", "TaskWrite", "TenantsPolicy",
    "ThreadAncestor", "ThreadAncestors", "ThreadCheckpoint", "ThreadCheckpoints",
    "ThreadCopied", "ThreadPieces", "ThreadSaved", "ThreadValue", "ThreadsDeleted", "Tool",
    "ToolResult", "Tools", "Transition", "UndoneDecision", "Unmerged", "UserConsent",
    "UserExport", "Users", "Waiting", "Watermarks", "WorkerPass", "WorkerPasses",
    "WorkingDeleted", "WorkingItem", "WorkingKey", "WorkingKeys", "WorkingStored",
    "WrittenTurn", "WrittenTurns",
]  # fmt: skip
