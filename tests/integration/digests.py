"""The digest of a receipt, as the reference says that it is taken."""

import json
from hashlib import sha256
from typing import Any

from muniment.domain.timeline import micros
from tests.support.world import Tenant


def digest(tenant: Tenant, receipt: Any) -> str:
    """As the reference says that it is taken."""
    told = {name: getattr(receipt, name) for name in vars(receipt) if name != "digest"}
    for name in ("hidden_at", "erased_at", "scrubbed_at"):
        told[name] = None if told[name] is None else micros(told[name])
    told |= {"tenant_id": str(tenant.tenant_id), "receipt_id": str(receipt.receipt_id)}
    return sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
