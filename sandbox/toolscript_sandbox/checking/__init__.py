"""What is wrong with a snippet before it runs."""
