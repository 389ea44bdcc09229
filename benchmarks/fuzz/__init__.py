"""Mutated programs, schemas and snapshots, checked against promises that apply to all of them.

Only documented exceptions reach the host; nothing hangs; later runs work as if nothing had happened; memory stays
bounded; nothing runs that was not approved. `python -m benchmarks.fuzz --minutes 10 --seed N`.
"""
