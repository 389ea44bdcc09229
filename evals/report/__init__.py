"""Reports for people: tables in the terminal, and those that the docs quote."""
