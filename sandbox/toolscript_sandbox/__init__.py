"""Run a snippet of Python in a sandbox and hand out the calls it makes."""
