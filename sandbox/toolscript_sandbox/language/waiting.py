"""Refuses code that would wait for the host where a script cannot.

A call of a function that runs outside Monty suspends the script: a tool that is called without `await`, `time.sleep`,
a request of asyncio such as `create_task`, and functions of Python's own library. Monty cannot suspend inside a
function that one of its builtins calls (a key of `sorted`, a function of `map`), inside most special methods, default
factories, or iterators. Polyfills call keys (`transforms/comparisons.py`), comprehensions call the functions of `map`
if the meaning stays the same, and loops over iterators become `while` (`transforms/iteration.py`); the rest is refused
before anything runs.

A function of the script counts as waiting if it mentions the name of something that waits, directly or indirectly.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from toolscript_sandbox.language.refusals import Refusal, refusal
from toolscript_sandbox.language.syntax import own_nodes, words

from .analysis import Analysis, meaning
from .dialect import FILES, MODULES
from .files import has_paths


@dataclass
class WaitingNames:
    """The functions and methods of a script that wait."""

    analysis: Analysis
    functions: dict[str, str] = field(default_factory=dict[str, str])
    """The names of waiting functions, methods and classes, each with what it waits for."""
    methods: frozenset[str] = frozenset()
    """The names of methods that wait on any object."""
    maybe: bool = False
    """Whether functions count that wait in rare cases only."""

    def of(self, function: ast.expr) -> str | None:
        """Return what a function that is passed to a builtin waits for, or None."""
        if isinstance(function, ast.Call) and meaning(function.func) == 'operator.attrgetter':
            paths = [part.value for part in function.args if isinstance(part, ast.Constant)]
            return self.inside([ast.Name(name) for path in paths for name in str(path).split('.')])
        return self.inside([function.body]) if isinstance(function, ast.Lambda) else self._named(function)

    def inside(self, nodes: Iterable[ast.AST]) -> str | None:
        """Return what expressions or statements wait for, without the functions that they define."""
        return next((name for part in own_nodes(nodes) if (name := self._named(part)) is not None), None)

    def _named(self, node: ast.AST) -> str | None:
        dotted = meaning(node)
        if dotted is not None:
            name = dotted.removeprefix('tools.').removeprefix('builtins.')
            call = self.analysis.index.parents.get(node)
            if dotted.startswith('re.') and isinstance(call, ast.Call) and not self.maybe and not _is_of_cpython(call):
                return None
            return name if _waits(dotted, self.analysis, maybe=self.maybe) else None
        match node:
            case ast.Attribute(attr=name) if name in self.methods:
                return name
            case ast.Attribute(attr=name) | ast.Name(id=name):
                return self.functions.get(name)
            case _:
                return None


def _waits(dotted: str, analysis: Analysis, *, maybe: bool) -> bool:
    module, _, name = dotted.rpartition('.')
    if module == 'tools':
        # A call of an async function only creates a coroutine.
        function = analysis.functions.get(name)
        return function is not None and function.sequential
    if dotted == 'json.loads' and 'JSONDecodeError' in analysis.words:
        # CPython says what is wrong with a text.
        return True
    if module == 're' and name.islower() and _has_patterns_of_cpython(analysis):
        return True
    if dotted in _REQUESTS or (maybe and dotted.partition('.')[0] in _MAYBE):
        return True
    if analysis.has_files and (dotted == 'builtins.open' or (module in FILES and name in FILES[module].providers)):
        return True
    return module in MODULES and MODULES[module].providers.get(name) == 'host'


def _has_patterns_of_cpython(analysis: Analysis) -> bool:
    """Return whether the script has regular expressions that CPython matches on the host."""
    return 're' in analysis.words and _OF_CPYTHON.search(analysis.text) is not None


def _is_of_cpython(call: ast.Call) -> bool:
    """Return whether CPython may match the pattern of the call, or fill in its replacement."""
    is_open = meaning(call.func) is not None and not (call.args and isinstance(call.args[0], ast.Constant))
    return is_open or _OF_CPYTHON.search(ast.unparse(call)) is not None


def _methods(analysis: Analysis, *, maybe: bool) -> frozenset[str]:
    """Return the called methods that wait for the host: of files, paths and patterns, and those of other codecs."""
    coding = frozenset(map(_coding, analysis.all(ast.Call))) - {'', *analysis.sync_functions}
    if 're.compile' in analysis.meant and (maybe or _has_patterns_of_cpython(analysis)):
        calls = [call for call in analysis.all(ast.Call) if meaning(call.func) in ('re.compile', None)]
        given = (call for call in calls if getattr(call.func, 'attr', 'compile') in ('compile', 'sub', 'subn'))
        coding |= _OF_PATTERNS if maybe or any(map(_is_of_cpython, given)) else frozenset()
    if not analysis.has_files or not ('builtins.open' in analysis.meant or has_paths(analysis)):
        return coding
    return _OF_FILES & analysis.words | coding


def _coding(call: ast.Call) -> str:
    """Return the method of a call that encodes or decodes in another encoding than UTF-8, or an empty text."""
    match call:
        case ast.Call(func=ast.Attribute(attr='encode' | 'decode' as name), args=[ast.Constant(value=str(codec)), *_]):
            return '' if codec.lower().replace('_', '-') in ('utf-8', 'utf8', 'ascii') else name
        case ast.Call(func=ast.Attribute(attr='encode' | 'decode' as name), args=[ast.Name(), *_]):
            # The encoding is only known at run time.
            return name
        case _:
            return ''


_MAYBE = frozenset(['configparser', 'datetime', 'difflib', 'fractions', 're', 'string', 'urllib', 'xml', 'zoneinfo'])
"""Modules whose functions call the host for some arguments only."""
_OF_CPYTHON = re.compile(r'\(\?(?:[=!(x]|<[=!]|P=|[aiLmsu]+:)|\\[1-9]|\\g<|VERBOSE|re\.X\b')
"""What Monty's engine lacks: looking around, references to groups, flags inside, and blanks that do not count."""
_OF_PATTERNS = frozenset(['findall', 'finditer', 'fullmatch', 'match', 'search', 'sub', 'subn'])
_OF_FILES = frozenset(FILES['pathlib.Path'].providers) - {'replace'} | {'write', 'writelines'}
"""Methods that access files. `replace` is not among them, because it is usually a method of a string."""
_REQUESTS = {
    'time.sleep',
    *words('as_completed create_task current_task ensure_future', of='asyncio'),
    *words('pformat pp pprint', of='pprint'),
    *words('urlencode urlparse urlsplit urlunparse urlunsplit', of='urllib.parse'),
}


def waiting_of(analysis: Analysis, *, maybe: bool = False) -> WaitingNames | None:
    """Return the names that wait in a script, or that `maybe` wait; None if there are none."""
    methods = _methods(analysis, maybe=maybe)
    if not methods and not any(_waits(dotted, analysis, maybe=True) for dotted in analysis.meant):
        return None
    waiting = WaitingNames(analysis, methods=methods, maybe=maybe)
    defined = analysis.all(ast.FunctionDef)
    growing = bool(defined)
    while growing:
        growing = False
        for node in defined:
            if node.name not in waiting.functions and (found := waiting.inside(node.body)) is not None:
                names = [node.name]
                if node.name in _STARTS and isinstance(owner := analysis.index.parents.get(node), ast.ClassDef):
                    names.append(owner.name)
                waiting.functions.update(dict.fromkeys(names, found))
                growing = True
    return waiting


def keyed(call: ast.Call) -> ast.expr | None:
    """Return the function that is passed to a builtin which calls it, or None."""
    dotted = meaning(call.func)
    is_sort = isinstance(call.func, ast.Attribute) and call.func.attr == 'sort' and dotted is None
    place = 'key' if is_sort else _CALLING.get(dotted)
    if isinstance(place, int):
        if len(call.args) > place:
            return call.args[place]
        place = 'func'
    return next((keyword.value for keyword in call.keywords if place and keyword.arg == place), None)


def is_written_out(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    """Return whether a polyfill or a comprehension calls the function, so that the script can wait there."""
    dotted = meaning(call.func)
    if dotted in ('builtins.map', 'builtins.filter'):
        # Other users may read the first values before the rest is computed.
        around = parents.get(call)
        whole = len(call.args) == 2 and not call.keywords and not isinstance(call.args[1], ast.Starred)
        return whole and _is_at_once(around)
    is_sort = dotted is None and isinstance(call.func, ast.Attribute)
    return is_sort or dotted in TAKING_KEY


def _is_at_once(around: ast.AST | None) -> bool:
    match around:
        case ast.Call(func=ast.Attribute(attr='join')) | ast.Starred():
            return True
        case ast.Call(func=func):
            return meaning(func) in _AT_ONCE
        case _:
            return False


TAKING_KEY = frozenset(['builtins.sorted', 'builtins.min', 'builtins.max', 'itertools.groupby'])
_CALLING: Mapping[str | None, str | int] = {
    **dict.fromkeys([*TAKING_KEY, *(f'bisect.{name}' for name in MODULES['bisect'].providers)], 'key'),
    **dict.fromkeys(['builtins.map', 'builtins.filter', 'collections.defaultdict'], 0),
    **dict.fromkeys([f'itertools.{name}' for name in ('dropwhile', 'filterfalse', 'starmap', 'takewhile')], 0),
    'itertools.accumulate': 1,
    'dataclasses.field': 'default_factory',
}
"""The argument in which builtins take a function that they call."""
_ITERATED = frozenset(['builtins.map', 'builtins.filter', 'itertools.takewhile'])
"""Iterators whose values `transforms/iteration.py` reads where the script can wait."""
_AT_ONCE = words('dict frozenset list max min set sorted sum tuple', of='builtins')
_STARTS = ('__init__', '__post_init__')
_ABLE = words(
    '__init__ __post_init__ __call__ __enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __next__ __lt__ '
    '__le__ __gt__ __ge__ __iadd__ __isub__ __imul__ __ior__ __iand__ __ixor__'
)
"""Special methods that may wait."""


def waiting_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """Yield refusals of code that would wait where a script cannot."""
    waiting = waiting_of(analysis)
    if waiting is None:
        return
    for call in analysis.all(ast.Call):
        function = keyed(call)
        if function is None or (waits_for := waiting.of(function)) is None:
            continue
        if not is_written_out(call, analysis.index.parents) and meaning(call.func) not in _ITERATED:
            yield refusal(function, f'{waits_for} cannot be called in a function that a builtin calls. {_LOOP}')
    for node in analysis.all(ast.FunctionDef):
        is_special = node.name.startswith('__') and node.name.endswith('__') and node.name not in _ABLE
        if not is_special or not isinstance(analysis.index.parents.get(node), ast.ClassDef):
            continue
        makes_iterator = any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own_nodes(node.body))
        if not makes_iterator and (waits_for := waiting.inside(node.body)) is not None:
            yield refusal(
                node, f'{waits_for} cannot be called in {node.name}. Write a method, and call it by its name.'
            )


_LOOP = 'Write a loop or a comprehension, and call it there.'
