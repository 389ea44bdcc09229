"""What a script will change, seen before it happens: a preview, a plan of calls, and the run that keeps to it."""
