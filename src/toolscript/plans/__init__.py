"""Shows what a script will change before it happens: a preview, a plan of calls, and a run that follows the plan."""
