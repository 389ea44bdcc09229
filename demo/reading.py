"""Python signatures as a model reads them: out of whatever text they stand in."""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

_SIGNATURE = re.compile(r'^(?:async )?def \w+\(.*?\) -> [^\n]*?:', re.DOTALL | re.MULTILINE)
_DOCSTRING = re.compile(r'\s*"""(.*?)"""', re.DOTALL)


@dataclass(frozen=True)
class Function:
    """A function that the text offers."""

    name: str
    parameters: frozenset[str]
    required: frozenset[str]
    text: str
    """What is said of it: the name and the docstring."""

    def takes_just(self, arguments: frozenset[str]) -> bool:
        """Whether a call with these arguments, and no others, is complete."""
        return self.required <= arguments <= self.parameters


@dataclass(frozen=True)
class Need:
    """What some function has to be good for."""

    query: str
    arguments: frozenset[str] = frozenset()

    def met_by(self, functions: Iterable[Function]) -> Function | None:
        """The function that takes the arguments and is said to do what is needed; the best, if there are some."""
        fitting = [each for each in functions if each.takes_just(self.arguments) and self._words_in(each.text)]
        return max(fitting, key=lambda each: self._words_in(each.text), default=None)

    def _words_in(self, text: str) -> int:
        return len(set(_words(self.query)) & set(_words(text)))


def functions_in(text: str) -> list[Function]:
    """All functions whose signatures stand in the text."""
    return [_function(found, text[found.end() :]) for found in _SIGNATURE.finditer(text)]


def _function(found: re.Match[str], rest: str) -> Function:
    (definition,) = ast.parse(found[0] + ' ...').body
    assert isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
    taken = definition.args
    names = [argument.arg for argument in (*taken.posonlyargs, *taken.args)]
    required = names[: len(names) - len(taken.defaults)]
    required += [each.arg for each, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default is None]
    names += [argument.arg for argument in taken.kwonlyargs]
    told = _DOCSTRING.match(rest)
    text = f'{definition.name} {told[1] if told else ""}'
    return Function(definition.name, frozenset(names), frozenset(required), text)


def _words(text: str) -> list[str]:
    return re.findall(r'[a-z]+', text.lower())
