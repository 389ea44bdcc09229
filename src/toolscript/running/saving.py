"""What a script hands over to be kept: the text of one of its functions, made to stand by itself."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolscript.kept.kept_function import KeptFunction, callees
from toolscript.kept.reserved import SAVE_FUNCTION
from toolscript.offering.code_functions import CodeFunctions
from toolscript_sandbox import Failed, HostFiles, NotStandalone, Sandbox, Standalone, ToolError, standalone

from .kept_in_run import KeptInRun, is_tool

_SHOWN = re.compile(r"<(?:async )?function '?(?P<name>\w+)'? at 0x[0-9a-f]+>")


@dataclass(frozen=True)
class Saving:
    """How one script saves functions."""

    scripts: Callable[[], Sequence[str]]
    """Those that ran before, and the script itself."""
    functions: CodeFunctions[Any]
    kept: KeptInRun
    sandbox: Sandbox
    files: Callable[[], Awaitable[HostFiles | None]]
    """The folders that scripts have, where they have some."""

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What `save_function` is called with, for what a script called it with: text in the place of a function.

        Raises:
            ToolError: The function cannot be kept; the text says why.
        """
        name = _name(given.get('function'))
        function = self._standalone(name)
        tools = [tool for other in sorted(function.left) if (tool := self.functions.get(other)) is not None]
        return {
            'name': name,
            'description': given.get('description'),
            'code': function.code,
            'tools': [tool.signature for tool in tools],
            'functions': sorted(function.left.difference(tool.name for tool in tools)),
            'replace': given.get('replace', False),
        }

    async def check(self, arguments: Mapping[str, Any]) -> None:
        """See that the text can be defined by itself, as those who use it will.

        Raises:
            ToolError: It cannot.
        """
        needed = await self._needed(arguments['functions'])
        text = '\n'.join([*(function.code for function in needed.values()), arguments['code']])
        async with self.sandbox.session(files=await self.files()) as session:
            refused = await session.check(text, self.functions)
        if isinstance(refused, Failed):
            raise _not_kept(f'by itself it is not right: {refused.error.message}')

    def saved(self, arguments: Mapping[str, Any]) -> None:
        """It is kept: from now on others may call it."""
        function = KeptFunction(arguments['name'], arguments['description'], arguments['code'])
        self.kept.defined[function.name] = function.digest

    async def _needed(self, names: Sequence[str]) -> dict[str, KeptFunction]:
        every = await self.kept.shelf.all() if names else {}
        wanted = KeptFunction('', '', '', functions=tuple(names))
        return {name: every[name] for name in sorted(callees(wanted, every))}

    def _standalone(self, name: str) -> Standalone:
        if is_tool(name, self.functions):
            raise _not_kept(f'{name} is a tool; give the function another name.')
        if name not in self._texts:
            try:
                self._texts[name] = standalone(name, self.scripts(), self._is_left)
            except NotStandalone as error:
                raise _not_kept(str(error)) from error
        return self._texts[name]

    def _is_left(self, name: str) -> bool:
        return is_tool(name, self.functions) or name in self.kept.defined

    @cached_property
    def _texts(self) -> dict[str, Standalone]:
        return {}


def _name(function: object) -> str:
    text = function if isinstance(function, str) else ''
    shown = _SHOWN.fullmatch(text)
    name = text if shown is None else shown['name']
    if not name.isidentifier():
        raise _not_kept(
            f"the first argument must be a function that a script defined, or its name: {SAVE_FUNCTION}('f', ...)."
        )
    return name


def _not_kept(reason: str) -> ToolError:
    return ToolError('ValueError', f'Nothing was kept: {reason}')
