"""What a request says, and what in it says nothing of the tool."""
