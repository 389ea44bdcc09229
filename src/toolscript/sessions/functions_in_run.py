"""The saved functions of one run: those that a script uses are defined in its session before it starts.

Their texts become part of the session like earlier scripts, so they can call what the script can call: they are checked
against the current tools, and their calls count as calls of the script. If one no longer fits, or a variable has the
name of a function that it calls, the script is refused before anything runs.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pydantic_ai import ModelRetry

from toolscript.catalog.function_metadata import is_saved_function
from toolscript.routing.placement import SAVE_FUNCTION
from toolscript.run_code.functions import CodeFunctions
from toolscript_sandbox import (
    Call,
    Failed,
    HostFiles,
    NotSelfContained,
    Sandbox,
    SelfContained,
    Session,
    ToolError,
    bindings,
    free_variables,
    imported,
    self_contained,
    variables_of,
)

from .saved_function import SavedFunction, callees
from .saved_functions import FunctionsOfOwner


@dataclass
class FunctionsInRun:
    """The saved functions that a run uses."""

    saved_functions: FunctionsOfOwner
    defined: dict[str, str] = field(default_factory=dict[str, str])
    """Digests of the texts of the functions in the session, by name; and the names that these import, with the
    statements, because these are not variables of a script either."""

    async def needed(self, code: str, functions: CodeFunctions[Any], variables: Collection[str]) -> list[SavedFunction]:
        """Return the functions that a script calls, directly or indirectly, each after those that it needs.

        A tool takes precedence over a saved function of the same name, and so does one of the existing `variables`.

        Raises:
            ModelRetry: A function in the session, or one that it needs, has been deleted.
            UserError: The store failed.
        """
        own = {*variables} - self.defined.keys()
        names = {name for name in free_variables(code) - bindings(code) - own if not is_tool(name, functions)}
        found = await self.saved_functions.find(names)
        had = {name for name, text in self.defined.items() if not text.startswith(_IMPORTING)}
        if gone := sorted((names & had) - found.keys()):
            raise ModelRetry(f'{", ".join(gone)} was deleted meanwhile, so nothing was run. Do without it.')
        every, waiting = dict(found), set(found)
        while waiting:
            wanted = {name for one in waiting for name in every[one].functions} - every.keys()
            more = await self.saved_functions.find(wanted) if wanted else {}
            for name in sorted(wanted - more.keys()):
                user = next(one for one in sorted(waiting) if name in every[one].functions)
                _refuse(every[user], f'it calls the saved function {name}, which no longer exists')
            every, waiting = {**every, **more}, set(more)
        return list(_in_order(sorted(found), every))

    async def define(
        self, needed: list[SavedFunction], scripts: Sequence[str], functions: CodeFunctions[Any], session: Session
    ) -> None:
        """Define the functions for the last one of `scripts`. Raises `ModelRetry` if one does not fit."""
        own, bound = session.variables - self.defined.keys(), variables_of(scripts[-1])
        for function in needed:
            _check_conflicts(function, functions, own, bound)
            if self.defined.get(function.name) == function.digest and function.name in session.variables:
                continue
            _check_overwrites_nothing(function, own, scripts)
            outcome = await session.run(function.code, functions, _no_call)
            if isinstance(outcome, Failed):
                _refuse(function, '\n'.join([*changed_tools(function, functions), outcome.error.message]))
            self.defined.update({**imported(function.code), function.name: function.digest})
        # From now on, names that the script binds belong to the script.
        for name in bound & self.defined.keys():
            del self.defined[name]


def is_tool(name: str, functions: CodeFunctions[Any]) -> bool:
    """Return whether this is the name of a tool that scripts may call, and not of a saved function."""
    function = functions.catalog.get(name)
    if function is None:
        return functions.get(name) is not None
    return not is_saved_function(functions.tools[function.spec.name].tool.tool_def)


def changed_tools(function: SavedFunction, functions: CodeFunctions[Any]) -> list[str]:
    """Return the former signatures of tools that have changed since the function was saved, one line for each."""
    now = {name: functions.get(name) for name in function.tool_names}
    return [
        f'When it was saved, the tool was: {signature}'
        for name, signature in zip(function.tool_names, function.tools, strict=True)
        if signature != name and ((tool := now[name]) is None or tool.signature != signature)
    ]


def _in_order(names: Collection[str], functions: Mapping[str, SavedFunction]) -> Iterator[SavedFunction]:
    done, open_ = set[str](), list[str]()

    def visit(name: str) -> Iterator[SavedFunction]:
        if name in open_:
            _refuse(functions[name], 'it calls itself through other saved functions')
        if name not in done:
            open_.append(name)
            for needed in functions[name].functions:
                yield from visit(needed)
            open_.remove(name)
            done.add(name)
            yield functions[name]

    for name in names:
        yield from visit(name)


def _check_conflicts(
    function: SavedFunction, functions: CodeFunctions[Any], own: Collection[str], bound: Collection[str]
) -> None:
    for name in function.functions:
        if is_tool(name, functions):
            _refuse(function, f'it calls the saved function {name}, which is now the name of a tool')
    called = {*function.tool_names, *function.functions}
    if clash := sorted(called & {*own, *bound}):
        raise ModelRetry(
            f'The saved function {function.name} calls {clash[0]}, and {clash[0]} is a variable here, so nothing '
            'was run. Rename the variable; if an earlier script set it, delete it (del).'
        )


def _check_overwrites_nothing(function: SavedFunction, own: Collection[str], scripts: Sequence[str]) -> None:
    for name, statement in imported(function.code).items():
        if name in own and not any(imported(script).get(name) == statement for script in scripts):
            raise ModelRetry(
                f'The saved function {function.name} needs {statement!r}, and {name} is a variable that an earlier '
                f'script set, so nothing was run. Delete it (del {name}), or rename it.'
            )


def _refuse(function: SavedFunction, reason: str) -> NoReturn:
    version = f'version {function.version}' if function.version else "the application's own"
    raise ModelRetry(
        f'Nothing was run: the saved function {function.name} ({version}) no longer fits:\n{reason}\nWrite what it '
        'did into your script, with the functions of today.'
    )


_IMPORTING = ('import ', 'from ')


async def _no_call(call: Call) -> Any:
    raise ToolError('PermissionError', f'{call.function} cannot be called where a saved function is defined')


_SHOWN = re.compile(r"<(?:async )?function '?(?P<name>\w+)'? at 0x[0-9a-f]+>")


@dataclass(frozen=True)
class Saving:
    scripts: Callable[[], Sequence[str]]
    """Return the scripts that ran before, and the script itself."""
    functions: CodeFunctions[Any]
    known: FunctionsInRun
    sandbox: Sandbox
    files: Callable[[], Awaitable[HostFiles | None]]
    """Return the folders that scripts can access, if any."""
    _texts: dict[str, SelfContained] = field(default_factory=dict[str, SelfContained], init=False)

    def arguments(self, tool_name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return a tool's arguments; `save_function` gets text. Raises `ToolError` if it cannot be saved."""
        if tool_name != SAVE_FUNCTION:
            return given
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
        """Raise `ToolError` if the text cannot be defined by itself, as in the runs that will use it."""
        needed = await self._needed(arguments['functions'])
        text = '\n'.join([*(function.code for function in needed.values()), arguments['code']])
        async with self.sandbox.session(files=await self.files()) as session:
            refused = await session.check(text, self.functions)
        if isinstance(refused, Failed):
            raise _not_saved(f'on its own it is invalid: {refused.error.message}')

    def saved(self, arguments: Mapping[str, Any]) -> None:
        """Record that a function was saved: from now on, other functions may call it."""
        function = SavedFunction(arguments['name'], arguments['description'], arguments['code'])
        self.known.defined[function.name] = function.digest

    async def _needed(self, names: Sequence[str]) -> dict[str, SavedFunction]:
        every = await self.known.saved_functions.all() if names else {}
        wanted = SavedFunction('', '', '', functions=tuple(names))
        return {name: every[name] for name in sorted(callees(wanted, every))}

    def _standalone(self, name: str) -> SelfContained:
        if is_tool(name, self.functions):
            raise _not_saved(f'{name} is a tool; give the function another name.')
        if name not in self._texts:
            try:
                self._texts[name] = self_contained(name, self.scripts(), self._is_left)
            except NotSelfContained as error:
                raise _not_saved(str(error)) from error
        return self._texts[name]

    def _is_left(self, name: str) -> bool:
        return is_tool(name, self.functions) or name in self.known.defined


def _name(function: object) -> str:
    text = function if isinstance(function, str) else ''
    shown = _SHOWN.fullmatch(text)
    name = text if shown is None else shown['name']
    if not name.isidentifier():
        raise _not_saved(
            f"the first argument must be a function that a script defined, or its name: {SAVE_FUNCTION}('f', ...)."
        )
    return name


def _not_saved(reason: str) -> ToolError:
    return ToolError('ValueError', f'Nothing was saved: {reason}')
