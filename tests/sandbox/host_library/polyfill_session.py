"""Programs in Monty with a polyfill that they import, whose questions a `HostLibrary` answers."""

from __future__ import annotations

import ast
from importlib.resources import files
from typing import Any

from pydantic_monty import AsyncFunctionSnapshot, AsyncMonty, MontyComplete

from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.language.dialect import MODULES

_OF_HOST = '(lambda *a, **k: _host__({!r}, *[list(x) if hasattr(x, "__next__") else x for x in a], **k))'
_FOLDER = files('toolscript_sandbox') / 'polyfills'
NAMES = sorted(file.name.removesuffix('.py') for file in _FOLDER.iterdir() if file.name.endswith('.py'))


async def run(library: HostLibrary, pool: AsyncMonty, module: str, program: str) -> Any:
    """The value of the program's last expression. It says `module.name` for what the polyfill defines, without an import.

    Raises what the program raises, as Monty shows it.
    """
    text = ast.unparse(_Members(module).visit(ast.parse(program)))
    async with pool.checkout(limits={'max_suspensions': 100_000}) as session:
        await session.feed_run(_linked(module))
        step = await session.feed_start(text)
        while not isinstance(step, MontyComplete):
            assert isinstance(step, AsyncFunctionSnapshot), step
            assert step.function_name == '_host__', step.function_name
            name, *args = step.args
            try:
                step = await step.resume({'return_value': await library.call(name, args, step.kwargs, seconds=5)})
            except HostLibraryError as error:
                raised: Any = {'exc_type': error.builtin, 'message': error.message}
                step = await step.resume(raised)
        return step.output


def text_of(module: str) -> str:
    """The polyfill's source."""
    return (_FOLDER / f'{module.replace(".", "_")}.py').read_text()


def _linked(module: str) -> str:
    """The polyfill with those that it imports from, all top-level names with the polyfill's name in front."""
    tree = ast.parse(text_of(module))
    needed = dict[str, str]()
    names = dict[str, str]()
    for node in tree.body:
        match node:
            case ast.ImportFrom(level=1, module=str(home)):
                needed[home] = _linked(home)
                names |= {alias.name: f'_{home}_{alias.name}' for alias in node.names}
            case ast.Import() | ast.ImportFrom():
                names |= {alias.asname or alias.name: _prefixed(module, alias.name) for alias in node.names}
            case ast.FunctionDef() | ast.ClassDef():
                names[node.name] = _prefixed(module, node.name)
            case ast.Assign():
                found = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
                names |= {name: _prefixed(module, name) for name in found}
            case _:
                continue
    return '\n'.join([*needed.values(), ast.unparse(_Prefix(module, names).visit(tree))])


def _prefixed(module: str, name: str) -> str:
    return f'_{module.replace(".", "_")}_{name}'


class _Members(ast.NodeTransformer):
    def __init__(self, module: str) -> None:
        self._module = module

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.value) != self._module:
            return node
        if node.attr in MODULES[self._module].host.split():
            return ast.parse(_OF_HOST.format(f'{self._module}.{node.attr}'), mode='eval').body
        return ast.Name(_prefixed(self._module, node.attr), node.ctx)


class _Prefix(ast.NodeTransformer):
    def __init__(self, module: str, names: dict[str, str]) -> None:
        self._module = module
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            alias.asname = self._names[alias.asname or alias.name]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        for alias in node.names:
            alias.asname = self._names[alias.asname or alias.name]
        return None if node.level else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self._names.get(node.name, node.name)
        node.body = [
            self._method(part) if isinstance(part, ast.FunctionDef) else self.visit(part) for part in node.body
        ]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._names.get(node.name, node.name)
        return self._method(node)

    def _method(self, node: ast.FunctionDef) -> ast.FunctionDef:
        # A parameter hides the definition of that name.
        names, parameters = self._names, {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        self._names = {name: renamed for name, renamed in names.items() if name not in parameters}
        node.body = [self.visit(part) for part in node.body]
        self._names = names
        return node
