"""An instrumented agent, and a picture of its trace."""
