"""Each contender as a child process: run with its own environment's Python, told what to do by lines of JSON."""
