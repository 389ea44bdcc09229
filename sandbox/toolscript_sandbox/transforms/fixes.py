"""Fixes common mistakes of models in the form of a script before it is checked, without changing its meaning."""

import ast
import sys

from toolscript_sandbox.contract.functions import HOST
from toolscript_sandbox.language.analysis import Analysis, set_meaning
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.language.syntax import words
from toolscript_sandbox.language.validator import is_tried, lacking_import

from .transform import Context
from .tree import Transformer, is_call_of, is_changed, meaning, named, quoted, quoted_expression, set_changed


def fixed(tree: ast.Module, context: Context) -> ast.Module:
    """Fix the script in place."""
    analysis = context.analysis
    for node in analysis.forgotten:
        context.fixed(f'Added `{ast.unparse(node)}`.')
    _without_unused_imports(tree, context)
    _with_main_called(tree, context)
    if _has_calls_to_fix(analysis):
        calls = _Calls(context)
        tree = calls.below(tree)
        if calls.needs_asyncio:
            tree.body[:0] = quoted('import asyncio', tree.body[0])
            set_changed(tree)
    return tree


def _has_calls_to_fix(analysis: Analysis) -> bool:
    if 'run' in analysis.words or 'run_until_complete' in analysis.words:
        return True
    named = (analysis.functions.get(name) for name in analysis.names.used)
    functions = [function for function in named if function is not None]
    if any(function.sequential for function in functions):
        return True
    bound = analysis.names.bound | (analysis.session.variables - analysis.session.callables)
    return any(function.name in bound for function in functions)


class _Calls(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._analysis = context.analysis
        self._is_async = True
        """Whether the visited code may await."""
        self.needs_asyncio = False
        """Whether a fix uses the module `asyncio`, which the script does not import."""

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        before, self._is_async = self._is_async, isinstance(node, ast.AsyncFunctionDef)
        node = self.below(node)
        self._is_async = before
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_Await(self, node: ast.Await) -> ast.AST:
        node = self.below(node)
        name = self._sequential(node.value)
        if name is None:
            return node
        self._context.fixed(f'Dropped `await` before {name}, which is called without it.')
        return node.value

    def _sequential(self, node: ast.AST) -> str | None:
        """Return the name of the function if the node is a call that returns its result at once."""
        dotted = (meaning(node.func) if isinstance(node, ast.Call) else None) or ''
        function = self._analysis.functions.get(dotted[6:]) if dotted.startswith('tools.') else None
        return function.name if function is not None and function.sequential else None

    def _coroutine(self, node: ast.expr) -> ast.expr:
        """Return a coroutine in place of a call that returns its result at once, also in a list."""
        match node:
            case ast.Starred():
                node.value = self._coroutine(node.value)
                return set_changed(node) if is_changed(node.value) else node
            case ast.List() | ast.Tuple() | ast.Set():
                node.elts = [self._coroutine(item) for item in node.elts]
                return set_changed(node) if any(map(is_changed, node.elts)) else node
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                node.elt = self._coroutine(node.elt)
                return set_changed(node) if is_changed(node.elt) else node
            case _:
                pass
        name = self._sequential(node)
        if name is None:
            return node
        self._context.fixed(f'{name} returns its result at once: asyncio got it as asyncio.sleep(0, result).')
        self.needs_asyncio = self._analysis.meanings.get('asyncio') != 'asyncio'
        made = quoted_expression('asyncio.sleep(0, X)', node, X=node)
        assert isinstance(made, ast.Call)
        set_meaning(made.func, 'asyncio.sleep')
        return made

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node = self.below(node)
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr == 'create_task'
        if is_method or meaning(node.func) in _OF_COROUTINES:
            node.args = [self._coroutine(argument) for argument in node.args]
            if any(map(is_changed, node.args)):
                set_changed(node)
        runs = is_call_of(node, 'asyncio.run') or (
            isinstance(node.func, ast.Attribute) and node.func.attr == 'run_until_complete'
        )
        if runs and node.args and self._is_async:
            self._context.fixed('Awaited the coroutine: an event loop is running already.')
            return quoted_expression('await X', node, X=node.args[0])
        if isinstance(node.func, ast.Name) and self._is_hidden(node.func):
            # In `user = await user(1)`, the variable must not hide the function from the next call.
            name = node.func.id
            self._context.hidden.add(name)
            node.func = set_meaning(named(f'{HOST}{name}', node.func), f'tools.{name}')
            return set_changed(node)
        return node

    def _is_hidden(self, node: ast.Name) -> bool:
        analysis, name = self._analysis, node.id
        owner = analysis.scopes.owner(node)
        if (owner is not None and owner.kind != 'module') or name in analysis.names.defined:
            return False
        if analysis.functions.get(name) is None:
            return False
        earlier = analysis.session
        return name in analysis.names.bound or (name in earlier.variables and name not in earlier.callables)


_OF_COROUTINES = words('as_completed create_task ensure_future gather shield wait wait_for', 'asyncio')
"""Functions that take coroutines."""


def _with_main_called(tree: ast.Module, context: Context) -> None:
    """Call the main function of a script that defines one and does nothing else."""
    main = _main(tree)
    if main is None or main.name in context.analysis.index.names:
        return
    call = 'await NAME()' if isinstance(main, ast.AsyncFunctionDef) else 'NAME()'
    context.fixed(f'Called {main.name}(), which nothing called.')
    tree.body += quoted(call, tree.body[-1], NAME=main.name)
    set_changed(tree)


def _main(tree: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    if not tree.body or not all(isinstance(node, _PASSIVE) or _is_text(node) for node in tree.body):
        return None
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    named = [node for node in functions if node.name in ('main', 'run', 'solve', 'execute', '_main')]
    last = tree.body[-1]
    for node in [*named, *([last] if isinstance(last, ast.AsyncFunctionDef) else [])]:
        arguments = node.args
        positional = len(arguments.posonlyargs) + len(arguments.args)
        if positional == len(arguments.defaults) and None not in arguments.kw_defaults:
            return node
    return None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


_PASSIVE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def _without_unused_imports(tree: ast.Module, context: Context) -> None:
    """Remove imports of host functions, and of Python's own modules that the script does not use."""
    analysis = context.analysis
    modules = {alias.name for node in analysis.all(ast.Import) for alias in node.names}
    if not analysis.only_imports and (ast.ImportFrom in analysis.kinds or not modules <= MODULES.keys()):
        _Unused(context).below(tree)


class _Unused(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._analysis = context.analysis

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        names = list[ast.alias]()
        for alias in node.names:
            is_unused = self._is_unused(node, alias)
            if is_unused or self._is_function(node, alias):
                reason = 'nothing uses it.' if is_unused else 'the function is there already.'
                self._context.fixed(f'Removed the import of {alias.name}: {reason}')
            else:
                names.append(alias)
        if len(names) == len(node.names):
            return node
        node.names = names
        return set_changed(node) if names else quoted('pass', node)

    visit_ImportFrom = visit_Import

    def _is_function(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
        is_known = self._analysis.functions.get(alias.name) is not None
        module = node.module if isinstance(node, ast.ImportFrom) else alias.name
        return is_known and alias.asname is None and module not in MODULES

    def _is_unused(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
        if isinstance(node, ast.ImportFrom) and node.module in (*MODULES, 'typing_extensions'):
            is_unmentioned = (alias.asname or alias.name) not in self._analysis.mentioned
            is_lacking = any(lacking_import(node, alias, self._analysis))
            return is_unmentioned and is_lacking and not is_tried(node, self._analysis)
        module = alias.name if isinstance(node, ast.Import) else node.module or ''
        root = module.partition('.')[0]
        is_ours = module in MODULES or root not in sys.stdlib_module_names - {'antigravity', 'this'}
        name = alias.asname or (root if isinstance(node, ast.Import) else alias.name)
        return not is_ours and name not in self._analysis.mentioned
