"""Errors that a type checker misses: calls without `await`, and names that nothing defines. And its false findings:
names that a polyfill provides, and code that expects an error, which a `try` or a `suppress` catches.

Where any object is allowed, the checker accepts a call of a host function without `await`. It also accepts `totl += 1`
in a loop, because the name may be bound by then.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.language.analysis import PACKAGES
from toolscript_sandbox.language.dialect import BUILTINS, MODULES
from toolscript_sandbox.language.scopes import assigned_once, bindings_of, loads_of, scopes_of
from toolscript_sandbox.language.syntax import all_of, caught_at, index_of, walk

from .checker import Diagnostic, Found

UNKNOWN_NAME = 'unknown-name'
MISUSED_RECORD = 'misused-record'


def unawaited(tree: ast.Module, awaited: Container[str]) -> Iterator[Found]:
    """Find calls of async host functions and tasks that lack an `await`: only their results make sense there."""
    scopes, parents, loads = scopes_of(tree), index_of(tree).parents, loads_of(tree)
    waits = any(all_of(tree, kind) for kind in (ast.Await, ast.AsyncFor, ast.AsyncWith))
    waits = waits or any(loop.is_async for loop in all_of(tree, ast.comprehension))
    for call in all_of(tree, ast.Call):
        is_task = ast.unparse(call.func) in _TASKS
        if not is_task and (not isinstance(call.func, ast.Name) or call.func.id not in awaited):
            continue
        owner = scopes.owner(call.func) if isinstance(call.func, ast.Name) else None
        if owner is not None and owner.kind != 'module':
            continue
        uses: list[ast.expr] = [call]
        match parents.get(call):
            case ast.Assign(targets=[ast.Name(id=name)]) if len(bindings_of(tree)[name]) == 1:
                uses = [*loads.get(name, ())]
            case _:
                pass
        is_left = is_task and (not waits or (len(uses) == 1 and parents.get(uses[0]) is tree.body[-1]))
        if is_left or (uses and all(_wants_value(use, parents) for use in uses)):
            yield 'missing-await', (_TASK_LEFT if is_task else _MISSING_AWAIT).format(ast.unparse(call.func)), call


def coroutine_functions(tree: ast.Module) -> set[str]:
    """Return the script's own functions that certainly return coroutines."""
    own = [node for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and not node.decorator_list]
    return {
        node.name
        for node in own
        if len(bindings_of(tree)[node.name]) == 1 and not any(isinstance(one, ast.Yield) for one in walk(node))
    }


def _wants_value(node: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> bool:
    parent = parents.get(node)
    match parent:
        case ast.Compare() | ast.FormattedValue() | ast.If() | ast.While():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _VALUE_BUILTINS
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
            return f'{module}.{name}' in ('json.dumps', 'math.floor', 'math.ceil', 'math.sqrt', 'statistics.mean')
        case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element) | ast.SetComp(elt=element) if element is node:
            return _takes_elements(parents.get(parent))
        case _:
            return False


def misused_records(tree: ast.Module, stubs: Mapping[str, str]) -> Iterator[Found]:
    """Return where `json.loads` reads records that a host function returned, a set collects or `sort` compares them.

    Args:
        tree: The script.
        stubs: The stubs of the host functions that it names.
    """
    results = {name: result for name, stub in stubs.items() if (result := _records(stub))}
    called = {node.func.id for node in all_of(tree, ast.Call) if isinstance(node.func, ast.Name)}
    # A script that asks for the type knows better.
    if not results or not called.isdisjoint(('isinstance', 'type')):
        return
    parents, bindings = index_of(tree).parents, bindings_of(tree)
    own = {name for name, nodes in bindings.items() if not all(isinstance(node, ast.Import) for node in nodes)}
    uses = loads_of(tree).items()
    changed = {name for name, nodes in uses if not all(_keeps_items(node, parents) for node in nodes)}
    for node in (*all_of(tree, ast.Call), *all_of(tree, ast.SetComp)):
        message, source = _misuse(node, own)
        is_whole = message == _DECODED
        if isinstance(source, ast.Name) and (is_whole or source.id not in changed):
            source = assigned_once(tree, source.id)
            source = source if source and parents[parents[source]] is tree else None
        match source:
            case ast.Await(value=ast.Call(func=ast.Name(id=name))) if name in results:
                is_list, key = results[name]
                if (is_list or is_whole) and not is_attempted(tree, node.lineno, MISUSED_RECORD):
                    yield MISUSED_RECORD, message.format(key=key), node
            case _:
                pass


def _misuse(node: ast.expr, own: Container[str]) -> tuple[str, ast.expr | None]:
    """Return why the expression fails if a value in it is a record, or a list of them, and that value."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id='json'), attr='loads'), args=[value]) if 'json' not in own:
            return _DECODED, value
        case ast.Call(
            func=ast.Attribute(value=value, attr='sort'), args=[], keywords=[] | [ast.keyword(arg='reverse')]
        ):
            return _UNORDERED, value
        case ast.SetComp():
            return _NO_SET, _items_of(node)
        case ast.Call(func=ast.Name(id='set' | 'frozenset' as kind), args=[value]) if kind not in own:
            return _NO_SET, _items_of(value)
        case _:
            return '', None


def _items_of(node: ast.expr) -> ast.expr:
    """Return what a comprehension takes its items from, if it does not change them; other nodes as they are."""
    match node:
        case (
            ast.SetComp(elt=item, generators=[loop])
            | ast.ListComp(elt=item, generators=[loop])
            | ast.GeneratorExp(elt=item, generators=[loop])
        ) if isinstance(item, ast.Name) and isinstance(loop.target, ast.Name) and item.id == loop.target.id:
            return loop.iter
        case _:
            return node


def _keeps_items(node: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Return whether this use of a list keeps its items as they are."""
    match parents.get(node):
        case ast.For() | ast.comprehension() | ast.Expr() | ast.Attribute(attr='sort') | ast.Subscript(ctx=ast.Load()):
            return True
        case _:
            return _wants_value(node, parents)


def _takes_elements(call: ast.AST | None) -> bool:
    match call:
        case ast.Call(func=ast.Name(id=name)):
            return name in ('sum', 'max', 'min', 'sorted', 'any', 'all', 'print', 'str')
        case ast.Call(func=ast.Attribute(attr='join') | ast.Attribute(value=ast.Name(id='json'), attr='dumps')):
            return True
        case _:
            return False


def _records(stub: str) -> tuple[bool, str] | None:
    """Return whether a function returns many records, and the first key of one; `None` if it returns none."""
    result = _RESULT.search(stub)
    key = result and re.search(rf'^class {result[2]}\(TypedDict\):\n +(\w+):', stub, re.MULTILINE)
    return (bool(result[1]), key[1]) if result and key else None


_MISSING_AWAIT = '`{0}` must be awaited: `await {0}(...)`, or `await asyncio.gather(...)` for several calls'
_TASKS = ('asyncio.gather', 'asyncio.create_task', 'asyncio.ensure_future')
_TASK_LEFT = 'Nothing awaits it, and the end of the script cancels it: write `await {0}(...)`'
_DECODED = 'The value is decoded already: use it as it is, without json.loads'
_UNORDERED = 'Dicts have no order. Write key=lambda item: item[{key!r}]'
_NO_SET = 'A set cannot hold dicts. Collect a key of each: {{item[{key!r}] for item in ...}}'
_RESULT = re.compile(r'^(?:async )?def .*\) -> (list\[)?(\w+)\]?: \.\.\.$', re.MULTILINE)
_WORDS = (
    'abs any all bool dict enumerate float frozenset int isinstance iter len list max min next print repr reversed '
    'round set sorted str sum tuple type zip'
)
_VALUE_BUILTINS = frozenset(_WORDS.split())


def unknown_names(tree: ast.Module, is_known: Callable[[str], bool], types: Sequence[str]) -> Iterator[Found]:
    """Find names that are read although nothing binds them, in any scope of the script or before it, and `types`.

    A type checker accepts `totl += 1` in a loop, because the name may be bound by then.
    """
    unbound = [loads_of(tree)[name][-1:] for name in types if not is_known(name)]
    augmented = {node.target for node in all_of(tree, ast.AugAssign) if isinstance(node.target, ast.Name)}
    for name, nodes in bindings_of(tree).items() if augmented else ():
        if augmented.issuperset(nodes) and not (is_known(name) or hasattr(builtins, name)):
            unbound.append([node for node in nodes if isinstance(node, ast.Name)])
    for nodes in unbound:
        reads = [node for node in nodes if not is_attempted(tree, node.lineno, UNKNOWN_NAME)]
        yield from ((UNKNOWN_NAME, f'Name `{node.id}` used when not defined', node) for node in reads[:1])


def is_provided(finding: Diagnostic, functions: Functions) -> bool:
    """Return whether it is about a module, a member of one, or a builtin that a polyfill or the host provides."""
    match finding.rule, re.findall(r'`([^`]*)`', finding.message):
        case 'unresolved-import' | 'unresolved-attribute', [module, name] if finding.message.startswith('Module '):
            provided = module in MODULES and name in MODULES[module].providers
            return provided or f'{module}.{name}' in _MODULES or functions.get(name) is not None
        case 'unresolved-import', [module]:
            return module in _MODULES or module == '__future__'
        case 'unresolved-reference', [name]:
            return hasattr(builtins, name) and name not in BUILTINS.refused
        case _:
            return False


_MODULES = PACKAGES | MODULES.keys()
_ANYTHING = frozenset(['Exception', 'BaseException', ''])
"""Names that catch all errors."""
_OF_CALLS = frozenset(['TypeError', 'ValueError', 'RuntimeError']) | _ANYTHING
"""Errors that a call with wrong arguments raises in Python, in the host or in the function's own validator."""
_CALLS = (
    'invalid-argument-type wrong-argument missing-argument unknown-argument too-many-positional-arguments '
    'parameter-already-assigned misused-record'
)
_RAISED = {
    # Other code than calls is rarely meant to fail, so only a handler that names the error counts.
    **dict.fromkeys(['unresolved-reference', UNKNOWN_NAME], frozenset(['NameError', 'UnboundLocalError'])),
    **dict.fromkeys(['unsupported-operator', 'not-subscriptable', 'not-iterable'], frozenset(['TypeError'])),
    'unresolved-import': frozenset(['ImportError', 'ModuleNotFoundError']),
    'unresolved-attribute': frozenset(['AttributeError']),
    'invalid-key': frozenset(['KeyError', 'LookupError']),
    **dict.fromkeys(_CALLS.split(), _OF_CALLS),
}
"""For each rule of the type checker, the errors that the code would raise at run time."""


def is_attempted(tree: ast.Module, line: int, rule: str) -> bool:
    """Return whether the script catches the error that the finding predicts."""
    return not _RAISED.get(rule, frozenset[str]()).isdisjoint(caught_at(tree).get(line, ()))
