"""What code mode costs, beside peers and beside what cannot be avoided: `make bench`."""
