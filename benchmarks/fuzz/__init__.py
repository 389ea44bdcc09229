"""Mutated programs, schemas and snapshots, checked against guarantees that hold for all of them.

No undocumented exception reaches the host; nothing hangs; later runs are unaffected; memory stays bounded; nothing runs
without approval. `python -m benchmarks.fuzz --minutes 10 --seed N`.
"""
