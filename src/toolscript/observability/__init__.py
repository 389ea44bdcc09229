"""What scripts do, as events, data and traces."""
