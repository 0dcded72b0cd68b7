"""Trajectories: what was asked of a service and what became of it, recorded and played again."""
