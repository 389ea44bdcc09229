"""Names of builtins and modules that a polyfill provides.

An import keeps the names that Monty has; others become assignments, and an import of a module that Monty lacks goes.
"""

from __future__ import annotations

import ast
from typing import cast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import BUILTINS, MODULES, Names, names_of_module
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.polyfills.linker import home

from .methods import kinds_with
from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted, quoted_expression, set_changed


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Provided(context).below(tree)


def _needed(analysis: Analysis) -> bool:
    if any(map(is_polyfilled, analysis.meant)) or not analysis.words.isdisjoint(['json', 'cache_clear', 'cache_info']):
        return True
    if any(len(_remaining(node)) < len(node.names) for node in analysis.all(ast.Import)):
        return True
    if any(_is_lacking(node, alias) for node in analysis.all(ast.ImportFrom) for alias in node.names):
        return True
    if any(meaning(node.value) is not None for node in analysis.all(ast.Subscript)):
        return True
    return any(_wider(node) is not None or _is_out_of_order(node) for node in analysis.all(ast.Call))


def is_polyfilled(dotted: str) -> bool:
    """Whether a polyfill defines what the dotted name means."""
    module, _, name = dotted.rpartition('.')
    return _names(module).providers.get(name) in ('polyfill', 'host')


def _names(module: str) -> Names:
    return BUILTINS if module == 'builtins' else MODULES.get(module, _NONE)


_NONE = Names()


class _Provided(Transformer):
    def __init__(self, context: Context) -> None:
        analysis = context.analysis
        self._functions = analysis.functions
        self._has_files = analysis.has_files
        self._has_objects = (
            bool(analysis.all(ast.ClassDef) or analysis.session.variables) or 'namedtuple' in analysis.words
        )
        self._dispatches = 'functools.singledispatch' in analysis.meant
        self._counts_hits = not analysis.words.isdisjoint(['cache_clear', 'cache_info'])

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._provided(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        stream = _STREAMS.get((meaning(node.value) or '', node.attr))
        if stream is not None:
            return placed(ast.Name(polyfill('builtins', stream), ast.Load()), node)
        found = self._provided(node)
        return self.below(node) if found is node else found

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        for place, mark in enumerate(node.decorator_list):
            if isinstance(mark, ast.Attribute) and mark.attr == 'register' and self._dispatches:
                kind = node.args.args[0].annotation if node.args.args else None
                if kind is None:
                    raise Refused([refusal(mark, 'Name the type that it is for: @function.register(int).')])
                node.decorator_list[place] = placed(ast.Call(mark, [kind], []), mark)
                set_changed(node)
        return self.below(node)

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = _untyped(node.value)
        return self.below(node)

    visit_AnnAssign = visit_Assign

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if _is_out_of_order(node):
            # Monty passes what stands behind `**` last.
            keys = [placed(ast.Constant(word.arg), word.value) if word.arg else None for word in node.keywords]
            given = placed(ast.Dict([*keys], [word.value for word in node.keywords]), node)
            node.keywords = [placed(ast.keyword(None, given), node)]
            set_changed(node)
        node.args = [_untyped(part) for part in node.args]
        match node:
            case ast.Call(args=[module, ast.Constant(value=str(name)), *default]) if meaning(module) in MODULES:
                names = names_of_module(cast('str', meaning(module)), has_files=self._has_files)
                offered = name in names.providers
                if meaning(node.func) == 'builtins.hasattr':
                    return placed(ast.Constant(offered), node)
                if meaning(node.func) == 'builtins.getattr' and default and not offered:
                    return self.expression(default[0])
            case _:
                pass
        is_asked = meaning(node.func) == 'builtins.isinstance' or (
            isinstance(node.func, ast.Name) and node.func.id == '_classes__is_a'
        )
        if is_asked and len(node.args) == _TWO:
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            if any(_abstract(kind) for kind in kinds):
                named = [placed(ast.Constant(_abstract(kind)), kind) if _abstract(kind) else kind for kind in kinds]
                node.func = placed(ast.Name('_collections_abc__is_a', ast.Load()), node.func)
                node.args[1] = placed(ast.Tuple(named, ast.Load()), node.args[1])
                set_changed(node)
        if (function := _wider(node)) is not None or (function := self._json(node)) is not None:
            node.func = placed(ast.Name(function, ast.Load()), node.func)
            set_changed(node)
            match function, node.args:
                case '_builtins__hasattr', [_, ast.Constant(value=str(name))]:
                    node.args.append(placed(ast.Constant(kinds_with(name)), node))
                case _:
                    pass
        dotted = meaning(node.func)
        if dotted is not None and _names(dotted.rpartition('.')[0]).providers.get(dotted.rpartition('.')[2]) == 'host':
            node.func = placed(ast.Name('_host__call', ast.Load()), node.func)
            node.args.insert(0, ast.Constant(dotted))
            set_changed(node)
        return self.below(node)

    def _json(self, node: ast.Call) -> str | None:
        words = {word.arg for word in node.keywords}
        match meaning(node.func):
            case 'json.dumps' if 'default' in words or self._has_objects:
                return polyfill('json', 'dumps')
            case 'json.loads' if words & {'object_hook', 'object_pairs_hook'}:
                return polyfill('json', 'loads')
            case _:
                return None

    def _provided(self, node: ast.Name | ast.Attribute) -> ast.expr:
        dotted = meaning(node)
        if dotted in ('functools.cache', 'functools.lru_cache') and self._counts_hits:
            return placed(ast.Name(polyfill('functools', dotted.rpartition('.')[2]), ast.Load()), node)
        if dotted is None or not isinstance(node.ctx, ast.Load) or not is_polyfilled(dotted):
            return node
        module, _, name = dotted.rpartition('.')
        return _value(node, module, name)

    def _is_unknown(self, dotted: str) -> bool:
        module, _, name = dotted.rpartition('.')
        return module != '__future__' and dotted not in MODULES and self._functions.get(name) is None

    def visit_Import(self, node: ast.Import) -> ast.AST | list[ast.stmt]:
        names = _remaining(node)
        if len(names) == len(node.names):
            return node
        return placed(ast.Import(names), node) if names else quoted('pass', node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        if not any(_is_lacking(node, alias) for alias in node.names):
            return node
        module = _module(node)
        names, made = list[ast.alias](), list[ast.stmt]()
        for alias in node.names:
            provider = _names(module).providers.get(alias.name)
            if not _is_lacking(node, alias) or (module != node.module and provider == 'monty'):
                names.append(alias)
            elif provider in ('polyfill', 'host'):
                value = _value(node, module, alias.name)
                made += quoted('TARGET = VALUE', node, TARGET=alias.asname or alias.name, VALUE=value)
            elif provider is None and self._is_unknown(f'{module}.{alias.name}'):
                names.append(alias)
        rest: list[ast.stmt] = [placed(ast.ImportFrom(module, names, 0), node)] if names else []
        return [*rest, *made] or quoted('pass', node)


def _remaining(node: ast.Import) -> list[ast.alias]:
    """What is left of an import: modules that Monty has, or that nothing here knows."""
    return [alias for alias in node.names if alias.name not in MODULES or MODULES[alias.name].monty]


def _module(node: ast.ImportFrom) -> str:
    return 'typing' if node.module == 'typing_extensions' else node.module or ''


def _is_lacking(node: ast.ImportFrom, alias: ast.alias) -> bool:
    """Whether Monty cannot import the name: it has it not, or a transform writes its uses anew."""
    dotted = f'{node.module}.{alias.name}'
    if dotted in MODULES:
        return not MODULES[dotted].monty
    return _names(node.module or '').providers.get(alias.name) != 'monty' and dotted not in _NATIVE_TOO


def _is_out_of_order(node: ast.Call) -> bool:
    words = [word.arg for word in node.keywords]
    return None in words and any(words[words.index(None) :]) and not (meaning(node.func) or '').startswith('tools.')


def _untyped(node: ast.expr) -> ast.expr:
    """A type as a value (`Row = Dict[str, Any]`) without subscripts that Monty lacks."""
    match node:
        case ast.Subscript(value=whole) if (meaning(whole) or '').startswith('typing.'):
            return set_changed(whole)
        case ast.Subscript(value=ast.Name(), slice=part) if (meaning(node.value) or '').startswith('builtins.'):
            node.slice = _untyped(part)
        case ast.Tuple(elts=parts):
            node.elts = [_untyped(part) for part in parts]
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            node.left, node.right = _untyped(left), _untyped(right)
        case _:
            pass
    return node


def _value(node: ast.AST, module: str, name: str) -> ast.expr:
    """What a name of a module is, as a value."""
    if _names(module).providers[name] == 'host':
        return quoted_expression(
            'lambda *_a, **_k: _host__call(NAME, *_a, **_k)', node, NAME=ast.Constant(f'{module}.{name}')
        )
    return placed(ast.Name(home(module, name), ast.Load()), node)


def _wider(node: ast.Call) -> str | None:
    """The polyfill for a call of a builtin that Monty has for fewer arguments."""
    count, words = len(node.args), {word.arg for word in node.keywords}
    match meaning(node.func):
        case 'builtins.print' if 'file' in words:
            return '_builtins__print_to'
        case 'builtins.round' if count + len(words) > 1:
            return '_builtins__round'
        case 'builtins.pow' if words or count > _TWO:
            return '_builtins__pow'
        case 'builtins.bytes' if node.args and not isinstance(node.args[0], ast.Constant):
            return '_methods__bytes_of'
        case 'builtins.hasattr' if count == _TWO:
            return '_builtins__hasattr'
        case 'builtins.object' if not node.args:
            return '_builtins__object'
        case 'datetime.timedelta' if not all(map(_is_whole, [*node.args, *(word.value for word in node.keywords)])):
            return '_datetime__span'
        case _:
            return None


def _is_whole(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _abstract(kind: ast.expr) -> str | None:
    """The name of an abstract class of `collections.abc` that `isinstance` is asked for."""
    module, _, name = (meaning(kind) or '').rpartition('.')
    return name if module in ('collections.abc', 'typing') and name in _ABSTRACT else None


_ABSTRACT = frozenset(MODULES['collections.abc'].providers)
_STREAMS = {
    ('sys.stdout', 'write'): 'write',
    ('sys.stderr', 'write'): 'write_error',
    ('sys.stdout', 'writelines'): 'writelines',
    ('sys.stdout', 'flush'): 'flush',
    ('sys.stderr', 'flush'): 'flush',
}
_TWO = 2
_NATIVE_TOO = frozenset(['json.dumps', 'json.loads', 'functools.cache', 'functools.lru_cache'])
"""Names that Monty has too."""

PROVIDED_NAMES = Transform(
    'names of builtins and modules that Monty lacks',
    _apply,
    _needed,
    probe='import heapq\nheapq.heappush([], 1)',
)
