"""What takes an administrator: the erasure ledger at start, scrub, backup and restore."""
