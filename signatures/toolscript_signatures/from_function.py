"""A Python function as a signature."""

import inspect
from collections.abc import Callable
from typing import Any

from .docstring_text import docstring
from .from_schema import FunctionSignature
from .identifiers import identifier
from .literals import literal


def signature_from_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    description: str | None = None,
    include_return_type: bool = True,
) -> FunctionSignature:
    """The Python signature of a function, as a model should see it."""
    signature = inspect.signature(func)
    shown = [
        parameter
        for index, parameter in enumerate(signature.parameters.values())
        if index or not _is_context(parameter)
    ]
    parameters = signature.replace(
        parameters=[_shown(parameter) for parameter in shown], return_annotation=inspect.Signature.empty
    )
    arrow = f' -> {_annotation(signature.return_annotation)}' if include_return_type else ''
    word = 'async def' if inspect.iscoroutinefunction(func) else 'def'
    head = f'{word} {identifier(name or func.__name__)}{parameters}{arrow}:'
    told = description if description is not None else inspect.getdoc(func)
    return FunctionSignature(f'{head}\n{docstring(told, indent="    ", block=True)}' if told else f'{head} ...', [])


class _Source:
    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _shown(parameter: inspect.Parameter) -> inspect.Parameter:
    default = parameter.default
    if default is not parameter.empty:
        default = _Source(literal(default) or '...')
    annotation = (
        parameter.annotation if parameter.annotation is parameter.empty else _Source(_annotation(parameter.annotation))
    )
    return parameter.replace(annotation=annotation, default=default)


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return 'Any'
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation).replace('typing.', '')


def _is_context(parameter: inspect.Parameter) -> bool:
    return 'RunContext' in _annotation(parameter.annotation).split('[')[0]
