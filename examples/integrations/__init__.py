"""Agents of others' frameworks with memory. Their models play a script: no key is needed."""
