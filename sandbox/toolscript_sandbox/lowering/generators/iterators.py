"""`map`, `filter`, `zip`, `enumerate`, `reversed` and generator expressions, of which Monty makes lists at once.

Python's give one value after the other, once. Where nobody can tell, Monty's lists stay, which take half the time:
directly in what takes all values before it does anything else (`list`, `sorted`, `join`, `*xs`, an assignment to
several names), and, where computing a value does nothing but compute, in `sum`, `set`, `dict`, `min` and `max`.
What `sum`, `min`, `max`, `any` and `all` combine else is gone over by loops of the guest's, since Monty goes back from
its builtins into functions only a dozen deep (`1 + max(depth(child) for child in node)`).
Everywhere else a guest's class stands in, which asks for a value when it is asked for one: 1 microsecond a value.

A generator expression becomes a function of one value of its first loop, which gives none or one
(`[x for x in [_it] if ...]`), so that conditions and targets stay as they are written.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, calls_host, method_names, piece, reaches_host
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, Rules
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import all_of, index_of, walk


def lazily(program: Program) -> Program:
    """The program with iterators where Monty has lists and somebody could tell."""
    tree = program.tree
    names = index_of(tree).names
    if not all_of(tree, ast.GeneratorExp) and not names & {'iter', *MAKERS}:
        return program
    return program.edited(Rewriter(program, _RULES).edits())


def _lazy(node: Node, r: Rewriter) -> str | None:
    if isinstance(node, ast.GeneratorExp):
        return _expression(node, r)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    if node.func.id in _STOPPING and (found := _naming(node, node.func, r)) is not None:
        return found
    if node.func.id == 'iter':
        return _growing(node, node.func, r)
    if node.func.id in ('any', 'all'):
        found = _waiting(node, node.func, r)
        if found is not None:
            return found
    if node.func.id in _LOOPED:
        return _looped(node, node.func, r)
    if node.func.id not in MAKERS:
        return None
    if node.func.id == 'map' and (found := _comprehended(node, node.func, r)) is not None:
        return found
    if not r.scene.is_free(node.func) or not node.args or _is_taken_whole(node, r, _computes(node, r)):
        return None
    return f'{piece(r, "iterators", node.func.id)}({arguments(node, r)})'


def _expression(node: ast.GeneratorExp, r: Rewriter) -> str | None:
    parts = [node.elt, *(part for loop in node.generators for part in (loop.iter, *loop.ifs))]
    # What the first loop goes over is computed where the expression stands, whether that waits or not.
    inside = (part for part in parts if part is not node.generators[0].iter)
    waits = any(isinstance(below, ast.Await) for part in inside for below in walk(part))
    if waits or any(loop.is_async for loop in node.generators):
        return None
    if _is_taken_whole(node, r, all(_only_computes(part, r) for part in parts)) or _must_be_whole(node, r):
        return None
    if _is_asked_by(node, ('any', 'all'), r) and not node.generators[1:] and all(_cannot_fail(part) for part in parts):
        return None
    walrus = next((part for part in walk(node) if isinstance(part, ast.NamedExpr)), None)
    if walrus is not None and not _is_its_own(node, r):
        if _is_asked_by(node, tuple(_COMBINING), r) and all(_only_computes(part, r, names=True) for part in parts):
            return None
        message = 'A name that is set with := inside a generator expression cannot be had here. Write a `for` loop.'
        raise Refused([refusal(walrus, message)])
    # As the only argument, the expression has the call's parentheses for its own.
    return f'({_nested(node, 0, r)})'


def _naming(node: ast.Call, func: ast.Name, r: Rewriter) -> str | None:
    """`any((found := x) > 3 for x in xs)`: a comprehension that sets the name, and ends where `any` does."""
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.GeneratorExp) or node.keywords or not r.scene.is_free(func):
        return None
    walrus = next((part for part in walk(first) if isinstance(part, ast.NamedExpr)), None)
    if walrus is None or any(isinstance(part, ast.Await) for part in walk(first)):
        return None
    owner = r.scene.owner(walrus.target)
    if owner is not None and owner.kind == 'function' and _is_its_own(first, r):
        return None
    until = f'_until_{first.lineno}_{first.col_offset}'
    loops = ' '.join(_until(loop, until, r) for loop in first.generators)
    made = f'{until} := {piece(r, "iterators", "Until")}({_STOPPING[func.id]})'
    rest = ''.join(f', {r.text(part)}' for part in node.args[1:])
    return f'{piece(r, "iterators", f"{func.id}_until")}(({made}), [{until}.saw({r.text(first.elt)}) {loops}]{rest})'


def _until(loop: ast.comprehension, until: str, r: Rewriter) -> str:
    tests = ''.join(f' if ({r.text(test)})' for test in loop.ifs)
    return f'for {r.source.segment(loop.target)} in {until}.over({r.text(loop.iter)}){tests}'


def _is_its_own(node: ast.GeneratorExp, r: Rewriter) -> bool:
    """Whether nobody but the expression reads the names that it sets with `:=`."""
    scopes, inside = r.scene.scopes, set(walk(node))
    for walrus in (part for part in inside if isinstance(part, ast.NamedExpr)):
        name, scope = walrus.target.id, scopes.owner(walrus.target)
        others = (part for part in all_of(r.source.tree, ast.Name) if part.id == name and part not in inside)
        if any(scopes.owner(part) is scope for part in others):
            return False
    return True


def _looped(node: ast.Call, func: ast.Name, r: Rewriter) -> str | None:
    """`sum(size(child) for child in node)`, as a loop of the guest's."""
    if not r.scene.is_free(func) or not node.args:
        return None
    first, *others = node.args
    given = [(None, part) for part in others] + [(word.arg, word.value) for word in node.keywords]
    if [name for name, _ in given] not in _LOOPED[func.id]:
        return None
    step = _step(first, r)
    if step is None:
        return None
    rest = ''.join(f', {r.text(part)}' for _, part in given)
    return f'{piece(r, "iterators", f"{func.id}_in")}({step}{rest})'


def _step(node: ast.expr, r: Rewriter) -> str | None:
    """What makes a list of none or one of each item, and what it goes over."""
    match node:
        case ast.GeneratorExp(generators=[loop]) if not any(isinstance(part, ast.NamedExpr) for part in walk(node)):
            if _expression(node, r) is None:
                return None
            tests = ''.join(f' if ({r.text(test)})' for test in loop.ifs)
            step = f'lambda _it: [({r.text(node.elt)}) for {r.source.segment(loop.target)} in [_it]{tests}]'
            return f'{step}, {r.text(loop.iter)}'
        case ast.Call(func=ast.Name(id='map') as func) if (name := _mapped_by(node, func, r)) is not None:
            return f'lambda _it: [{name}(_it)], {r.text(node.args[1])}'
        case ast.Call(func=ast.Name(id='map') as func, args=[ast.Lambda() as function, items], keywords=[]):
            name = _only_parameter(function)
            if name is None or not r.scene.is_free(func) or r.scene.may_call_plainly or _computes(node, r):
                return None
            return f'lambda _it: [({r.text(function.body)}) for {name} in [_it]], {r.text(items)}'
        case _:
            return None


def _only_parameter(function: ast.Lambda) -> str | None:
    given = function.args
    others = (*given.posonlyargs, *given.kwonlyargs, *given.defaults, given.vararg, given.kwarg)
    if len(given.args) != 1 or any(part is not None for part in others):
        return None
    named = any(isinstance(part, ast.NamedExpr) for part in walk(function))
    return None if named else given.args[0].arg


def _comprehended(node: ast.Call, func: ast.Name, r: Rewriter) -> str | None:
    """`list(map(visit, children))` in `visit` itself, as a comprehension: so it may go as deep as calls do."""
    name = _mapped_by(node, func, r)
    if name is None or not _is_taken_whole(node, r, computes=False):
        return None
    if not any(isinstance(outer, ast.FunctionDef) and outer.name == name for outer in r.above(node)):
        return None
    return f'[{name}(_it) for _it in {r.text(node.args[1])}]'


def _mapped_by(node: ast.Call, func: ast.Name, r: Rewriter) -> str | None:
    """The function of the snippet that is called with each item, if it is one."""
    match node:
        case ast.Call(args=[ast.Name() as name, items], keywords=[]) if r.scene.is_free(func):
            owner = None if isinstance(items, ast.Starred) or r.scene.may_call_plainly else r.scene.owner(name)
            bound = owner.bound.get(name.id, ()) if owner is not None else ()
            return name.id if bound and all(isinstance(part, ast.FunctionDef) for part in bound) else None
        case _:
            return None


def _growing(node: ast.Call, func: ast.Name, r: Rewriter) -> str | None:
    """`iter(tasks)`, where the snippet adds something to `tasks`: at its end, Monty's would go on with that."""
    match node.args:
        case [ast.Name(id=name)] if r.scene.is_free(func) and name in r.once('growing', lambda: _added_to(r)):
            return f'{piece(r, "iterators", "iter_of")}({name})'
        case _:
            return None


def _added_to(r: Rewriter) -> list[str]:
    funcs = [node.func for node in all_of(r.source.tree, ast.Call) if isinstance(node.func, ast.Attribute)]
    adding = [func.value for func in funcs if func.attr in ('append', 'extend', 'insert')]
    return [part.id for part in adding if isinstance(part, ast.Name)]


def _waiting(node: ast.Call, func: ast.Name, r: Rewriter) -> str | None:
    """`any(is_ready(x) for x in xs)` of a function of the host, for which no builtin can wait."""
    if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp) or not r.scene.is_free(func):
        return None
    if not _reaches_host(node.args[0], r) or any(isinstance(part, ast.Await) for part in walk(node)):
        return None
    return f'{piece(r, "iterators", f"{func.id}_of")}{r.text(node.args[0])}'


def _reaches_host(node: ast.GeneratorExp, r: Rewriter) -> bool:
    """Whether a function of the host is called in it, or in a function of the snippet that is."""
    names = (part.func for part in walk(node) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name))
    owners = ((name.id, r.scene.owner(name)) for name in names)
    own = (part for name, owner in owners if owner is not None for part in owner.bound[name])
    return calls_host(node, r) or any(isinstance(part, ast.FunctionDef) and reaches_host(part, r) for part in own)


def _nested(node: ast.GeneratorExp, level: int, r: Rewriter) -> str:
    loop, last = node.generators[level], level == len(node.generators) - 1
    value = r.text(node.elt) if last else _nested(node, level + 1, r)
    tests = ''.join(f' if ({r.text(test)})' for test in loop.ifs)
    step = f'lambda _it: [({value}) for {r.source.segment(loop.target)} in [_it]{tests}]'
    made = f'{piece(r, "iterators", "Values")}({step}, {r.text(loop.iter)})'
    return made if last else f'{piece(r, "iterators", "flat")}({made})'


def _is_taken_whole(node: ast.expr, r: Rewriter, computes: bool) -> bool:
    """Whether all values are taken before anything else is done, so that it may be a list."""
    parent = r.parent(node)
    match parent:
        case ast.Starred() | ast.AugAssign():
            return True
        case ast.Assign(targets=[ast.Tuple() | ast.List()]):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            # The snippet's value, which is looked at from outside.
            return name.startswith('result_') and parent.col_offset == 0
        case ast.Call(func=ast.Name(id=name) as func, args=[first, *_]) if first is node:
            if r.scene.called(func) is not None:
                return True
            return r.scene.is_free(func) and (name in _TAKING or (computes and name in _COMBINING))
        case ast.Call(func=ast.Name() as func):
            return r.scene.called(func) is not None
        case ast.keyword():
            call = r.parent(parent)
            return isinstance(call, ast.Call) and r.scene.called(call.func) is not None
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr='join')):
            return True
        case _:
            return False


def _must_be_whole(node: ast.GeneratorExp, r: Rewriter) -> bool:
    """Whether values may be those of functions of the host, for which no builtin can wait: all are had before.

    A builtin that combines them does nothing that anybody could see in between, unless it fails.
    """
    if not _is_asked_by(node, tuple(_COMBINING), r):
        return False
    if calls_host(node, r):
        return True
    calls = (part.func for part in walk(node) if isinstance(part, ast.Call))
    return r.scene.may_call_plainly and not all(_is_pure(func, r) for func in calls)


def _is_asked_by(node: ast.expr, names: tuple[str, ...], r: Rewriter) -> bool:
    parent = r.parent(node)
    if not isinstance(parent, ast.Call) or not isinstance(parent.func, ast.Name):
        return False
    return parent.func.id in names and r.scene.is_free(parent.func)


def _computes(node: ast.Call, r: Rewriter) -> bool:
    if isinstance(node.func, ast.Name) and node.func.id in ('map', 'filter'):
        function = node.args[0]
        if isinstance(function, ast.Lambda):
            return _only_computes(function.body, r)
        return isinstance(function, ast.Name) and function.id in _PURE and r.scene.is_free(function)
    return True


def _only_computes(node: ast.expr, r: Rewriter, *, names: bool = False) -> bool:
    """Whether nobody can tell when the value is computed, but for an error; `names`: it may set some with `:=`."""
    for part in walk(node):
        if isinstance(part, (ast.Await, ast.Yield, ast.YieldFrom)) or (isinstance(part, ast.NamedExpr) and not names):
            return False
        if isinstance(part, ast.Call) and not _is_pure(part.func, r):
            return False
    return True


def _is_pure(func: ast.expr, r: Rewriter) -> bool:
    if isinstance(func, ast.Name):
        return func.id in _PURE and r.scene.is_free(func)
    if not isinstance(func, ast.Attribute):
        return False
    return func.attr in _PURE_METHODS and func.attr not in method_names(r.source.tree)


def _cannot_fail(node: ast.expr) -> bool:
    if not all(isinstance(part, _HARMLESS) for part in walk(node)):
        return False
    operators = (operator for part in walk(node) if isinstance(part, ast.Compare) for operator in part.ops)
    return all(isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) for operator in operators)


MAKERS = frozenset(['map', 'filter', 'zip', 'enumerate', 'reversed'])
_TAKING = frozenset(['list', 'tuple', 'sorted'])
_STOPPING = {'any': 'True', 'all': 'False', 'next': 'None'}
"""What takes no more values once it has one that is true, false, or any at all."""
_LOOPED: dict[str, list[list[str | None]]] = {
    'sum': [[], [None], ['start']],
    'min': [[], ['default']],
    'max': [[], ['default']],
    'any': [[]],
    'all': [[]],
}
"""What is combined by loops, with what it may be given beside the values."""
_COMBINING = frozenset(['sum', 'set', 'frozenset', 'dict', 'min', 'max'])
_WORDS = (
    'abs bin bool bytes chr dict divmod enumerate float format frozenset hash hex int isinstance len list max min oct '
    'ord pow range repr reversed round set sorted str sum tuple zip'
)
_PURE = frozenset([*_WORDS.split(), '_set_order_in_order', '_shown_shown'])
_METHODS = (
    'capitalize casefold count encode endswith find format get index isalnum isalpha isdigit isdecimal islower '
    'isnumeric isspace isupper items join keys lower lstrip partition removeprefix removesuffix replace rfind '
    'rpartition rsplit rstrip split splitlines startswith strip swapcase title upper values zfill'
)
_PURE_METHODS = frozenset(_METHODS.split())
_HARMLESS = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp)
_RULES = Rules(dict.fromkeys([ast.GeneratorExp, ast.Call], (_lazy,)))
