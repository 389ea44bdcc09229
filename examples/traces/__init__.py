"""An instrumented agent, and the spans of two of its runs."""
