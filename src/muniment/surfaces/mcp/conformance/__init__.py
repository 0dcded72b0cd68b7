"""Fixtures that the conformance suite of MCP calls; they hold nothing and reach no data."""
