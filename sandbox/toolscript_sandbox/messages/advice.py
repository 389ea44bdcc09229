"""Advice about errors."""

import re
from collections.abc import Collection, Sequence

from toolscript_sandbox.checking.checker import Diagnostic
from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.language import advice
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.polyfills import linker

from .truncation import quoted


def about_syntax(line: str, reason: str) -> str:
    """Return what to write instead of a line with this syntax error: newer Python, or JavaScript."""
    code = _TEXTS.sub('', line)
    for pattern, instead in _LINES:
        if found := pattern.match(code):
            return instead.format(*found.groups()) + '\n'
    return next((f'{instead}\n' for words, instead in _REASONS.items() if words in reason), '')


_TEXTS = re.compile(r""""[^"]*(?:"|$)|'[^']*(?:'|$)|#.*""")
"""String literals, including unterminated ones, and comments."""
_LINES = (
    (re.compile(r'\s*(?:const|let|var)\s+(\w+)\s*='), 'Python declares no variables: write {0} = ...'),
    (re.compile(r'\s*[!%]\w'), 'There is no shell here: use what the sandbox has.'),
    (re.compile(r'.*(?:&&|\|\|)'), 'Python writes `and` and `or`.'),
    (re.compile(r'.*[=!]=='), 'Python compares with == and !=.'),
    (re.compile(r'.*\w(?:\+\+|--)'), 'Python counts with += 1 and -= 1.'),
    (re.compile(r'.*\belse\s+if\b.*:'), 'Python writes elif.'),
    (re.compile(r'.*\?\.\w'), 'Python has no ?. operator: test for None first.'),
    (
        re.compile(r'(?!\s*(?:async\s+)?def\b)(?!.*\blambda\b).*\w\((?:[^\[\]{}()]*,)?\s*(\w+)\s*:\s'),
        'Python names arguments with =: write {0}=...',
    ),
    (re.compile(r'.*&(?:lt|gt|amp|quot);'), 'It is escaped as in HTML: write the sign itself, such as < or &.'),
    (re.compile(r'\s*type\s+(\w+)\s*='), 'It is newer than Python 3.11: write {0} = ...'),
    (re.compile(r'\s*type\s+(\w+)\s*\['), 'It is newer than Python 3.11: write {0} = ..., without parameters.'),
    (
        re.compile(r'\s*(?:async\s+)?(?:def|class)\s+(\w+)\s*\['),
        'Type parameters are newer than Python 3.11: write {0} without the brackets, and use Any for them.',
    ),
)
_REASONS = {
    "expecting '}'": 'Close the brace.',
    "opening parenthesis '{'": 'Close the brace.',
    'f-string': 'Put the expression in a variable first, and double the braces of a text: {{ }}.',
    'unterminated': r'Close the quote. A text of several lines needs triple quotes, and a quote in it a backslash.',
    'unicode error': r'Double the backslashes: \\.',
    'line continuation': r'Send line breaks, and no \n between statements.',
    'character': 'Outside of texts, use plain quotes, spaces and signs.',
    'never closed': 'Close it.',
    'unmatched': 'Remove it, or open it.',
    'follows keyword': 'Name the later arguments too.',
    'indent': 'Indent each block with four spaces, and no tabs.',
    'invalid syntax': 'Send only Python, in whole statements.',
}


def about_finding(
    finding: Diagnostic, functions: Functions, known: Collection[str], stubs: Sequence[str] = (), following: str = '('
) -> str:
    """Return the finding in words that a model can act on. `following` is the text behind it in its line."""
    awaited = _COROUTINE.search(finding.message)
    if awaited is not None:
        result = '' if awaited[1] == 'Unknown' else f' `{awaited[1]}`'
        around = ' Use brackets: (await call(...))' if finding.rule in _OF_RESULTS else ''
        return f'An `await` is missing: the call gives its result{result} only when it is awaited.{around}'
    quoted = re.findall(r'`([^`]*)`', finding.message)
    match finding.rule:
        case 'invalid-await':
            return _about_await(finding.message)
        case 'no-matching-overload':
            return 'gather takes coroutines. A function without `async` returns its result at once: use it as it is.'
        case 'unresolved-reference' | 'unknown-name' if quoted:
            missing = _about_type(quoted[0], stubs) or advice.about_name(quoted[0])
            is_variable = not following.startswith('(')
            return missing or f'{finding.message}.{about_name(quoted[0], functions, known, is_variable=is_variable)}'
        case _ if (method := _METHOD.search(finding.message)) is not None:
            return (
                f"`{method[1]}` is a method of dicts: write ['{method[1]}'] for the key, .{method[1]}() for the call."
            )
        case 'unresolved-import' if quoted:
            return (
                advice.about_member(quoted[0], quoted[1])
                if len(quoted) > 1 and quoted[0] in MODULES
                else advice.about_module(quoted[0])
            )
        case 'unresolved-attribute' if len(quoted) > 1:
            return f'{finding.message}.{_about_attribute(finding.message, quoted[1], stubs)}'
        case 'invalid-key' if (record := _NUMBERED.match(finding.message)) is not None:
            return f'`{record[1]}` is a dict: it has keys, not numbers. Keys: {", ".join(keys_of(record[1], stubs))}'
        case 'invalid-argument-type' if (record := _UNORDERED.search(finding.message)) is not None:
            first = next(iter(keys_of(record[1], stubs)), '...')
            return f"`{record[1]}` is a dict, and dicts have no order. Write key=lambda item: item['{first}']."
        case 'invalid-key' if quoted:
            fields = keys_of(quoted[0], stubs)
            end = '' if finding.message.endswith(('.', '?')) else '.'
            return f'{finding.message}{end} Keys: {", ".join(fields)}' if fields else finding.message
        case 'invalid-argument-type' if (key := _LIST_KEY.search(finding.message)) is not None:
            about = _OVER_KEYS if key[2] == 'str' else _about_items(key[2])
            return f'An object of type `{key[2]}` takes numbers in brackets, not {key[1]}.{about}'
        case _:
            types = _about_types(finding.message, stubs)
            return f'{finding.message}{types}{_signature(finding.message, functions)}'


def _about_await(message: str) -> str:
    function = _FUNCTION.match(message)
    if function is not None:
        return f'{function[1]} is a function: call it with `await {function[1]}(...)`.'
    return _SEVERAL if 'CoroutineType[' in message else f'{message}: it is a value already. Remove the `await`.'


def _about_type(name: str, stubs: Sequence[str]) -> str:
    keys = keys_of(name, stubs)
    return f'`{name}` is only for annotations: its values are dicts with the keys {", ".join(keys)}.' if keys else ''


def about_name(name: str, functions: Functions, known: Collection[str], *, is_variable: bool = False) -> str:
    """Return what an unknown name may have meant."""
    if name in known:
        return ' It gets its value further down, in another branch, or in a script that failed. Set it first.'
    if name == 'self':
        return ' It is the first parameter of a method: def f(self, ...).'
    hint, meant = functions.hint(name), advice.meant(name, known)
    if is_variable and not meant and not (hint or '').startswith(('Did you mean', f'{name} ')):
        meant = ' If it is a variable, set it first; the variables of a function end with it.'
    return f'{meant}{f" {hint}" if hint else ""}'.replace('? Did you mean:', ', or:')


def about_runtime(message: str, functions: Functions, known: Collection[str], keys: Sequence[str] | None) -> str:
    """Return a sentence or two to add to an exception's message."""
    name = re.search(r"NameError: name '(\w+)' is not defined", message)
    if name is not None:
        return f'.{about_name(name[1], functions, known)}'
    if keys is not None and message.startswith('KeyError'):
        return (
            f'. Available keys: {quoted(", ".join(keys))}'
            if keys
            else '. The dict is empty: set the key first, or use collections.defaultdict.'
        )
    method = re.search(r"AttributeError: '(str|list)' object has no attribute '(\w+)'", message)
    if method is not None and (instead := _about_method(*method.groups())):
        return f'.{instead}'
    for pattern, text in _RUNTIME:
        found = re.search(pattern, message)
        if found is not None:
            return text.format(*found.groups())
    return ''


def reworded(message: str) -> str:
    """Return the message without the names of the interpreter and of the polyfills."""
    message = _NO_MEMBER.sub(r'\1', message)
    message = _CLASS_NAME.sub(lambda found: f"'{found[2]}' object" if found[1] in linker.names() else found[0], message)
    message = re.sub(r'The monty syntax parser does not yet support ', 'not supported here: ', message)
    message = re.sub(r'; use sys\.set_int_max_str_digits\(\).*', '. Shorten it first, as with `//`', message)
    return re.sub(r'Internal error in monty: ', '', message)


_CLASS_NAME = re.compile(r"'_([a-zA-Z_]+?)__([A-Z]\w*)' object")
"""The names of polyfills' classes in a session."""
_NO_MEMBER = re.compile(r"'_enum__Members' object has no attribute '(\w+)'")
"""The message for a missing enum member, which Python 3.11 reduces to the name."""


def keys_of(record: str, stubs: Sequence[str]) -> list[str]:
    """Return the keys of a `TypedDict` that one of the stubs defines."""
    for stub in stubs:
        body = re.search(rf'^class {re.escape(record)}\(.*\):\n((?:[ \t]+.*\n|\n)*)', stub, re.MULTILINE)
        if body is not None:
            return re.findall(r'^[ \t]+(\w+):', body[1], re.MULTILINE)
        fields = re.search(rf'^{re.escape(record)} = TypedDict\(.*?\{{(.*)\}}', stub, re.MULTILINE)
        if fields is not None:
            return re.findall(r'[\'"]([^\'"]+)[\'"]:', fields[1])
    return []


def _about_types(message: str, stubs: Sequence[str]) -> str:
    if _MIXED.search(message):
        return f'.{_CONVERTED}'
    expected = re.search(r'Expected `(\w+)`', message)
    keys = keys_of(expected[1], stubs) if expected else []
    return f'. It is a dict with the keys {", ".join(keys)}' if keys else ''


def _about_attribute(message: str, attribute: str, stubs: Sequence[str]) -> str:
    kind = re.match(r'Object of type `([^`]*)`', message)
    if kind is None:
        return ''
    if instead := _about_method(kind[1].partition('[')[0], attribute):
        return instead
    if kind[1].endswith(('Error', 'Exception')):
        return ' Read its text: str(error).'
    if attribute in _OF_DATES and kind[1].startswith(('str', 'Literal')):
        return ' It is a text: read it with datetime.fromisoformat(...).'
    if kind[1] == 'str':
        return _OVER_KEYS
    keys = keys_of(kind[1], stubs)
    if attribute in keys or kind[1].startswith('dict['):
        return f" It is a dict: write ['{attribute}']."
    return f' It is a dict with the keys {", ".join(keys)}.' if keys else _about_items(kind[1])


def _about_method(kind: str, name: str) -> str:
    if name in _SPELLINGS:
        return f' Write {_SPELLINGS[name]}.'
    if kind == 'str' and name in ('get', 'items', 'keys', 'values'):
        return _OVER_KEYS
    methods = {'str': dir(str), 'list': dir(list)}.get(kind, [])
    return '' if name in methods else advice.did_you_mean(advice.closest(name, methods, cutoff=0.75))


def _about_items(type_name: str) -> str:
    return ' It is a list: loop over it, or take one item first.' if type_name.startswith('list[') else ''


def _signature(message: str, functions: Functions) -> str:
    called = re.search(r'(?:function|of) `(\w+)`', message)
    function = functions.get(called[1]) if called else None
    if function is None:
        return ''
    definition = re.search(rf'^.*def {function.name}\(.*', function.stub, re.MULTILINE)
    return f'. Signature: {function.signature or (definition[0] if definition else function.name)}'


_METHOD = re.compile(r'bound method `?\w+(?:\[.*?\])?\.(items|keys|values|get|pop|copy|update|clear)\(')
_LIST_KEY = re.compile(r'cannot be called with key of type `Literal\[([^`]*)\]` on object of type `([^`]*)`')
_OF_RESULTS = frozenset(['not-subscriptable', 'unresolved-attribute'])
_COROUTINE = re.compile(r'`CoroutineType\[Any, Any, ([^`]*)\]`')
_MIXED = re.compile(r'`\+=?`.*(?=.*`(?:str|Literal\["[^`]*)`).*`(?:int|float|Literal\[-?[\d.]+\])`')
_FUNCTION = re.compile(r'`def (\w+)\(')
_NUMBERED = re.compile(r'TypedDict `(\w+)` can only be subscripted with a string literal key')
_UNORDERED = re.compile(r'Argument type `(\w+)` does not satisfy upper bound `SupportsDunderLT')
_CONVERTED = ' Convert one with str(...) or float(...), or write an f-string.'
_SEVERAL = 'To await several calls, write `await asyncio.gather(*calls)`.'
_OVER_KEYS = (
    ' If the text is JSON, read it with json.loads(...) first. A loop over a dict gives its keys: loop over the list '
    'under one of them, or over .items().'
)
_OF_DATES = frozenset(['date', 'day', 'hour', 'isoformat', 'month', 'strftime', 'timestamp', 'weekday', 'year'])
_SPELLINGS = {
    'length': 'len(...)',
    'push': '.append(...)',
    'map': 'a comprehension: [... for item in ...]',
    'filter': 'a comprehension: [item for item in ... if ...]',
    'forEach': 'a for loop',
    'includes': '`in`',
    'contains': '`in`',
    'toString': 'str(...)',
    'toLowerCase': '.lower()',
    'toUpperCase': '.upper()',
    'trim': '.strip()',
}
"""Names in other languages, and their equivalents in Python."""
_METHODS = '|'.join(
    f"{kind.__name__}' object has no attribute '{name}'"
    for kind in (str, list, dict, set)
    for name in dir(kind)
    if not name.startswith('_')
)
NO_CONTEXT = r"'__a?enter__'|context manager protocol"
_RUNTIME = (
    (
        rf"AttributeError: '(?:{_METHODS})",
        '. Methods of builtin types are called by their names here: items.append(x).',
    ),
    (r"AttributeError: 'dict' object has no attribute '(?!__)(\w+)'", ". It is a dict: write ['{}']."),
    (r"AttributeError: 'list' object has no attribute '\w+'", '. It is a list: take one item first.'),
    (r"'(?:Semaphore|Timeout|TaskGroup)' object .*(?:'__enter__'|context manager)", '. Write `async with`.'),
    (NO_CONTEXT, '. It is no context: write value = await f(...), without `with`.'),
    (r"instances of 'coroutine'", '. A key function cannot wait: await all values first, and compare those.'),
    (r'already awaited', '. Keep its result in a variable or a dict, or call the function again.'),
    (
        r"'function' object is not [si]|'function' has no len",
        ". Write ['items'] for the key of a dict, .items() for its method.",
    ),
    (r'a coroutine was expected', '. Call the function: create_task(f(...)).'),
    (r'is not callable', '. Call a function by its name. If a variable has that name, `del` it and choose another.'),
    (r"'(?:coroutine|Future|Task)' object|type coroutine|type 'coroutine'", '. An `await` is missing.'),
    (
        r'cannot suspend',
        '. Nothing can wait in a special method, or in a function that a builtin such as map calls: '
        'use a loop or a comprehension, or a method that is called by its name.',
    ),
    (r"PermissionError: Permission denied: '", '. There are no files here: call the functions you were given.'),
    (r"ModuleNotFoundError: No module named '(\w+)'", '. Use the modules and functions that are here.'),
    (
        r'function too large: required stack',
        '. A list, dict or call has too many parts: put them into a text and take it apart (`split`, `json.loads`).',
    ),
    (r'string indices must be integers', f'.{_OVER_KEYS}'),
    (
        r"(?:for -: |between instances of )'datetime\.datetime' and 'datetime\.datetime'",
        '. One has a time zone and the other has none: remove it with .replace(tzinfo=None), or give both the same.',
    ),
    (r'indices must be .* float', '. Use `//` to divide.'),
    (r'list indices must be integers', '. It is a list: loop over it, or take one item first.'),
    (r'slice indices must be', '. Use `//` to divide; a class of your own can take a tuple as the key: x[a, b].'),
    (r"'AsyncGenerator' object", '. Write `async for item in f(...)`, or [item async for item in f(...)].'),
    (r"'(?:list|tuple)' object can't be awaited", '. Use it as it is, or await asyncio.gather(*calls).'),
    (r"'(?!coroutine)\w+' object can't be awaited", '. It is a value already: remove the `await`.'),
    (r'NoneType', '. Test for None first.'),
    (r'an awaitable is required', '. Write asyncio.gather(*[f(x) for x in xs]): with `*`, and no `await` inside.'),
    (r'the JSON object must be .*, not (list|dict)', '. It is a {} already: remove json.loads.'),
    (r"can only concatenate str|'(?:str|int|float)' and '(?:str|int|float)'$", f'.{_CONVERTED}'),
    (r"for \+: 'int' and 'dict'", ". Add a value of each dict: sum(row['key'] for row in rows)."),
    (r'expected str instance', ". Convert each item: ', '.join(str(item) for item in items)."),
    (r'out of range$|IndexError: .*empty|m\w+\(\) .* empty$|at least \w+ data point', '. Test the length first.'),
    (r"(?=.*'str').*'datetime\.(date|datetime|time)'", '. Read the text with {}.fromisoformat(...).'),
    (r"'str' and 'datetime\.timedelta'", '. Read the text with datetime.fromisoformat(...).'),
    (r'sort expected at most 0', '. Name the function: items.sort(key=...).'),
    (r'Unknown format code', '. Convert the value first, as in float(value).'),
    (
        r'does not match format|unconverted data|Invalid isoformat',
        '. datetime.fromisoformat(...) reads ISO texts, strptime others.',
    ),
    (r"'async for' requires", '. Write `for`, without `async`.'),
    (r'invalid literal for int|could not convert string', '. Look at the text first.'),
    (r'property name enclosed in double', '. If the text is that of a dict, use the dict itself, without str(...).'),
    (r'Result is not set', '. Await the task first.'),
    (r'not JSON serializable', '. Write json.dumps(value, default=str).'),
    (r"'\w*(?:Error|Exception)' object is not", '. A call failed: ask isinstance(result, Exception) first.'),
    (
        r"'\w*(?:Error|Exception)' object has no attribute",
        '. Read its text: str(error). If it is a result, a call failed: ask isinstance(result, Exception) first.',
    ),
    (r"UnboundLocalError: .* '(\w+)'", '. Set it first; `global {}` in the function means the one outside.'),
    (r'ZeroDivisionError', '. Test the divisor first.'),
    (r'values to unpack', ". A dict unpacks to its keys: write row['key']. Test the length of lists first."),
    (r'timezone\(\) argument 1', ". It takes a timedelta: zoneinfo.ZoneInfo('America/Los_Angeles') takes a name."),
    (r'no binding for nonlocal', '. A variable outside of all functions is `global`.'),
    (r'exceptions must derive', '. Write raise ValueError(text).'),
    (r'changed size during iteration', '. Loop over a copy: for item in list(items).'),
    (r'JSONDecodeError', '. The text is not JSON: print its beginning, and take it apart with split or re.'),
    (r'^KeyError: \S+$', '. Print the keys of the dict first, or read it with .get(...).'),
    (r'No time zone found', ". Write the name of a place, such as 'America/Los_Angeles', or 'UTC'."),
    (r'^StopIteration$', '. `next` found nothing: give it a default, as in next(items, None).'),
)
