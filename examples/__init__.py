"""Complete programs that use toolscript."""
