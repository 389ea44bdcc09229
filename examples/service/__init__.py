"""A service of several processes: a queue, a store, approvals over HTTP, all in one PostgreSQL."""
