"""Speed and memory, measured as ratios within one run (never asserted as seconds in a test)."""
