"""Refuses scripts that use anything outside the table of the dialect, before they run."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator
from typing import Any

from toolscript_sandbox.language.refusals import Refusal, refusal
from toolscript_sandbox.language.syntax import caught_at, children, words

from .advice import about_member, about_module
from .analysis import Analysis, meaning
from .dialect import (
    ADVICE,
    ATTRIBUTES,
    BUILTINS,
    CALLS,
    CLASSES_ASKED_FOR,
    FILES,
    LACKING_OF_ERRORS,
    METHODS,
    MODULES,
    NameTable,
    names_of_module,
)
from .files import file_refusals
from .names import RESERVED
from .waiting import TAKING_KEY, waiting_refusals


def refusals(analysis: Analysis) -> list[Refusal]:
    """Return what the script may not do, with what to write instead, in the order of the text."""
    found = [
        *_imports(analysis),
        *_names(analysis),
        *file_refusals(analysis),
        *_attributes(analysis),
        *_keywords(analysis),
        *_calls(analysis),
        *_comparisons(analysis),
        *_arguments(analysis),
        *_sorting(analysis),
        *_slices(analysis),
        *_bindings(analysis),
        *_functions(analysis),
        *_classes(analysis),
        *_marks(analysis),
        *_uncalled(analysis),
        *_handlers(analysis),
        *_characters(analysis),
        *waiting_refusals(analysis),
    ]
    return sorted(found, key=lambda one: (one.line, one.column))


def _imports(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse unknown names of known modules, and modules with advice. Others are left to the checker and to Monty."""
    parents = analysis.index.parents
    for alias in analysis.all(ast.alias):
        above = parents[alias]
        module = above.module or '' if isinstance(above, ast.ImportFrom) else alias.name
        name = alias.asname or (alias.name if isinstance(above, ast.ImportFrom) else module.partition('.')[0])
        is_used = analysis.only_imports or name in analysis.mentioned
        if module in MODULES:
            continue
        if analysis.has_files and module in FILES:
            yield refusal(alias, f'There is no module {module} here. {FILES[module].refused["*"]}')
        elif is_used and not isinstance(parents.get(above), ast.Try) and not ADVICE.keys().isdisjoint(_levels(module)):
            yield refusal(alias, about_module(module))
    for node in analysis.all(ast.ImportFrom):
        if node.module in (*MODULES, 'typing_extensions') and not is_tried(node, analysis):
            for alias in node.names:
                if alias.name == '*':
                    used = sorted(analysis.names.used & names_of_module(node.module or '').providers.keys())
                    wanted = ', '.join(used or ['name'])
                    yield refusal(alias, f'There is no import of * here. Write from {node.module} import {wanted}.')
                elif analysis.only_imports or (alias.asname or alias.name) in analysis.mentioned:
                    yield from lacking_import(node, alias, analysis)


def _levels(module: str) -> list[str]:
    """Return the module and the one that contains it."""
    return [module, module.partition('.')[0]]


def lacking_import(node: ast.ImportFrom, alias: ast.alias, analysis: Analysis) -> Iterator[Refusal]:
    """Refuse an imported name that its module lacks."""
    module = 'typing' if node.module == 'typing_extensions' else node.module or ''
    is_known = (
        f'{module}.{alias.name}' in MODULES or alias.name == '*' or analysis.functions.get(alias.name) is not None
    )
    if module in MODULES and not is_known:
        yield from _lacking(alias, module, alias.name, analysis)


def _names(analysis: Analysis) -> Iterator[Refusal]:
    for node in analysis.all(ast.Attribute):
        whole = _meaning(node.value)
        if whole in MODULES and isinstance(node.ctx, ast.Store):
            advice = 'Use contextlib.redirect_stdout.' if node.attr == 'stdout' else 'Set a variable.'
            yield refusal(node, f'Names of modules cannot be set here. {advice}')
        elif whole in MODULES and f'{whole}.{node.attr}' not in MODULES and not is_tried(node, analysis):
            yield from _lacking(node, whole, node.attr, analysis)
    for node in analysis.all(ast.Name):
        dotted = _meaning(node)
        if dotted.startswith('builtins.') and node.id in BUILTINS.refused:
            if not is_tried(node, analysis):
                yield refusal(node, f'There is no {node.id} here. {BUILTINS.refused[node.id]}'.rstrip())
        elif dotted in MODULES and _is_made_here(dotted) and not _is_inspected(node, analysis):
            yield refusal(node, f'The module {dotted} cannot be used as a value here. Use its names: {dotted}.name.')


def _meaning(node: ast.AST) -> str:
    """Return the dotted name that the node refers to; empty if unknown."""
    return meaning(node) or ''


def _is_made_here(module: str) -> bool:
    """Return whether Monty lacks the module or parts of it."""
    names = MODULES[module]
    return not names.monty or bool(names.polyfill or names.transform)


def _is_inspected(node: ast.Name, analysis: Analysis) -> bool:
    above = analysis.index.parents[node]
    if isinstance(above, ast.Call) and above.func is not node:
        return _meaning(above.func) in ('builtins.getattr', 'builtins.hasattr')
    return isinstance(above, (ast.Attribute, ast.Delete))


def _attributes(analysis: Analysis) -> Iterator[Refusal]:
    own = analysis.sync_functions
    lacking = dict(ATTRIBUTES)
    for module in _WITH_MEMBERS:
        if analysis.means_module(module):
            fields = _fields(analysis)
            lacking.update({name: text for name, text in MODULES[module].members.items() if name not in fields})
    for node in analysis.all(ast.Attribute):
        name, kind = node.attr, _meaning(node.value)
        is_provided = (name == '__qualname__' and _is_type_of(node.value)) or (
            name == '__doc__' and not kind and not analysis.session.callables
        )
        is_provided = is_provided or (name == '__mro__' and _has_order(node.value, analysis))
        if name in lacking and name not in own and not is_provided:
            yield refusal(node, f'There is no {name} here. {lacking[name]}')
        elif name in ('__getitem__', '__contains__') and not kind:
            continue
        elif name in _OPERATORS and (kind.startswith('builtins.') or name not in own) and not _is_super(node.value):
            yield refusal(node, f'{name} is not called by its name here. Use the operator, a lambda, or `operator`.')
        elif name in _REFUSED_METHODS:
            kind = kind.removeprefix('builtins.') or _type(node.value, analysis)
            if name in METHODS.get(kind, NameTable()).refused:
                yield refusal(node, f'{kind} has no {name} here. {METHODS[kind].refused[name]}')


def _has_order(node: ast.expr, analysis: Analysis) -> bool:
    """Return whether it is a class of a script whose classes have no other bases, which the order would list."""
    classes = analysis.all(ast.ClassDef)
    bases = [node, *(base for owner in classes for base in owner.bases)]
    return {ast.unparse(base) for base in bases} <= {owner.name for owner in classes}


def _fields(analysis: Analysis) -> set[str]:
    """Return the names of attributes that the script sets, or defines in the body of a class."""
    parents = analysis.index.parents
    names = [name for name in analysis.all(ast.Name) if isinstance(name.ctx, ast.Store)]
    stored = {node.attr for node in analysis.all(ast.Attribute) if isinstance(node.ctx, ast.Store)}
    return stored | {name.id for name in names if isinstance(parents.get(parents[name]), ast.ClassDef)}


def _keywords(analysis: Analysis) -> Iterator[Refusal]:
    lacking = dict[str | None, str]()
    for module in _WITH_KEYWORDS:
        if analysis.means_module(module):
            lacking.update(MODULES[module].keywords)
    own = {one.arg for one in analysis.all(ast.arg)} if lacking else ()
    for word in analysis.all(ast.keyword) if lacking else ():
        call = analysis.index.parents[word]
        called = call.func if isinstance(call, ast.Call) else call
        is_foreign = isinstance(called, ast.Attribute) or _meaning(called).startswith(_WITH_KEYWORDS)
        if word.arg in lacking and word.arg not in own and is_foreign:
            yield refusal(word, f'There is no {word.arg} here. {lacking[word.arg]}')


def _calls(analysis: Analysis) -> Iterator[Refusal]:
    has_dates = analysis.means_module('datetime') and 'replace' not in analysis.sync_functions
    for call in analysis.all(ast.Call):
        dotted = _meaning(call.func)
        if dotted in CALLS:
            yield refusal(call, CALLS[dotted])
        elif dotted in ('builtins.isinstance', 'builtins.issubclass'):
            kinds = {_meaning(part) for kind in call.args[1:] for part in ast.walk(kind)}
            yield from (refusal(call, CLASSES_ASKED_FOR[kind]) for kind in kinds & CLASSES_ASKED_FOR.keys())
        elif not dotted and _replaces_date(call) and has_dates:
            yield refusal(call, 'The parts are given by name here: .replace(year=2024, month=1).')


def _replaces_date(call: ast.Call) -> bool:
    """Return whether it is no `replace` of texts, which takes two of them."""
    match call:
        case ast.Call(func=ast.Attribute(attr='replace'), args=[first, *rest]):
            is_number = isinstance(first, ast.Constant) and isinstance(first.value, int)
            return is_number or not (rest or call.keywords or isinstance(first, ast.Starred))
        case _:
            return False


def _comparisons(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse comparisons of two objects of `OrderedDict`, which depend on their order in Python."""
    for node in analysis.all(ast.Compare) if 'collections.OrderedDict' in analysis.meant else ():
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            kinds = {_type(left, analysis), _type(right, analysis)}
            if isinstance(op, ast.Eq | ast.NotEq) and kinds == {'OrderedDict'}:
                yield refusal(node, 'The order does not count here. Compare list(a.items()) with list(b.items()).')


def _arguments(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse views, ranges and iterators as arguments of host functions, which would receive them as text."""
    for call in analysis.all(ast.Call):
        if not _meaning(call.func).startswith('tools.'):
            continue
        given = [*call.args, *(word.value for word in call.keywords)]
        for value in given:
            match value:
                case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                    given += parts
                case ast.Call(func=func, args=arguments):
                    is_view = getattr(func, 'attr', '') in ('items', 'keys', 'values')
                    is_view = is_view and not arguments and not _meaning(func)
                    if is_view or _meaning(func).startswith(('builtins.range', 'builtins.iter', 'itertools.')):
                        yield refusal(value, _AS_LIST)
                case _:
                    pass


def _sorting(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse a text as `key`, and the result of `list.sort`, which is None."""
    is_own = analysis.has('own sort') or 'sort' in analysis.sync_functions
    for call in analysis.all(ast.Call):
        is_sort = isinstance(call.func, ast.Attribute) and call.func.attr == 'sort' and not call.args and not is_own
        for word in call.keywords if is_sort or _meaning(call.func) in TAKING_KEY else ():
            if word.arg == 'key' and isinstance(word.value, ast.Constant) and isinstance(word.value.value, str):
                yield refusal(word.value, f'`key` takes a function: key=lambda item: item[{word.value.value!r}].')
        above = analysis.index.parents[call]
        is_kept = isinstance(above, ast.Assign) and ast.unparse(above.targets[0])[0] != '_'
        if is_sort and (is_kept or isinstance(above, ast.Return | ast.For)):
            yield refusal(call, '`sort` returns None. Write sorted(...), which returns the list.')


def _slices(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse slices whose ends are certainly no integers, which only a class of the script could read."""
    found: list[ast.expr] = [call for call in analysis.all(ast.Call) if _meaning(call.func) == 'builtins.slice']
    if not analysis.sync_functions.isdisjoint(('__getitem__', '__setitem__', '__delitem__')):
        found += analysis.all(ast.Slice)
    for node in found:
        ends = [part for part in children(node) if isinstance(part, ast.expr)]
        if any(_type(end, analysis) in _NO_ENDS for end in ends):
            yield refusal(node, 'The ends of a slice are integers or None here. Use a tuple as the key: x[a, b].')


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _meaning(node.func) == 'builtins.super'


def _is_type_of(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=func):
            return _meaning(func) == 'builtins.type'
        case _:
            return isinstance(node, ast.Attribute) and node.attr == '__class__'


def _type(node: ast.expr, analysis: Analysis) -> str:
    """Return the builtin type of a literal, of a call of a type, or of a variable that is bound once to one of them."""
    match node:
        case ast.Constant(value=value):
            return type(value).__name__
        case ast.Call(func=func) if _meaning(func).startswith('builtins.'):
            return func.id if isinstance(func, ast.Name) else ''
        case ast.Call(func=func) if _meaning(func) == 'collections.OrderedDict':
            return 'OrderedDict'
        case ast.Name(id=name) if (owner := analysis.scopes.owner(node)) is not None:
            match owner.bound[name]:
                case [ast.Name() as target]:
                    above = analysis.index.parents[target]
                    if isinstance(above, ast.Assign) and not isinstance(above.value, ast.Name):
                        return _type(above.value, analysis)
                case _:
                    pass
            return ''
        case _:
            return ''


def _bindings(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse names with the pattern that polyfills and transforms use."""
    for kind, field in _NAMING.items():
        for node in analysis.all(kind):
            name: str | None = getattr(node, field)
            if name is not None and '__' in name and RESERVED.fullmatch(name):
                yield refusal(node, _OF_OURS.format(name))


def _functions(analysis: Analysis) -> Iterator[Refusal]:
    keywords = {node.arg for node in analysis.all(ast.keyword)}
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda):
        for node in analysis.all(kind):
            for one in node.args.posonlyargs if node.args.kwarg is not None else ():
                if one.arg in keywords:
                    yield refusal(one, f'`**` cannot take {one.arg} here, which is before the `/`: rename it.')
    for node in (*analysis.all(ast.Yield), *analysis.all(ast.YieldFrom)):
        if analysis.scopes.around(node).kind == 'module':
            yield refusal(node, 'Only functions yield. Collect the values in a list, and end the script with it.')


def _classes(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse comprehensions that would see the names of the class, unlike in Python."""
    for scope in analysis.scopes.opened.values() if ast.ClassDef in analysis.kinds else ():
        if scope.kind == 'comprehension' and scope.above is not None and scope.above.kind == 'class':
            for node in ast.walk(scope.node):
                is_of_class = isinstance(node, ast.Name) and node.id in scope.above.bound.keys() - scope.bound.keys()
                if isinstance(node, ast.Name) and is_of_class and analysis.scopes.around(node) is scope:
                    yield refusal(node, _IN_CLASS.format(node.id))


def _marks(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse decorators of methods that are used as values."""
    parents = analysis.index.parents
    for node in () if _MARKS.isdisjoint(analysis.meant) else (*analysis.all(ast.Name), *analysis.all(ast.Attribute)):
        above = parents.get(node)
        around = parents.get(above) if isinstance(above, ast.Call) and above.func is node else None
        is_mark = isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)) and node in above.decorator_list
        if _meaning(node) in _MARKS and not is_mark and not isinstance(parents.get(around or node), ast.ClassDef):
            yield refusal(node, f'{ast.unparse(node)} can only be a decorator of a method here.')


def _uncalled(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse functions of `traceback` that are used as values: a call shows the error of the handler around it."""
    shown = {dotted for dotted in analysis.meant if dotted.startswith('traceback.')}
    for node in (*analysis.all(ast.Name), *analysis.all(ast.Attribute)) if shown else ():
        above = analysis.index.parents.get(node)
        if _meaning(node) in shown and not (isinstance(above, ast.Call) and above.func is node):
            yield refusal(node, f'{ast.unparse(node)} can only be called here, so it is no value.')


def _handlers(analysis: Analysis) -> Iterator[Refusal]:
    """Refuse attributes that errors lack, and what Monty does not support in `except*`."""
    stored = {node.attr for node in analysis.all(ast.Attribute) if isinstance(node.ctx, ast.Store)}
    for handler in analysis.all(ast.ExceptHandler):
        kinds = [_meaning(kind).removeprefix('builtins.') for kind in ast.walk(handler.type or handler)]
        lacking = {name: kind for kind in kinds for name in LACKING_OF_ERRORS.get(kind, '').split()}
        for node in ast.walk(handler) if lacking else ():
            match node:
                case ast.Attribute(ast.Name(id=name), attr) if name == handler.name and attr in lacking.keys() - stored:
                    yield refusal(node, f'{lacking[attr]} has no {attr} here. Use str({name}).')
                case _:
                    pass
    for star in analysis.all(ast.TryStar):
        for handler in star.handlers:
            for node in ast.walk(handler):
                if isinstance(node, (ast.Raise, ast.Return, ast.Break, ast.Continue)):
                    yield refusal(
                        node,
                        'A handler of `except*` cannot raise, return, break or continue here. Do that after the `try`.',
                    )


def _characters(analysis: Analysis) -> Iterator[Refusal]:
    if '\\' not in analysis.text:
        return
    for node in analysis.all(ast.Constant):
        if isinstance(node.value, str) and _HALVES.search(node.value):
            yield refusal(node, 'Half of a surrogate pair is not a character here. Write the whole pair.')


def _lacking(node: ast.expr | ast.alias, module: str, name: str, analysis: Analysis) -> Iterator[Refusal]:
    offered = names_of_module(module, has_files=analysis.has_files).providers
    if name not in offered:
        yield refusal(node, about_member(module, name, has_files=analysis.has_files))


def is_tried(node: ast.expr | ast.stmt, analysis: Analysis) -> bool:
    """Return whether the script handles a missing name here, because it tests what exists."""
    return not _HANDLED.isdisjoint(caught_at(analysis.tree).get(node.lineno, ()))


_OPERATORS = frozenset(
    name for name in dir(operator) if name.startswith('__') and hasattr(operator, name.strip('_'))
) | {'__len__', '__iter__', '__eq__'}
_WITH_MEMBERS = [module for module, names in MODULES.items() if names.members]
_WITH_KEYWORDS = tuple(module for module, names in MODULES.items() if names.keywords)
_HALVES = re.compile('[\\ud800-\\udfff]')
_NAMING: dict[type[Any], str] = {
    **dict.fromkeys([ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler], 'name'),
    **dict.fromkeys([ast.MatchAs, ast.MatchStar], 'name'),
    ast.Name: 'id',
    ast.arg: 'arg',
    ast.alias: 'asname',
    ast.MatchMapping: 'rest',
}
_MARKS = words('property classmethod staticmethod', of='builtins') | {'functools.cached_property', 'abc.abstractmethod'}
_REFUSED_METHODS = frozenset(name for names in METHODS.values() for name in names.refused)
_NO_ENDS = frozenset(['str', 'bytes', 'float', 'tuple', 'list', 'dict', 'set'])
_OF_OURS = 'Names like {} are reserved. Use another one.'
_AS_LIST = 'A function takes lists, and no views, ranges or iterators: write list(...) around it.'
_IN_CLASS = 'A comprehension in a class body does not see {}. Compute it in a function, or after the class.'
_HANDLED = frozenset(['ImportError', 'ModuleNotFoundError', 'AttributeError', 'NameError'])
