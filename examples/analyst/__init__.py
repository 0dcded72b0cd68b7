"""An agent that analyses real data, session after session, with what was learnt before."""
