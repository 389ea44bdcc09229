"""Fair use of the event loop, work on threads, and cancellation of tasks."""
