"""Where the arguments of calls come from: a static analysis of the scripts that the model wrote.

For each argument of each tool call, it finds the sources whose values may have been used to make the argument. It may
find too many, never too few: it follows aliases, mutation, closures, callbacks, exceptions and objects of the script's
own classes, and assumes that anything else is made of everything. Conditions count only with `strict`: without it, a
copy that compares character by character is not detected.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from toolscript_sandbox.language.syntax import module_of, tree_of, uncollected

from . import library as known
from .callables import Site, Source
from .graph import GraphTooLarge
from .overview import Hidden
from .reader import ScriptReader
from .values import ANYTHING, FILES, MODEL

__all__ = ['ANYTHING', 'FILES', 'MODEL', 'ArgumentSources', 'FlowAnalysis', 'Site', 'Source', 'analyse']

MAX_CHARS = 200_000
"""The maximum total length of the scripts, in characters; longer ones are not analysed."""


@dataclass(frozen=True)
class ArgumentSources:
    """The sources of each argument of a call, as sets."""

    named: dict[str, int] = field(default_factory=dict[str, int])
    """By name, or by position, starting with `'0'`."""
    others: int = 0
    """The sources of arguments that are not in `named`; any argument in `named` may have them, too."""

    def of(self, *names: str) -> int:
        known = [self.named[name] for name in names if name in self.named]
        found = self.others if known else self.others | (ANYTHING if not self.named and not self.others else 0)
        for one in known:
            found |= one
        return found


@dataclass(frozen=True)
class FlowAnalysis:
    """The flows of scripts that share their variables."""

    sources: Sequence[Source] = ()
    shown: Sequence[int] = ()
    """By script, the sources of its result and of its output."""
    is_complete: bool = False
    """Whether the scripts could be analysed. If not, each argument may come from anywhere."""
    why: str = ''
    """Why the scripts could not be analysed."""
    left_out: int = 0
    """The number of scripts before these, which could not be analysed with them."""

    def arguments(self, function: str, line: int | None, script: int) -> ArgumentSources:
        """Return the sources of the arguments of a call of a tool on one line of a script, or on an unknown one."""
        sites = [one for one in self.sources if isinstance(one, Site) and one.name == function]
        here = [one for one in sites if line and one.script == script and one.line <= line <= one.end]
        if not here:
            return ArgumentSources(others=ANYTHING)
        # Calls on lines of earlier scripts, or in functions that builtins call, may be reported with a line of this
        # script.
        possible = [one for one in sites if '*' in one.arguments or (one.script != script and one.in_function)]
        # A function that an unknown earlier script defined may make calls whose lines look like lines of this script.
        is_known = all(isinstance(one, Site) for one in self.sources)
        named, others = dict[str, int](), 0 if is_known else ANYTHING
        for site in (*here, *possible):
            for name, sources in site.arguments.items():
                if name == '*':
                    others |= sources
                else:
                    named[name] = named.get(name, 0) | sources
        return ArgumentSources(named, others)

    def calls(self, function: str, line: int | None, script: int) -> int:
        """Return the sources that a call on this line may be; if the line is unknown, those of all lines."""
        made = [one for one in self.sources if isinstance(one, Site) and one.name == function]
        here = [one for one in made if one.script == script and one.line == line] or made
        return sum(one.bit for one in made if one in here or one.in_function)

    def names(self, sources: int) -> list[Source]:
        return [one for one in self.sources if one.bit & sources]


def analyse(
    scripts: Sequence[str],
    tools: Callable[[str], bool],
    *,
    strict: bool = False,
    earlier: Collection[str] | None = None,
) -> FlowAnalysis:
    """Analyse the scripts of one session, oldest first and without code fences.

    With `strict`, conditions count as sources too. `earlier` has the names of variables that unknown scripts set, if
    there may be unknown scripts.
    """
    if hidden := known.BUILTINS.intersection(earlier or ()):
        return FlowAnalysis(why=f'a variable is named {min(hidden)}')
    if sum(map(len, scripts)) > MAX_CHARS:
        return FlowAnalysis(why='the scripts are too long')
    try:
        # A script that runs again has nodes of its own. The trees of others are those that the type checker uses.
        trees = [(module_of if script in scripts[:place] else tree_of)(script) for place, script in enumerate(scripts)]
        with uncollected():
            return _of(ScriptReader(trees, tools, strict=strict, earlier=earlier))
    except Hidden as error:
        return FlowAnalysis(why=f'the script uses {error}')
    except (SyntaxError, ValueError, RecursionError, MemoryError, GraphTooLarge) as error:
        return FlowAnalysis(why=f'{type(error).__name__}: {error}')


def _of(reader: ScriptReader) -> FlowAnalysis:
    shown, sites = [~node for node in reader.shown], reader.sites.values()
    found = reader.graph.sources([*shown, *(node for site in sites for node in site.arguments.values())])
    for site in sites:
        site.arguments.update({name: found[node] for name, node in site.arguments.items()})
    variables = [Source(bit, name) for name, bit in reader.variables.items()]
    return FlowAnalysis([*sites, *variables], [found[node] for node in shown], True)
