"""Reports for people: tables in the terminal, and tables quoted in the docs."""
