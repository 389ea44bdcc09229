"""What people look at: tables in the terminal, and those that the docs quote."""
