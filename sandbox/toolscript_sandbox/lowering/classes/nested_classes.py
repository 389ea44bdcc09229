"""Classes that stand in classes, which Monty lacks: they are written before the outer one, which keeps them by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source, line_of
from toolscript_sandbox.text.syntax import all_of, index_of, walk


def unnested(program: Program) -> Program:
    """The snippet with its inner classes before their outer ones, from the inside out."""
    for _ in range(_DEEPEST):
        outer = [
            node for node in all_of(program.tree, ast.ClassDef) if any(_inner(node)) and not _is_inner(node, program)
        ]
        if not outer:
            return program
        edited = program.edited([edit for node in outer for edit in _edits(node, program.source, program.scene)])
        if edited is program:
            raise Refused([refusal(next(_inner(outer[0])), f'Write this class before {outer[0].name}.')])
        program = edited
    return program


PLACE = 'class.place '
"""Among the kin of a session, before the name of a class: its `__qualname__`, where that is another one."""
_DEEPEST = 5


def _inner(node: ast.ClassDef) -> Iterator[ast.ClassDef]:
    return (part for part in node.body if isinstance(part, ast.ClassDef))


def _is_inner(node: ast.ClassDef, program: Program) -> bool:
    return isinstance(index_of(program.tree).parents.get(node), ast.ClassDef)


def _edits(node: ast.ClassDef, source: Source, scene: Scene) -> Iterator[Edit]:
    head = node.decorator_list[0] if node.decorator_list else node
    start = source.start(head) - (1 if node.decorator_list else 0)
    lines = ['pass']
    for inner in _inner(node):
        _refuse_what_shows(inner, node, source)
        scene.kin[f'{PLACE}{inner.name}'] = (f'{_place(node, scene)}.{inner.name}',)
        first = inner.decorator_list[0].lineno if inner.decorator_list else inner.lineno
        last = inner.end_lineno or first
        texts = source.text.split('\n')[first - 1 : last]
        lines += [f'{line_of(source.number(first + n))}{_moved(line, inner, node)}' for n, line in enumerate(texts)]
        alias = f'_{node.name}_{inner.name}'
        lines.append(f'{NEW_LINE}{" " * node.col_offset}{alias} = {inner.name}')
        begin = source.start(inner.decorator_list[0]) - 1 if inner.decorator_list else source.start(inner)
        yield Edit(begin, source.end(inner), f'{inner.name} = {alias}')
    yield Edit(start, start, f'{"".join(lines)}{line_of(source.number(head.lineno))}{" " * node.col_offset}')


def _place(node: ast.ClassDef, scene: Scene) -> str:
    return scene.kin.get(f'{PLACE}{node.name}', (node.name,))[0]


def _moved(line: str, inner: ast.ClassDef, node: ast.ClassDef) -> str:
    further = inner.col_offset - node.col_offset
    return line[further:] if line[:further].isspace() else line.lstrip()


def _refuse_what_shows(inner: ast.ClassDef, node: ast.ClassDef, source: Source) -> None:
    """Refuses what would show where the class was written."""
    if inner.lineno == node.lineno or source.text[: source.start(inner)].rpartition('\n')[2].strip():
        raise Refused([refusal(inner, f'Write {inner.name} on lines of its own.')])
    for part in walk(inner):
        is_long = isinstance(part, (ast.Constant, ast.JoinedStr)) and (part.end_lineno or 0) > part.lineno
        if is_long:
            raise Refused(
                [refusal(inner, f'A long text cannot stand in a class in a class here. Write it before {node.name}.')]
            )
    at_once = {part for one in node.body if not isinstance(one, _LATER) for part in walk(one)}
    for name in all_of(source.tree, ast.Name):
        if name.id == inner.name and name not in at_once:
            raise Refused([refusal(name, f'Write {node.name}.{inner.name} here, or give one of them another name.')])
    classes = [one for one in all_of(source.tree, ast.ClassDef) if one.name == inner.name]
    if len(classes) > 1:
        raise Refused([refusal(inner, f'{inner.name} stands in several places. Give each its own name.')])


_LATER = (ast.FunctionDef, ast.AsyncFunctionDef)
"""What in a class is computed when its other names are gone."""
