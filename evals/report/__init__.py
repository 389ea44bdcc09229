"""What people look at: tables in the terminal, JSON, and one page of HTML."""
