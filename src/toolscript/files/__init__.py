"""Which folders scripts have."""
