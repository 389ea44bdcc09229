"""`del` of names and items, which Monty lacks. Attributes cannot be deleted."""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.refusals import Refused, refusal

from .transform import Context, Transform
from .tree import Transformer, as_target, is_call_of, quoted


def _needed(analysis: Analysis) -> bool:
    return ast.Delete in analysis.kinds or 'builtins.delattr' in analysis.meant


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Deletions().below(tree)


class _Deletions(Transformer):
    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        self.below(node)
        return [statement for target in node.targets for statement in self._deleted(target, node)]

    def _deleted(self, target: ast.expr, node: ast.Delete) -> list[ast.stmt]:
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return [statement for part in parts for statement in self._deleted(part, node)]
            case ast.Name(id=name):
                # What a handler caught is unbound behind it; the first line fails where nothing is bound.
                return quoted('NAME\ntry: raise KeyError\nexcept KeyError as NAME: pass', node, NAME=name)
            case ast.Subscript(value=value, slice=ast.Slice() as part):
                ends = [end or ast.Constant(None) for end in (part.lower, part.upper, part.step)]
                return quoted(
                    '_deletions__item(X, _natives__slice(*ENDS))', node, X=as_target(value, ast.Load()), ENDS=ends
                )
            case ast.Subscript(value=value, slice=key):
                return quoted('_deletions__item(X, KEY)', node, X=value, KEY=key)
            case _:
                raise Refused([refusal(target, _NO_ATTRIBUTE)])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.below(node)
        if is_call_of(node, 'builtins.delattr'):
            raise Refused([refusal(node, _NO_ATTRIBUTE)])
        return node


_NO_ATTRIBUTE = 'An attribute cannot be deleted here. Set it to None, or keep what comes and goes in a dict.'


DELETIONS = Transform(
    '`del` of names, items and slices', _apply, _needed, probe="d = {'a': 1}\ndel d['a']\nx = 1\ndel x"
)
