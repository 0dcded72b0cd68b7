"""A sample conversation played against a real service: ``python -m examples.demo``."""
