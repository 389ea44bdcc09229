"""One `run_code` call: preparation, execution, answer; and the handling of each call that its script makes."""
