"""Rules for methods and functions that Monty's own types and modules lack.

Each stands in for one of them, written in what Monty has or as a function of `guest/methods.py` with the object first.
"""

from __future__ import annotations

import ast
import codecs
import math
import re
from collections.abc import Iterable

from toolscript_sandbox.lowering.class_features import ENUMERATIONS
from toolscript_sandbox.lowering.guest_modules import offers
from toolscript_sandbox.lowering.monty_features import CONSTRUCTING_METHODS
from toolscript_sandbox.lowering.parts import arguments, as_method, is_builtin, keyword, native, piece
from toolscript_sandbox.lowering.rewriter import Named, Rewriter, Rule, named
from toolscript_sandbox.lowering.special_classes.heirs import HEIRS
from toolscript_sandbox.lowering.values.complexes import MAY_BE_COMPLEX
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import all_of, index_of

from .task_limits import NO_EXIT


def _of_type(node: ast.Call, r: Rewriter) -> str | None:
    """`str.lower(text)`: the method of the object."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and node.args):
        return None
    if (
        func.value.id not in _TYPES
        or not r.scene.is_free(func.value)
        or func.attr in CONSTRUCTING_METHODS
        or isinstance(node.args[0], ast.Starred)
    ):
        return None
    first, *others = node.args
    parts = [r.text(part) for part in others] + [f'{k.arg}={r.text(k.value)}' for k in node.keywords if k.arg]
    return f'({r.text(first)}).{func.attr}({", ".join(parts)})'


def _lacking_method(node: ast.Call, r: Rewriter) -> str | None:
    """`x.is_integer()` and other methods that Monty's types lack."""
    func = node.func
    if (
        not isinstance(func, ast.Attribute)
        or func.attr in _ELSEWHERE
        or not offers('methods', func.attr)
        or r.scene.module(func.value) is not None
    ):
        return None
    given = arguments(node, r)
    return as_method(r, func, piece(r, 'methods', func.attr), given)


def _between(node: ast.Call, r: Rewriter) -> str | None:
    """`text.find('', start)`: an empty text is found nowhere behind the end."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in _BETWEEN or node.keywords:
        return None
    if len(node.args) < 2 and not any(isinstance(part, ast.Starred) for part in node.args):
        return _of_byte(node, func, r)
    if r.scene.module(func.value) is not None:
        return None
    return as_method(r, func, piece(r, 'methods', f'{func.attr}_between'), arguments(node, r))


def _of_byte(node: ast.Call, func: ast.Attribute, r: Rewriter) -> str | None:
    """`data.find(10)`: a byte may be a number."""
    match node.args:
        case [ast.Constant(value=int()) | ast.Subscript() | ast.Call(func=ast.Name(id='ord'))] if (
            func.attr in _OF_BYTES
        ):
            has_bytes = r.once('bytes', lambda: _bytes(r))
            return as_method(r, func, piece(r, 'byte_places', func.attr), arguments(node, r)) if has_bytes else None
        case _:
            return None


def _bytes(r: Rewriter) -> list[str]:
    tree = r.source.tree
    named = index_of(tree).words
    made = any(isinstance(node.value, bytes) for node in all_of(tree, ast.Constant))
    return ['bytes'] if made or named & {'bytes', 'encode', 'to_bytes', 'b64decode'} else []


def _coded(node: ast.Call, r: Rewriter) -> str | None:
    """`text.encode('latin-1')`: other encodings than Monty's own."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in ('encode', 'decode'):
        return None
    if r.scene.module(func.value) is not None:
        return None
    given = keyword(node, 'encoding') or (node.args[0] if node.args else None)
    if given is not None and not isinstance(given, (ast.Constant, ast.Starred)):
        return as_method(r, func, piece(r, 'methods', func.attr), arguments(node, r))
    if not isinstance(given, ast.Constant) or not isinstance(given.value, str):
        return None
    name = given.value.lower().replace('_', '-')
    if name in _OTHERS:
        return as_method(r, func, piece(r, 'methods', func.attr), arguments(node, r))
    if name not in _ENCODINGS and _is_an_encoding(name):
        raise Refused(
            [refusal(given, f'The encoding {given.value} is not available here. Use utf-8, ascii or latin-1.')]
        )
    return None


def _of_coded(node: ast.Call, r: Rewriter) -> str | None:
    """`str(data, 'latin-1')` and `bytes(text, 'latin-1')`."""
    func, given = node.func, keyword(node, 'encoding') or (node.args[1] if len(node.args) > 1 else None)
    if not isinstance(func, ast.Name) or not r.scene.is_free(func) or not node.args:
        return None
    if not isinstance(given, ast.Constant) or str(given.value).lower().replace('_', '-') not in _OTHERS:
        return None
    return f'{piece(r, "methods", "decode" if func.id == "str" else "encode")}({arguments(node, r)})'


def _is_an_encoding(name: str) -> bool:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return True


def _span(node: ast.Call, r: Rewriter) -> str | None:
    """`timedelta(hours=1.5)`: Monty takes whole numbers."""
    if r.scene.member(node.func) != ('datetime', 'timedelta'):
        return None
    given = [*node.args, *(part.value for part in node.keywords)]
    if all(isinstance(part, ast.Constant) and isinstance(part.value, int) for part in given):
        return None
    return f'{piece(r, "datetime", "timedelta_of")}({arguments(node, r)})'


def _replaced(node: ast.Call, r: Rewriter) -> str | None:
    """`day.replace(2024, 1)`: Monty's dates take these by name."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr != 'replace' or not node.args or r.scene.module(func.value):
        return None
    if any(isinstance(part, ast.JoinedStr) or _is_text(part) for part in node.args) or not _has_dates(r):
        return None
    return as_method(r, func, piece(r, 'methods', 'replaced'), arguments(node, r))


def _has_dates(r: Rewriter) -> bool:
    names = {*r.scene.scopes.imported, *r.scene.members, *r.scene.modules, *r.scene.known}
    return not names.isdisjoint(['datetime', 'date', 'time', 'dt'])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _inserted(node: ast.Call, r: Rewriter) -> str | None:
    """`queue.insert(1, x)`, where there are deques: Monty's have no `insert`."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr != 'insert' or len(node.args) != 2 or node.keywords:
        return None
    if 'deque' not in r.scene.names.used and 'deque' not in r.scene.known and 'collections' not in r.scene.modules:
        return None
    return as_method(r, func, piece(r, 'collections', 'inserted'), arguments(node, r))


def _of_fraction(node: ast.Call, r: Rewriter) -> str | None:
    """`math.sqrt(Fraction(1, 4))`: Monty's functions take no objects."""
    if not r.once('fractions', lambda: _fractions(r)):
        return None
    module, name = r.scene.member(node.func) or ('', '')
    if module != 'math' or name in _ASKING_NUMBERS or node.keywords or not node.args:
        return None
    if any(isinstance(part, ast.Starred) for part in node.args):
        return None
    as_float = piece(r, 'fractions', 'as_float')
    return f'{r.text(node.func)}({", ".join(f"{as_float}({r.text(part)})" for part in node.args)})'


def _fractions(r: Rewriter) -> set[str]:
    names = {*r.scene.scopes.imported, *r.scene.known, *r.scene.modules.values()}
    return names & {'Fraction', 'fractions'}


def _power(node: ast.Call, r: Rewriter) -> str | None:
    """`pow(3, -1, 7)`: Monty knows no inverse."""
    if not is_builtin(node, 'pow', r):
        return None
    if len(node.args) + len(node.keywords) == 3:
        return f'{piece(r, "builtins", "pow_with")}({arguments(node, r)})'
    named = {part.arg: part.value for part in node.keywords}
    given = [*node.args, *(named[name] for name in ('base', 'exp')[len(node.args) :] if name in named)]
    two = len(given) == len(node.args) + len(node.keywords) == _TWO
    return f'{native(r, "pow")}({", ".join(map(r.text, given))})' if named and two else None


def _code_of_byte(node: ast.Call, r: Rewriter) -> str | None:
    """`ord(data[:1])`: Monty's takes texts alone."""
    match node.args:
        case [ast.Constant(value=bytes()) | ast.Subscript(slice=ast.Slice())] if is_builtin(node, 'ord', r):
            has_bytes = r.once('bytes', lambda: _bytes(r))
            return f'{piece(r, "byte_places", "code_of")}({arguments(node, r)})' if has_bytes else None
        case _:
            return None


def _reached(node: ast.Call, r: Rewriter) -> str | None:
    """`'{0.real}'.format(2)`: numbers have no parts that a template could reach."""
    match node.func:
        case ast.Attribute(value=ast.Constant(value=str(template))) if _PART.search(template):
            if MAY_BE_COMPLEX.search(r.source.text):
                return None
            said = 'A template reaches no parts of numbers here: give them to it by themselves.'
            raise Refused([refusal(node, said)])
        case _:
            return None


def _of_several(node: ast.Call, r: Rewriter) -> str | None:
    """`set().union(*groups)`: the set methods take one argument in Monty."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in _OF_SEVERAL or node.keywords:
        return None
    if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        return None
    if r.scene.module(func.value) is not None:
        return None
    return as_method(r, func, piece(r, 'sets', func.attr), arguments(node, r))


def _from_keys(node: ast.Call, r: Rewriter) -> str | None:
    """`OrderedDict.fromkeys(items)`."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == 'fromkeys'):
        return None
    ordered = r.scene.member(func.value) == ('collections', 'OrderedDict')
    return f'{piece(r, "shown", "ordered_from_keys")}({arguments(node, r)})' if ordered else None


def _popped(node: ast.Call, r: Rewriter) -> str | None:
    """`ordered.popitem(last=False)`."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == 'popitem' and (node.args or node.keywords)):
        return None
    if isinstance(node.func.value, (ast.Dict, ast.DictComp)):
        return None
    return as_method(r, node.func, piece(r, 'collections', 'pop_item'), arguments(node, r))


def _dumped(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('json', 'dumps'):
        return None
    _refuse(node, ('check_circular',), 'Leave it out.')
    encoder = keyword(node, 'cls')
    if encoder is not None:
        options = [part for part in node.keywords if part.value is not encoder]
        made = f'{r.text(encoder)}({arguments(ast.Call(node.func, [], options), r)})'
        return f'{made}.encode({arguments(ast.Call(node.func, node.args, []), r)})'
    tuples = r.scene.names.used & {'namedtuple', 'NamedTuple'} or r.scene.known
    if keyword(node, 'default') is None and not tuples and r.scene.kin.keys().isdisjoint([ENUMERATIONS, HEIRS]):
        return None
    return f'{piece(r, "json", "dumps")}({arguments(node, r)})'


def _loaded(node: ast.Call, r: Rewriter) -> str | None:
    """`json.loads(text, object_hook=f)`: Monty does not call the function."""
    if r.scene.member(node.func) != ('json', 'loads'):
        return None
    pairs = keyword(node, 'object_pairs_hook')
    if pairs is not None and (r.scene.member(pairs) == ('collections', 'OrderedDict')):
        kept = [part for part in node.keywords if part.value is not pairs]
        read = f'{r.text(node.func)}({arguments(ast.Call(node.func, node.args, kept), r)})'
        return f'{piece(r, "shown", "ordered_within")}({read})'
    _refuse(node, ('cls', 'strict', 'parse_constant', 'object_pairs_hook'), 'Look through what json.loads(text) gives.')
    return None if keyword(node, 'object_hook') is None else f'{piece(r, "json", "loads")}({arguments(node, r)})'


def _called_method(node: ast.Call, r: Rewriter) -> str | None:
    """`operator.methodcaller('split', ',')`: the name stands in the text."""
    if r.scene.member(node.func) != ('operator', 'methodcaller'):
        return None
    match node.args:
        case [ast.Constant(value=str(name)), *others] if name.isidentifier():
            args = ''.join(f'{r.text(part)}, ' for part in others)
            words = [
                f'{part.arg}={r.text(part.value)}' if part.arg else f'**{r.text(part.value)}' for part in node.keywords
            ]
            words = f'dict({", ".join(words)})'
            called = (
                f'{piece(r, "methods", name)}(_it, '
                if offers('methods', name) and name not in _ELSEWHERE
                else f'_it.{name}('
            )
            return f'(lambda _args, _words: lambda _it: {called}*_args, **_words))(({args}), {words})'
        case _:
            raise Refused(
                [refusal(node, 'Write a lambda here that calls the method: its name has to stand in the text.')]
            )


def _recorded(node: ast.Call, r: Rewriter) -> str | None:
    """`warnings.catch_warnings(record=True)`: what nobody gave a category is a `UserWarning`, which Monty lacks."""
    if (
        not node.keywords
        or keyword(node, 'record') is None
        or r.scene.member(node.func) != ('warnings', 'catch_warnings')
    ):
        return None
    given = f'{arguments(node, r)}, default={piece(r, "errors", "UserWarning")}'
    return f'{piece(r, "warnings", "catch_warnings")}({given})'


def _refuse(node: ast.Call, names: Iterable[str], instead: str) -> None:
    for name in names:
        given = keyword(node, name)
        if given is not None:
            raise Refused([refusal(given, f'{ast.unparse(node.func)} takes no {name}= here. {instead}')])


def _printed(node: ast.Call, r: Rewriter) -> str | None:
    """`print(line, file=buffer)`: Monty prints to its own streams only."""
    file = keyword(node, 'file')
    if file is None or not is_builtin(node, 'print', r) or r.scene.member(file) in _STREAMS:
        return None
    return f'{piece(r, "builtins", "print_to")}({arguments(node, r)})'


def _counted(node: ast.Call, r: Rewriter) -> str | None:
    """`text.replace('a', 'b', count=1)`, which Python takes since 3.13."""
    count = keyword(node, 'count')
    if count is None or not isinstance(node.func, ast.Attribute) or node.func.attr != 'replace' or len(node.args) != 2:
        return None
    if r.scene.module(node.func.value) is not None:
        return None
    raise Refused([refusal(count, 'replace takes its count by place, as a third argument: text.replace(old, new, 1).')])


def _exit(node: ast.Call, r: Rewriter) -> str | None:
    """`exit()` at the top level ends the script."""
    leaves = any(is_builtin(node, name, r) for name in ('exit', 'quit')) or r.scene.member(node.func) == (
        'sys',
        'exit',
    )
    if not leaves or not isinstance(r.parent(node), ast.Expr):
        return None
    above = list(r.above(node))
    if not any(isinstance(outer, _FUNCTIONS) or (isinstance(outer, ast.Try) and outer.handlers) for outer in above):
        return 'return'
    if r.scene.tasks:
        raise Refused([refusal(node, NO_EXIT)])
    if not node.args:
        return 'raise SystemExit'
    if 'errors' not in r.scene.pieces:
        return f'raise SystemExit(str({r.text(node.args[0])}))'
    made = f'{piece(r, "errors", "made")}(SystemExit, {r.text(node.args[0])})'
    return f'raise {piece(r, "errors", "raised")}({made})'


def _plain_error(node: ast.Call, r: Rewriter) -> str | None:
    """`ValueError('a', 1)`: exceptions take one text in Monty."""
    if not isinstance(node.func, ast.Name):
        return None
    if (
        not (node.func.id.endswith(('Error', 'Exception')) and node.args)
        or not r.scene.is_free(node.func)
        or node.keywords
    ):
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    if len(node.args) == 1:
        only = node.args[0]
        text = isinstance(only, ast.JoinedStr) or (isinstance(only, ast.Constant) and isinstance(only.value, str))
        return None if text else f'{r.text(node.func)}(str({r.text(only)}))'
    return f'{r.text(node.func)}(str(({", ".join(r.text(argument) for argument in node.args)})))'


_PART = re.compile(r'\{[^{}]*\.(real|imag|numerator|denominator)\b')
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_STREAMS = {('sys', 'stdout'), ('sys', 'stderr')}
_ELSEWHERE = frozenset(['encode', 'decode'])
"""Methods that are only lacking for some arguments."""
_BETWEEN = frozenset(['find', 'rfind', 'index', 'rindex', 'count', 'startswith', 'endswith'])
_OF_BYTES = frozenset(['find', 'rfind', 'index', 'rindex', 'count'])
_TWO = 2
_OTHERS = frozenset(['utf-8-sig', 'latin-1', 'latin1', 'iso-8859-1', 'iso8859-1', 'l1', 'latin'])
_ENCODINGS = frozenset(
    [
        'utf-8',
        'utf8',
        'u8',
        'ascii',
        'us-ascii',
        '646',
        *(f'utf{dash}{size}{end}' for dash in ('', '-') for size in (16, 32) for end in ('', '-le', '-be', 'le', 'be')),
    ]
)
"""What Monty has."""
_ASKING_NUMBERS = frozenset(['ceil', 'floor', 'fsum', 'prod', 'sumprod', 'trunc'])
"""Functions of `math` that ask what they are given, or go through it."""
_OF_SEVERAL = frozenset(['union', 'intersection', 'difference', 'update'])
_TYPES = frozenset(['str', 'bytes', 'list', 'dict', 'set', 'int', 'float', 'tuple'])

METHOD_RULES: tuple[Rule | Named, ...] = (
    _of_type,
    named(_between, *_BETWEEN),
    named(_coded, *_ELSEWHERE),
    named(_of_coded, 'str', 'bytes'),
    named(_power, 'pow'),
    named(_code_of_byte, 'ord'),
    named(_reached, 'format'),
    Named(_of_fraction, lambda name: hasattr(math, name)),
    named(_span, 'timedelta'),
    named(_of_several, *_OF_SEVERAL),
    named(_from_keys, 'fromkeys'),
    named(_popped, 'popitem'),
    Named(_lacking_method, lambda name: offers('methods', name)),
    named(_dumped, 'dumps'),
    named(_loaded, 'loads'),
    named(_called_method, 'methodcaller'),
    named(_recorded, 'catch_warnings'),
    named(_printed, 'print'),
    named(_counted, 'replace'),
    named(_exit, 'exit', 'quit'),
    Named(_plain_error, lambda name: name.endswith(('Error', 'Exception'))),
)
RULES_FOR_DATES = (named(_replaced, 'replace'), named(_inserted, 'insert'))
"""What comes before."""
