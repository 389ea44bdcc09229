"""Mutated programs, schemas and snapshots, against promises that hold for all of them.

No exception reaches the host but those that are documented; nothing hangs; what comes after works as if nothing
had been; memory stays bounded; nothing runs that was not approved. `python -m benchmarks.fuzz --minutes 10 --seed N`.
"""
