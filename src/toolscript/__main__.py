"""`python -m toolscript`, and the `toolscript` command."""

import sys

_EXTRA = frozenset({'typer', 'rich', 'dotenv'})


def main() -> None:
    """Run the command, or say what it needs."""
    try:
        from toolscript.command.app import app
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        print("The toolscript command needs an extra: pip install 'toolscript[cli]'.", file=sys.stderr)
        sys.exit(2)
    app(prog_name='toolscript')


if __name__ == '__main__':
    main()
