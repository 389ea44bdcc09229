"""How tools are found."""

from .mutant import Mutant

_VECTORS = ('tests/toolscript/search/test_search_keywords_vectors.py',)
_SEARCHABLE = ('tests/toolscript/test_searchable_toolset.py',)
_SYNTAX = ('tests/toolscript/search/test_search_query_syntax.py', *_SEARCHABLE)

MUTANTS = [
    Mutant(
        'The keyword tiers are 10, 5, 3 and 2: the third is worth more than the fourth',
        'src/toolscript/search/keywords.py',
        '= 10, 5, 3, 2',
        '= 10, 5, 2, 2',
        _VECTORS,
        sample=True,
    ),
    Mutant(
        'The keyword tiers are 10, 5, 3 and 2: a part of the name counts for five',
        'src/toolscript/search/keywords.py',
        '= 10, 5, 3, 2',
        '= 10, 4, 3, 2',
        _VECTORS,
    ),
    Mutant(
        'select: keeps the order that was asked for',
        'src/toolscript/search/query.py',
        'return list(dict.fromkeys(name for name in names if name))',
        'return sorted({name for name in names if name})',
        (*_VECTORS, *_SYNTAX),
    ),
    Mutant(
        'A word with a plus must match',
        'src/toolscript/search/keywords.py',
        'if all(entry.score(word) for word in required)',
        'if True',
        (*_VECTORS, *_SYNTAX),
    ),
    Mutant(
        'A blank query is answered by asking for one',
        'src/toolscript/search/query.py',
        "raise QueryError('query is required')",
        'return text',
        (*_VECTORS, *_SYNTAX),
    ),
    Mutant(
        'No number of results, or a negative one, means the default',
        'src/toolscript/search/query.py',
        'return limit if limit > 0 else DEFAULT_LIMIT',
        'return max(limit, 1)',
        (*_VECTORS, *_SYNTAX),
    ),
    Mutant(
        'A regular expression runs under a time bound',
        'src/toolscript/search/patterns.py',
        'return pattern.search(text, timeout=TIME_LIMIT) is not None',
        'return pattern.search(text, timeout=6) is not None',
        ('tests/toolscript/search/test_search_regex.py',),
    ),
    Mutant(
        'What was found is read from the content of a result where its metadata is missing',
        'src/toolscript/discovery/discoveries.py',
        'yield from _listed(part.content)',
        'pass',
        _SEARCHABLE,
        sample=True,
    ),
    Mutant(
        'What was found is read from the message history',
        'src/toolscript/discovery/discoveries.py',
        'yield from strings(metadata.get(DISCOVERED_KEY))',
        'pass',
        (*_SEARCHABLE, 'tests/wires/test_histories_between_providers.py'),
    ),
    Mutant(
        'What was found before a compaction is forgotten',
        'src/toolscript/discovery/preloading.py',
        'window = post_compaction_window(messages)',
        'window = list(messages)',
        _SEARCHABLE,
    ),
    Mutant(
        'What tools say beside their results is no prompt of a user',
        'src/toolscript/discovery/users_words.py',
        '(begun or not _answers_calls(message))',
        'True',
        ('tests/toolscript/discovery/test_preloading.py',),
    ),
    Mutant(
        'A signature that was told is not told again',
        'src/toolscript/offering/signed_results.py',
        "if _tells(run_code, info['name']) and info['name'] not in told]",
        "if _tells(run_code, info['name'])]",
        ('tests/toolscript/test_told_once.py',),
    ),
    Mutant(
        "What pydantic-ai's own search found counts",
        'src/toolscript/discovery/discoveries.py',
        "yield from (match['name'] for match in part.discovered_tools)",
        'pass',
        (
            *_SEARCHABLE,
            'tests/wires/test_native_search_on_the_wire.py',
            'tests/wires/test_histories_between_providers.py',
        ),
    ),
    Mutant(
        'A renderer cannot rename a tool',
        'src/toolscript/discovery/search_tool.py',
        "return {**options.tool_renderer(tool_def), 'name': tool_def.name}",
        'return {**options.tool_renderer(tool_def)}',
        _SEARCHABLE,
    ),
]
