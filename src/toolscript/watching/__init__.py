"""What scripts do, for whoever watches them or looks at them afterwards."""
