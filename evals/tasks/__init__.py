"""What agents are asked to do, as data."""
