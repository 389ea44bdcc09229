"""`python -m toolscript`, and the `toolscript` command."""

import errno
import io
import os
import sys

_EXTRA = frozenset({'typer', 'rich', 'dotenv', 'prompt_toolkit'})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def main() -> None:
    # The command creates its own agents: on a terminal, pydantic-ai would print a banner for the first of them.
    os.environ.setdefault('PYDANTIC_AI_NO_BANNER', '1')
    try:
        from toolscript.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        print("The toolscript command needs an extra: pip install 'toolscript[cli]'.", file=sys.stderr)
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Some terminals cannot show all characters.
            stream.reconfigure(errors='backslashreplace')
    try:
        app(prog_name='toolscript')
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        print(f'toolscript: the result cannot be written: {error.strerror}.', file=sys.stderr, flush=True)
        # A normal exit would try to write the rest once more.
        os._exit(3)


if __name__ == '__main__':
    main()
