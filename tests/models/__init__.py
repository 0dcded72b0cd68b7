"""Models of sentences, the real library: ``make test-models``."""
