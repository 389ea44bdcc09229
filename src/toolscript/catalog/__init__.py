"""How tools appear in code."""
