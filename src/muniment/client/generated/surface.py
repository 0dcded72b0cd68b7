"""Every family in one place. Generated; do not edit."""

from muniment.client.calls import AsyncCall, Call
from muniment.client.generated.analysis_async_calls import AsyncAnalysisCalls
from muniment.client.generated.analysis_calls import AnalysisCalls
from muniment.client.generated.approvals import ApprovalsCalls, AsyncApprovalsCalls
from muniment.client.generated.artifacts import ArtifactsCalls, AsyncArtifactsCalls
from muniment.client.generated.audit import AsyncAuditCalls, AuditCalls
from muniment.client.generated.context import AsyncContextCalls, ContextCalls
from muniment.client.generated.embeddings import AsyncEmbeddingsCalls, EmbeddingsCalls
from muniment.client.generated.entities import AsyncEntitiesCalls, EntitiesCalls
from muniment.client.generated.events import AsyncEventsCalls, EventsCalls
from muniment.client.generated.exports import AsyncExportsCalls, ExportsCalls
from muniment.client.generated.files_async_calls import AsyncFilesCalls
from muniment.client.generated.files_calls import FilesCalls
from muniment.client.generated.forget import AsyncForgetCalls, ForgetCalls
from muniment.client.generated.governance import AsyncGovernanceCalls, GovernanceCalls
from muniment.client.generated.holds import AsyncHoldsCalls, HoldsCalls
from muniment.client.generated.imports import AsyncImportsCalls, ImportsCalls
from muniment.client.generated.jobs import AsyncJobsCalls, JobsCalls
from muniment.client.generated.keys import AsyncKeysCalls, KeysCalls
from muniment.client.generated.knowledge import AsyncKnowledgeCalls, KnowledgeCalls
from muniment.client.generated.machines import AsyncMachinesCalls, MachinesCalls
from muniment.client.generated.memories_async_calls import AsyncMemoriesCalls
from muniment.client.generated.memories_calls import MemoriesCalls
from muniment.client.generated.passes import AsyncPassesCalls, PassesCalls
from muniment.client.generated.policy import AsyncPolicyCalls, PolicyCalls
from muniment.client.generated.profile import AsyncProfileCalls, ProfileCalls
from muniment.client.generated.recall import AsyncRecallCalls, RecallCalls
from muniment.client.generated.receipts import AsyncReceiptsCalls, ReceiptsCalls
from muniment.client.generated.rereviews import AsyncRereviewsCalls, RereviewsCalls
from muniment.client.generated.review import AsyncReviewCalls, ReviewCalls
from muniment.client.generated.runs_async_calls import AsyncRunsCalls
from muniment.client.generated.runs_calls import RunsCalls
from muniment.client.generated.schemas import AsyncSchemasCalls, SchemasCalls
from muniment.client.generated.sessions import AsyncSessionsCalls, SessionsCalls
from muniment.client.generated.slots import AsyncSlotsCalls, SlotsCalls
from muniment.client.generated.sources import AsyncSourcesCalls, SourcesCalls
from muniment.client.generated.store import AsyncStoreCalls, StoreCalls
from muniment.client.generated.tenants import AsyncTenantsCalls, TenantsCalls
from muniment.client.generated.threads_async_calls import AsyncThreadsCalls
from muniment.client.generated.threads_calls import ThreadsCalls
from muniment.client.generated.tools import AsyncToolsCalls, ToolsCalls
from muniment.client.generated.users import AsyncUsersCalls, UsersCalls
from muniment.client.generated.working import AsyncWorkingCalls, WorkingCalls


class Surface:
    """What Client offers: a family an attribute, single operations as methods."""

    def __init__(self, call: Call) -> None:
        self.events = EventsCalls(call)
        self.sessions = SessionsCalls(call)
        self.working = WorkingCalls(call)
        self.store = StoreCalls(call)
        self.runs = RunsCalls(call)
        self.machines = MachinesCalls(call)
        self.approvals = ApprovalsCalls(call)
        self.tools = ToolsCalls(call)
        self.schemas = SchemasCalls(call)
        self.artifacts = ArtifactsCalls(call)
        self.sources = SourcesCalls(call)
        self.analysis = AnalysisCalls(call)
        self.recall = RecallCalls(call).recall
        self.context = ContextCalls(call)
        self.profile = ProfileCalls(call)
        self.memories = MemoriesCalls(call)
        self.embeddings = EmbeddingsCalls(call)
        self.entities = EntitiesCalls(call)
        self.files = FilesCalls(call)
        self.forget = ForgetCalls(call).forget
        self.receipts = ReceiptsCalls(call)
        self.users = UsersCalls(call)
        self.keys = KeysCalls(call)
        self.tenants = TenantsCalls(call)
        self.jobs = JobsCalls(call)
        self.passes = PassesCalls(call)
        self.slots = SlotsCalls(call)
        self.policy = PolicyCalls(call)
        self.holds = HoldsCalls(call)
        self.governance = GovernanceCalls(call)
        self.rereviews = RereviewsCalls(call)
        self.review = ReviewCalls(call)
        self.audit = AuditCalls(call)
        self.exports = ExportsCalls(call)
        self.imports = ImportsCalls(call)
        self.knowledge = KnowledgeCalls(call)
        self.threads = ThreadsCalls(call)


class AsyncSurface:
    """What AsyncClient offers: a family an attribute, single operations as methods."""

    def __init__(self, call: AsyncCall) -> None:
        self.events = AsyncEventsCalls(call)
        self.sessions = AsyncSessionsCalls(call)
        self.working = AsyncWorkingCalls(call)
        self.store = AsyncStoreCalls(call)
        self.runs = AsyncRunsCalls(call)
        self.machines = AsyncMachinesCalls(call)
        self.approvals = AsyncApprovalsCalls(call)
        self.tools = AsyncToolsCalls(call)
        self.schemas = AsyncSchemasCalls(call)
        self.artifacts = AsyncArtifactsCalls(call)
        self.sources = AsyncSourcesCalls(call)
        self.analysis = AsyncAnalysisCalls(call)
        self.recall = AsyncRecallCalls(call).recall
        self.context = AsyncContextCalls(call)
        self.profile = AsyncProfileCalls(call)
        self.memories = AsyncMemoriesCalls(call)
        self.embeddings = AsyncEmbeddingsCalls(call)
        self.entities = AsyncEntitiesCalls(call)
        self.files = AsyncFilesCalls(call)
        self.forget = AsyncForgetCalls(call).forget
        self.receipts = AsyncReceiptsCalls(call)
        self.users = AsyncUsersCalls(call)
        self.keys = AsyncKeysCalls(call)
        self.tenants = AsyncTenantsCalls(call)
        self.jobs = AsyncJobsCalls(call)
        self.passes = AsyncPassesCalls(call)
        self.slots = AsyncSlotsCalls(call)
        self.policy = AsyncPolicyCalls(call)
        self.holds = AsyncHoldsCalls(call)
        self.governance = AsyncGovernanceCalls(call)
        self.rereviews = AsyncRereviewsCalls(call)
        self.review = AsyncReviewCalls(call)
        self.audit = AsyncAuditCalls(call)
        self.exports = AsyncExportsCalls(call)
        self.imports = AsyncImportsCalls(call)
        self.knowledge = AsyncKnowledgeCalls(call)
        self.threads = AsyncThreadsCalls(call)
