"""What models write and Monty does not take, written so that it means the same there.

Begin with `snippet.py`, which makes a snippet that Monty can run of the text that a model sent. `passes.py` lists the
lowerings in their order; each stands in the room of its subject (`classes/`, `errors/`, `generators/`, ...), and is a
function from one `Program` to the next. Rules, of which the first that knows a node rewrites it, are listed in
`rules/all_rules.py`. The folder `guest/` has the Python that Monty runs in place of what it lacks.
"""
