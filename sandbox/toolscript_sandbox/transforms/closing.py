"""Closes the generators that a `for` loop leaves early, because Monty cannot detect that nothing refers to them.

Only generators that clean up when closed need it. It runs before the transforms that rewrite loops.
"""

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.syntax import own_nodes, words

from .transform import Context, Transform
from .tree import meaning, named, quoted, set_changed

_YIELDS = (ast.Yield, ast.YieldFrom)
_FACT = 'closes '


def yields(*nodes: ast.AST) -> bool:
    return any(isinstance(part, _YIELDS) for part in own_nodes(nodes))


def _cleaning(analysis: Analysis) -> set[str]:
    """Return the generator functions that clean up when closed: in `finally` or `with`, or in an inner generator."""
    functions = [*analysis.all(ast.FunctionDef), *analysis.all(ast.AsyncFunctionDef)]
    generators = [node for node in functions if not node.decorator_list and yields(*node.body)]
    earlier = {fact.removeprefix(_FACT) for fact in analysis.session.facts if fact.startswith(_FACT)}
    found, growing = earlier, True
    while growing:
        new = earlier | {node.name for node in generators if any(_cleans(part, found) for part in own_nodes(node.body))}
        found, growing = new, new != found
    return found


def _cleans(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.With() | ast.AsyncWith() | ast.Try(finalbody=[_, *_]):
            return yields(node)
        case _:
            return _called_name(node) in known


def _called_name(node: ast.AST) -> str:
    """Return the name of the called function or method, or an empty text."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
        case _:
            return ''


class Closing(Transform):
    feature = 'generators that are closed when a loop leaves them'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return bool(_cleaning(analysis))

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._cleaning = _cleaning(context.analysis)
        context.facts.update(f'{_FACT}{name}' for name in self._cleaning)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST | list[ast.stmt]:
        outer, items = None, node.iter
        while isinstance(items, ast.Call) and meaning(items.func) in _PASSING and items.args:
            outer, items = items, items.args[0]
        if _called_name(items) not in self._cleaning:
            return self.below(node)
        left = self._fresh('left')
        opened = quoted('LEFT = ITER', node, LEFT=left, ITER=self.expression(items))
        if outer is None:
            node.iter = named(left, items)
        else:
            outer.args[0] = named(left, items)
            set_changed(outer)
        loop = [set_changed(self.below(node))]
        close = 'await _generators__aclose' if isinstance(node, ast.AsyncFor) else '_generators__close'
        return [*opened, *quoted(f'try: X\nfinally: {close}(LEFT)', node, X=loop, LEFT=left)]

    visit_AsyncFor = visit_For

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if meaning(node.func) in _LEAVING and any(_called_name(part) in self._cleaning for part in node.args[:1]):
            raise Refused([refusal(node, _LEFT)])
        return self.below(node)


_LEFT = (
    'This generator has something to clean up, and may end early. Write `with contextlib.closing(...) as items:` '
    'around it.'
)
_LEAVING = words('builtins.next builtins.any builtins.all itertools.islice itertools.takewhile')
_PASSING = words('enumerate zip', of='builtins')
