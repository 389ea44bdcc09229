"""What scripts do, for those who watch them or look at them afterwards."""
