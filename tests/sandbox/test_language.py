"""The language of scripts: names, scopes, texts, and the page about the dialect."""

import ast
import gc
import importlib
import symtable
import sys
import sysconfig
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.sampling import sampled
from tests.sandbox.case_files import in_sandbox
from tests.sandbox.tables import Table
from toolscript_sandbox.checking.own_findings import unawaited
from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.contract.outcomes import Failed
from toolscript_sandbox.execution.memory import Memory
from toolscript_sandbox.execution.preparation import Asked, Prepared
from toolscript_sandbox.language.dialect import BUILTINS, CLASS_METHODS, MODULES
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.language.scopes import Scope, Scopes
from toolscript_sandbox.language.syntax import expression_of, module_of
from toolscript_sandbox.polyfills import linker
from toolscript_sandbox.transforms.preparation import prepared

_NEWER = {'itertools.batched', 'math.sumprod', 'random.binomialvariate'}
"""Names that are refused because only newer Pythons have them."""
_MARKS = ('abc.abstractmethod', 'functools.cached_property')
"""Names that are decorators of methods, and not values."""


@pytest.mark.parametrize('module', sorted(MODULES))
def test_each_listed_name_exists_in_cpython(module: str) -> None:
    known, names = importlib.import_module(module), MODULES[module]
    wanted = {name for name in {*names.providers, *names.refused} if f'{module}.{name}' not in _NEWER}
    assert sorted(name for name in wanted if not hasattr(known, name)) == []
    assert names.providers.keys() & names.refused.keys() == set()


def test_each_polyfill_of_the_table_is_defined() -> None:
    names = [('builtins', BUILTINS), *MODULES.items()]
    made = [linker.home(module, name) for module, of in names for name, by in of.providers.items() if by == 'polyfill']
    made += [
        linker.home(
            'methods' if kind.startswith('builtins.') else kind.rpartition('.')[0], f'{kind.rpartition(".")[2]}_{name}'
        )
        for kind, methods in CLASS_METHODS.items()
        for name in methods
    ]
    defined = {definition for name in linker.names() for definition in linker.read(name).definitions}
    assert [definition for definition in made if definition not in defined] == []


@pytest.mark.parametrize('module', sorted(MODULES))
async def test_each_listed_name_exists_in_a_session(module: str) -> None:
    # A transform rewrites the calls of a name, or uses it as a decorator; alone it is not a value.
    values = [name for name, by in MODULES[module].providers.items() if by != 'transform']
    names = [name for name in values if f'{module}.{name}' not in {*MODULES, *_MARKS}]
    lines = [f'from {module} import {name} as _{number}' for number, name in enumerate(names)]
    ending, _ = await in_sandbox('\n'.join([f'import {module}', *lines, *(f'_x = _{n}' for n in range(len(names)))]))
    assert ending.error is None


@pytest.mark.parametrize('module', sorted(MODULES))
async def test_a_name_that_is_not_listed_is_refused_before_anything_runs(module: str) -> None:
    for name, advice in {**MODULES[module].refused, 'nosuch': ''}.items():
        ending, _ = await in_sandbox(f'print(1)\nimport {module}\nx = {module}.{name}')
        assert (ending.refused, ending.stdout) == (True, '')
        message = (ending.error or ('', ''))[1]
        assert f'There is no {module}.{name} here' in message
        assert (advice or '') in message


LIBRARY = sorted(Path(sysconfig.get_paths()['stdlib']).glob('*.py'))
NAMED: dict[type[ast.expr], str] = {
    ast.Lambda: 'lambda',
    ast.ListComp: 'listcomp',
    ast.SetComp: 'setcomp',
    ast.DictComp: 'dictcomp',
    ast.GeneratorExp: 'genexpr',
}


def _ours(tree: ast.Module) -> dict[tuple[int, str], list[Scope]]:
    found = dict[tuple[int, str], list[Scope]]()
    for node, scope in Scopes(tree).opened.items():
        # The parameters of types are newer than the Python of scripts.
        if not isinstance(node, ast.Module) and not getattr(node, 'type_params', None):
            found.setdefault(_place(node), []).append(scope)
    return found


def _pythons(table: symtable.SymbolTable) -> Iterator[tuple[tuple[int, str], set[str]]]:
    for inner in table.get_children():
        symbols = [symbol for symbol in inner.get_symbols() if symbol.is_local() and symbol.get_name() != '.0']
        bound = {s.get_name() for s in symbols if s.is_assigned() or s.is_parameter() or s.is_imported()}
        yield (inner.get_lineno(), inner.get_name()), bound | {s.get_name() for s in symbols if s.is_namespace()}
        yield from _pythons(inner)


def _place(node: ast.AST) -> tuple[int, str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.lineno, node.name
    assert isinstance(node, ast.expr)
    return node.lineno, NAMED[type(node)]


@pytest.mark.parametrize('path', sampled(LIBRARY, 20), ids=lambda path: path.name)
def test_each_scope_of_the_standard_library_agrees_with_symtable(path: Path) -> None:
    text = path.read_text('utf-8')
    ours = _ours(ast.parse(text))
    for place, bound in _pythons(symtable.symtable(text, path.name, 'exec')):
        if place in ours and not any(name.startswith('_') for name in bound):
            # Newer Pythons list the names of comprehensions in the scope around them, too.
            same = bound.__eq__ if sys.version_info < (3, 12) else bound.issuperset
            assert any(same(set(scope.bound)) for scope in ours[place]), place


def _texts(code: str) -> set[str]:
    constants = (node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and '\n' in value}


@pytest.mark.parametrize('path', sampled(LIBRARY, 15), ids=lambda path: path.name)
def test_the_standard_library_survives_parsing_and_writing(path: Path) -> None:
    text = path.read_text('utf-8')
    try:
        ast.parse(text, feature_version=(3, 11))
    except SyntaxError:
        pytest.skip('written for newer Pythons than scripts are')
    try:
        snippet = prepared(text, Table())
    except Refused:
        return
    assert _texts(text) <= _texts(snippet.code.text)


def test_form_feeds_and_unusual_line_ends_inside_strings_are_kept() -> None:
    text = "'''a\n\fb\x0b\x1c\u2028c'''"
    assert prepared(f'len({text})', Table()).code.text == "result_1 = len('a\\n\\x0cb\\x0b\\x1c\\u2028c')\nresult_1\n"


async def test_syntax_warnings_are_neither_errors_nor_printed() -> None:
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter('always')
        shown, _ = await in_sandbox(r"print('\d', 1if 1else 2)")
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert (await in_sandbox(r"print('\d', 1if 1else 2)"))[0] == shown
    assert (shown.stdout, shown.error, reported) == ('\\d 1\n', None, [])


TEXT = '\n'.join(f'x{number} = f({number}, [a, b])' for number in range(300))


@contextmanager
def collections_that_parse() -> Generator[None]:
    """Make the garbage collector run often, with code that parses, as another thread would."""

    def parse(phase: str, info: object) -> None:
        if phase == 'stop':
            deeper(30)

    def deeper(frames: int) -> None:
        if frames:
            deeper(frames - 1)
        else:
            ast.parse('x = 1')

    threshold = gc.get_threshold()
    gc.callbacks.append(parse)
    gc.set_threshold(10)
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(parse)


def test_other_code_may_parse_at_the_same_time() -> None:
    with collections_that_parse():
        statements, expression = module_of(TEXT), expression_of(TEXT.partition('\n')[0].partition('= ')[2])

    assert ast.unparse(statements) == TEXT
    assert ast.unparse(expression) == 'f(0, [a, b])'
    assert gc.isenabled()


TOOLS = Table(
    tool=Function('tool', 'async def tool(x: int) -> int: ...', False),
    now=Function('now', 'def now(x: int) -> int: ...', True),
)
SHAPES = {
    'sorted': ('def f(x): return x\nx = [1]\n', 'y@ = sorted(x, key=f)\n'),
    'mapped': ('def f(x): return now(x)\nx = [1]\n', 'y@ = list(map(f, x))\n'),
    'functions': ('', 'def f@(a, b):\n    return a + b\n'),
    'classes': ('', 'class C@:\n    def m(self): return 1\n'),
    'subclasses': ('class C:\n    pass\n', 'class D@(C):\n    def m(self): return 1\n'),
    'wide characters': ('', "x@ = 'é' + str(@); y@ = x@.is_integer()\n"),
    'one long line': ('x = [', '"é@", ', ']'),
    'methods': ('x = 1.0\n', 'x.is_integer()\n'),
    'errors': ('class E(Exception): pass\n', 'try:\n    pass\nexcept E as e:\n    pass\n'),
    'loops': ('xs = []\n', 'for i@, x in enumerate(xs): pass\n'),
    'generators': ('', 'def g@(n):\n    for i in range(n):\n        yield i\n'),
    'expressions': ('xs = []\n', 'a@ = any(x > @ for x in xs)\n'),
    'awaits': ('', 'a@ = await tool(@)\n'),
    'comparisons': ('class A:\n    def __lt__(self, o): return True\n', 'z = A() < A()\n'),
    'properties': ('class A:\n    @property\n    def p(self): return 1\na = A()\n', 'a.p\n'),
    'tasks': ('import asyncio\n', 't@ = asyncio.create_task(tool(@))\nr@ = t@.result()\n'),
    'deleted': ('d = {}\n', 'del d["@"]\n'),
    'comprehensions': ('', 'm@ = [x for x in [@]]\n'),
    'sums': ('', 'row@ = {"id": @, "total": @ * 1.5, now(@): 2}\nrow@["id"] |= 1\n'),
}


def _text(shape: str, times: int) -> str:
    head, part, *tail = SHAPES[shape]
    return head + ''.join(part.replace('@', str(number)) for number in range(1000, 1000 + times)) + ''.join(tail)


def lines_run(work: Callable[[], object]) -> int:
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def assert_linear(once: Callable[[], object], twice: Callable[[], object]) -> None:
    few = lines_run(once)
    assert lines_run(twice) < 2.4 * few


@pytest.mark.parametrize('shape', sampled(SHAPES, 10))
def test_the_work_of_an_analysis_is_linear_in_the_text(shape: str) -> None:
    small, large = _text(shape, 30), _text(shape, 60)
    prepared(small, TOOLS)
    assert_linear(lambda: prepared(small + '# again', TOOLS), lambda: prepared(large, TOOLS))


def test_finding_missing_awaits_is_linear_in_the_calls() -> None:
    small, large = (
        module_of(''.join(f'a{number} = tool({number})\nprint(a{number})\n' for number in range(times)))
        for times in (60, 120)
    )
    assert_linear(*(lambda tree=tree: [*unawaited(tree, {'tool'})] for tree in (small, large)))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason='newer Pythons read it in linear time')
def test_an_f_string_that_python_parses_in_quadratic_time_is_refused() -> None:
    before = time.thread_time()
    refused = Asked('x = f"' + '{1}' * 60_000 + '"', TOOLS, Limits(max_code_chars=200_000), {}, Memory()).prepared()
    assert isinstance(refused, Failed)
    assert refused.error.kind == 'limit'
    assert refused.error.message.startswith('An f-string has too many fields in braces')
    # Parsing it takes two seconds and more.
    assert time.thread_time() - before < 0.5


def test_many_braces_outside_of_f_strings_are_parsed() -> None:
    text = 'x = [' + '{"a": 1}, ' * 9_000 + ']\ny = f"{x}"'
    assert isinstance(Asked(text, TOOLS, Limits(), {}, Memory()).prepared(), Prepared)


@pytest.mark.parametrize(
    ('code', 'error'),
    [
        ('from os import environ; print(environ)', 'ImportError'),
        ('from itertools import batched; print(batched)', 'ImportError'),
        ('os.getcwd()', 'AttributeError'),
        ('statistics.NormalDist()', 'AttributeError'),
        ('sys.argv', 'AttributeError'),
        ("eval('1')", 'NameError'),
    ],
)
async def test_a_name_that_the_table_lacks_raises_where_the_script_handles_that(code: str, error: str) -> None:
    """Although Monty has most of these."""
    script = f"import os, statistics, sys\ntry:\n    {code}\nexcept {error}:\n    print('absent')"
    assert (await in_sandbox(script))[0].stdout == 'absent\n'


async def test_no_name_that_the_table_lacks_is_an_attribute_of_its_module() -> None:
    code = "import itertools, os\nprint(hasattr(itertools, 'batched'), getattr(os, 'environ', 3), hasattr(os, 'sep'))"
    assert (await in_sandbox(code))[0].stdout == 'False 3 True\n'
