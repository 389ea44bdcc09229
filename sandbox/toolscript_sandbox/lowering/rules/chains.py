"""Rules for `ChainMap`, in scripts that name it.

Monty has none. The guest's is no dict and has no properties, so what asks for either is written where it stands.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, piece
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, named


def chains(node: Node, r: Rewriter) -> str | None:
    """`chain.parents` and `d.update(chain)`, which gets the dict that a chain looks like."""
    if CHAINS not in r.scene.kin:
        return None
    match node:
        case ast.Call(func=ast.Attribute(attr='update') as func, args=[given], keywords=words):
            rest = arguments(ast.Call(func, [], words), r)
            glue = ', ' if rest else ''
            return f'{r.text(func)}({piece(r, "collections", "plain")}({r.text(given)}){glue}{rest})'
        case ast.Attribute(value=value, attr='parents', ctx=ast.Load()):
            return f'{piece(r, "collections", "parents_of")}({r.text(value)})'
        case _:
            return None


CHAINS = 'collections.ChainMap'
"""Stands among the classes of a session that has chains."""
CALLS_OF_CHAINS = (named(chains, 'update'),)
PARENTS_OF_CHAINS = (named(chains, 'parents'),)
