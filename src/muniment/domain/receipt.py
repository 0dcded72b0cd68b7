"""What a receipt of a forget attests, in the one form over which its digest is taken."""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from muniment.domain.timeline import micros


def receipt_digest(tenant_id: UUID, receipt_id: UUID, told: Mapping[str, Any]) -> str:
    """SHA-256 over a receipt as JSON with sorted keys; instants as microseconds since 1970."""
    said = {name: micros(one) if isinstance(one, datetime) else one for name, one in told.items()}
    whole = {"tenant_id": str(tenant_id), "receipt_id": str(receipt_id), **said}
    return sha256(json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
