"""What to do about an error, where that can be said."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Iterable, Sequence

from .checker import Diagnostic
from .functions import Function, Functions
from .repairs.natives import ADVICE
from .syntax import module_of


def about_finding(finding: Diagnostic, functions: Functions, known: Iterable[str], stubs: Sequence[str] = ()) -> str:
    """The finding in the words of whoever has to act on it."""
    quoted = re.findall(r'`([^`]*)`', finding.message)
    match finding.rule:
        case 'unresolved-reference' | 'unknown-name' if quoted:
            return f'{finding.message}.{about_name(quoted[0], functions, known)}'
        case 'unresolved-import' if quoted:
            return f'There is no module {quoted[0]} here. {ADVICE.get(quoted[0].split(".")[0], "")}'.rstrip()
        case 'unresolved-attribute' if len(quoted) > 1:
            return f'{_plain(finding.message)}.{_about_attribute(finding.message, quoted[1])}'
        case 'invalid-key' if quoted:
            keys = keys_of(quoted[0], stubs)
            return f'{finding.message}. Keys: {", ".join(keys)}' if keys else finding.message
        case _:
            return f'{_plain(finding.message)}{_signature(finding.message, functions)}'


def about_name(name: str, functions: Functions, known: Iterable[str]) -> str:
    """What the name may have meant."""
    hint = functions.hint(name)
    if hint:
        return f' {hint}'
    close = difflib.get_close_matches(name, [*known, *dir(builtins)], n=3, cutoff=0.7)
    return f' Did you mean {" or ".join(close)}?' if close else ''


def about_runtime(message: str, functions: Functions, known: Iterable[str], keys: Sequence[str] | None) -> str:
    """A sentence or two to add to an exception's message."""
    name = re.search(r"NameError: name '(\w+)' is not defined", message)
    if name is not None:
        return f'.{about_name(name[1], functions, known)}'
    if keys is not None and message.startswith('KeyError'):
        return f'. Available keys: {", ".join(keys)}' if keys else '. The dict is empty.'
    for pattern, text in _RUNTIME:
        found = re.search(pattern, message)
        if found is not None:
            return text.format(*found.groups())
    return ''


def reworded(message: str) -> str:
    """Without the name of the interpreter."""
    message = re.sub(r'The monty syntax parser does not yet support ', 'not supported here: ', message)
    return re.sub(r'Internal error in monty: ', '', message)


def keys_of(record: str, stubs: Sequence[str]) -> list[str]:
    """The keys of a `TypedDict` that one of the stubs defines."""
    for stub in stubs:
        body = re.search(rf'^class {re.escape(record)}\(.*\):\n((?:[ \t]+.*\n|\n)*)', stub, re.MULTILINE)
        if body is not None:
            return re.findall(r'^[ \t]+(\w+):', body[1], re.MULTILINE)
    return []


def _plain(message: str) -> str:
    return re.sub(
        r'`CoroutineType\[Any, Any, ([^`]*)\]`', r'`\1` that was not awaited (put `await` before the call)', message
    )


def _about_attribute(message: str, attribute: str) -> str:
    if 'Coroutine' in message:
        return ''
    kind = re.match(r'Object of type `([^`]*)`', message)
    if kind is None or kind[1].split('[')[0] in _OBJECTS:
        return ''
    return f" It is a dict: write ['{attribute}']."


def _signature(message: str, functions: Functions) -> str:
    called = re.search(r'(?:function|of) `(\w+)`', message)
    function = functions.get(called[1]) if called else None
    return '' if function is None else f'. Signature: {function.signature or _definition(function)}'


def _definition(function: Function) -> str:
    try:
        tree = module_of(function.stub)
    except SyntaxError:
        return function.name
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function.name:
            node.body = [ast.Expr(ast.Constant(...))]
            return ast.unparse(node).replace('\n    ', ' ')
    return function.name


_OBJECTS = frozenset(
    ['str', 'int', 'float', 'bool', 'list', 'tuple', 'set', 'bytes', 'None', 'datetime', 'date', 'type']
)
_RUNTIME = (
    (r"AttributeError: 'dict' object has no attribute '(\w+)'", ". It is a dict: write ['{}']."),
    (r"AttributeError: 'list' object has no attribute '\w+'", '. It is a list: take one item first.'),
    (r"'coroutine' object|type coroutine|type 'coroutine'", '. An `await` is missing.'),
    (
        r"external function '(\w+)' cannot suspend",
        '. {} cannot be called from inside a builtin such as map or sorted: use a loop or a comprehension.',
    ),
    (r'not supported here: class inheritance', '. Write the class without bases.'),
    (r'not supported here: yield', '. Collect the values in a list and return it.'),
    (r'not supported here: method decorators', '. Use a plain method, or a function outside the class.'),
    (r'not supported here: async for', '. Use a plain for loop and `await` inside it.'),
    (r"PermissionError: Permission denied: '", '. There are no files here: call the functions you were given.'),
    (r"'os\.environ' is not supported|'os\.getenv' is not supported", '. There is no environment here.'),
    (r"ModuleNotFoundError: No module named '(\w+)'", '. Use the modules and functions that are here.'),
    (r'list indices must be integers', '. It is a list: loop over it, or take one item first.'),
)
