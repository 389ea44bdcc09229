"""``python -m evals``: the scripted suite, or with ``--model`` the same tasks with real models."""

import sys

from evals.command import main

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
