"""How many threads the numeric libraries of a process use."""

from threadpoolctl import threadpool_limits


def one_numeric_thread() -> None:
    """One for each process: a scope's vectors are few, and idle threads that spin cost others."""
    threadpool_limits(limits=1)
