"""What models write and Monty does not take, written so that it means the same there."""
