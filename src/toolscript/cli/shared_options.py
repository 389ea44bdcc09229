"""Arguments that several commands have."""

from typing import Annotated

import typer

TargetText = Annotated[
    str,
    typer.Argument(
        metavar='TARGET',
        help='An mcp.json as Claude, Cursor or VS Code write it, or module:attribute of a toolset or an agent.',
        show_default=False,
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        '--input', metavar='ID=VALUE', help="A value for ${input:ID} in VS Code's configuration.", show_default=False
    ),
]
Approve = Annotated[
    list[str] | None,
    typer.Option(
        '--approve',
        metavar='TOOL',
        help="Approve this tool's calls without asking; '*' for all tools.",
        show_default=False,
    ),
]
