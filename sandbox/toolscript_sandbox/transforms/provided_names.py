"""Names of builtins and modules that a polyfill provides.

An import keeps the names that Monty has; others become assignments. Imports of modules that Monty lacks are removed.
Names outside the dialect, which a script may only use where it handles their absence, raise the error that it handles:
Monty has some of them.
"""

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import BUILTINS, MODULES, Provider, names_of_module
from toolscript_sandbox.language.syntax import words
from toolscript_sandbox.polyfills.linker import home

from .transform import Renaming
from .tree import call_of, constant, meaning, named, placed, quoted, quoted_expression, set_changed

_REAL = words('atan2 cos exp fabs hypot isclose log log10 log2 pow sin sqrt tan', of='math')
"""Functions of floats, which Monty's do not make of fractions."""


def is_polyfilled(dotted: str) -> bool:
    """Return whether a polyfill defines the dotted name."""
    return _provider(dotted) in ('polyfill', 'host')


def _provider(dotted: str) -> Provider | None:
    module, _, name = dotted.rpartition('.')
    names = BUILTINS if module == 'builtins' else MODULES.get(module)
    return None if names is None else names.providers.get(name)


class ProvidedNames(Renaming):
    feature = 'names of builtins and modules that Monty lacks'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return (
            any(is_polyfilled(one) or _is_absent(one, analysis) for one in analysis.meant)
            or 'json' in analysis.words
            or not analysis.words.isdisjoint(['getattr', 'hasattr'])
            or any(_is_lacking(alias.name) for node in analysis.all(ast.Import) for alias in node.names)
            or any(_is_lacking(alias.name, node) for node in analysis.all(ast.ImportFrom) for alias in node.names)
            or any(meaning(node.value) is not None for node in analysis.all(ast.Subscript))
            or any(_wider(node) is not None or _is_out_of_order(node) for node in analysis.all(ast.Call))
        )

    # Names

    def _renamed(self, node: ast.Name | ast.Attribute) -> ast.expr:
        dotted = meaning(node)
        if dotted is None or not isinstance(node.ctx, ast.Load):
            return node
        if _is_absent(dotted, self._analysis):
            return _raising(node, dotted)
        return _value(node, dotted) if is_polyfilled(dotted) else node

    # Calls

    def visit_Call(self, node: ast.Call) -> ast.expr:
        dotted = meaning(node.func)
        if _is_out_of_order(node):
            # Monty passes keywords after a `**` argument before it.
            keys = [constant(word.arg, word.value) if word.arg else None for word in node.keywords]
            given = placed(ast.Dict([*keys], [word.value for word in node.keywords]), node)
            node.keywords = [placed(ast.keyword(None, given), node)]
            set_changed(node)
        if dotted in _REAL and 'Fraction' in self._analysis.words:
            return self.below(call_of('_builtins__of_reals', node, node.func))
        node.args = [_untyped(part) for part in node.args]
        for word in node.keywords:
            word.value = _untyped(word.value)
        match node.args:
            case [module, ast.Constant(value=str(name)), *default] if meaning(module) in MODULES:
                offered = name in names_of_module(meaning(module) or '', has_files=self._analysis.has_files).providers
                if dotted == 'builtins.hasattr':
                    return constant(offered, node)
                if dotted == 'builtins.getattr' and default and not offered:
                    return self.expression(default[0])
            case _:
                pass
        function = _wider(node) or self._json(node) or self._abstract(node)
        if function is not None:
            node.func = named(function, node)
            return set_changed(self.below(node))
        if _provider(dotted or '') == 'host':
            return self.below(call_of('_host__call', node, constant(dotted, node)))
        return self.below(node)

    def _json(self, node: ast.Call) -> str | None:
        words, analysis = {word.arg for word in node.keywords}, self._analysis
        has_objects = analysis.all(ast.ClassDef) or analysis.session.variables or 'namedtuple' in analysis.words
        match meaning(node.func):
            case 'json.dumps' if words & {'check_circular', 'default', 'cls'} or has_objects:
                return '_json__dumps'
            case 'json.loads' if 'JSONDecodeError' in analysis.words:
                return '_json__located'
            case 'json.loads' if words & {'object_hook', 'object_pairs_hook', 'strict'}:
                return '_json__loads'
            case _:
                return None

    def _abstract(self, node: ast.Call) -> str | None:
        """Return the polyfill of `isinstance` for a class of `collections.abc`, which it receives by name."""
        is_a = isinstance(node.func, ast.Name) and node.func.id == '_classes__is_a'
        if not (is_a or meaning(node.func) == 'builtins.isinstance') or len(node.args) != 2:
            return None
        kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        new = list[ast.expr]()
        for kind in kinds:
            module, _, name = (meaning(kind) or '').rpartition('.')
            is_abstract = module in ('collections.abc', 'typing') and name in MODULES['collections.abc'].providers
            new.append(constant(name, kind) if is_abstract else kind)
        if new == kinds:
            return None
        node.args[1] = placed(ast.Tuple(new, ast.Load()), node)
        return '_collections_abc__is_a'

    # Statements

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = _untyped(node.value)
        return self.below(node)

    visit_AnnAssign = visit_Assign

    def visit_Import(self, node: ast.Import) -> ast.AST | list[ast.stmt]:
        names = [alias for alias in node.names if not _is_lacking(alias.name)]
        if len(names) == len(node.names):
            return node
        return placed(ast.Import(names), node) if names else quoted('pass', node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        if not any(_is_lacking(alias.name, node) for alias in node.names):
            return node
        module = 'typing' if node.module == 'typing_extensions' else node.module or ''
        names, made = list[ast.alias](), list[ast.stmt]()
        for alias in node.names:
            dotted = f'{module}.{alias.name}'
            is_known = (
                module == '__future__' or dotted in MODULES or self._analysis.functions.get(alias.name) is not None
            )
            is_unknown = _provider(dotted) is None and not is_known
            is_native = module != node.module and _provider(dotted) == 'monty'
            if is_unknown and alias.name != '*' and _is_absent(dotted, self._analysis):
                made += quoted('X', node, X=_raising(node, dotted))
            elif is_polyfilled(dotted):
                made += quoted('X = Y', node, X=alias.asname or alias.name, Y=_value(node, dotted))
            elif is_unknown or is_native or not _is_lacking(alias.name, node):
                names.append(alias)
        rest: list[ast.stmt] = [placed(ast.ImportFrom(module, names, 0), node)] if names else []
        return [*rest, *made] or quoted('pass', node)


def _is_absent(dotted: str, analysis: Analysis) -> bool:
    """Return whether the dialect lacks a name of a module, or a builtin."""
    module, _, name = dotted.rpartition('.')
    if module == 'builtins':
        return name in BUILTINS.refused
    names = names_of_module(module, has_files=analysis.has_files) if module in MODULES else None
    return names is not None and dotted not in MODULES and name not in names.providers


def _raising(node: ast.AST, dotted: str) -> ast.expr:
    """Return a call that raises what Python raises for a name that does not exist."""
    module, _, name = dotted.rpartition('.')
    kind = 'import' if isinstance(node, ast.ImportFrom) else 'builtin' if module == 'builtins' else 'attribute'
    arguments = {'MODULE': constant(module, node), 'NAME': constant(name, node)}
    return quoted_expression(f'_builtins__absent_{kind}(MODULE, NAME)', node, **arguments)


def _is_lacking(name: str, node: ast.ImportFrom | None = None) -> bool:
    """Return whether an import must go, because Monty lacks the module or name or a transform rewrites its uses."""
    dotted = name if node is None else f'{node.module}.{name}'
    if dotted in MODULES:
        return not MODULES[dotted].monty
    return node is not None and _provider(dotted) != 'monty' and dotted not in _NATIVE_TOO


def _is_out_of_order(node: ast.Call) -> bool:
    words = [word.arg for word in node.keywords]
    return None in words and any(words[words.index(None) :]) and not (meaning(node.func) or '').startswith('tools.')


def _untyped(node: ast.expr) -> ast.expr:
    """Remove subscripts that Monty lacks from a type used as a value (`Row = Dict[str, Any]`)."""
    match node:
        case ast.Subscript(value=whole) if (meaning(whole) or '').startswith(('typing.', 'collections.abc.')):
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


def _value(node: ast.AST, dotted: str) -> ast.expr:
    """Return a name of a module as a value."""
    if _provider(dotted) == 'host':
        return quoted_expression('lambda *_a, **_k: _host__call(X, *_a, **_k)', node, X=constant(dotted, node))
    module, _, name = dotted.rpartition('.')
    return named(home(module, name), node)


def _wider(node: ast.Call) -> str | None:
    """Return the polyfill for a call of a builtin that takes fewer arguments in Monty."""
    count, words = len(node.args), {word.arg for word in node.keywords}
    match meaning(node.func):
        case 'builtins.print' if 'file' in words:
            return '_builtins__print_to'
        case 'builtins.round' if count + len(words) > 1:
            return '_builtins__round'
        case 'builtins.pow' if words or count > 2:
            return '_builtins__pow'
        case 'builtins.bytes' if node.args and not isinstance(node.args[0], ast.Constant):
            return '_methods__bytes_of'
        case 'builtins.object' if not node.args:
            return '_builtins__object'
        case 'datetime.timedelta' if not all(map(_is_whole, [*node.args, *(word.value for word in node.keywords)])):
            return '_datetime__span'
        case _:
            return None


def _is_whole(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


_NATIVE_TOO = frozenset(['json.dumps', 'json.loads'])
"""Names that Monty also has."""
