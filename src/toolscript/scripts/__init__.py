"""One `run_code` call: prepare, run, answer; and what happens to each call that its script makes."""
