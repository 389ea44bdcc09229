"""The evals are no part of the package, and their dependencies are installed only beside the newest pydantic-ai."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec('pydantic_evals') else ['test_*.py']
