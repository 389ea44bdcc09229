"""`SimpleNamespace`: its objects show and compare what is stored on them later; the text tells these names."""

from __future__ import annotations

from toolscript_sandbox.lowering.classes.variables import NAMESPACES, STORED, stored_names
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.syntax import index_of


def with_namespaces(program: Program) -> Program:
    """The snippet as it is, with the names that it stores on objects noted for its namespaces."""
    tree, scene = program.tree, program.scene
    if 'SimpleNamespace' in index_of(tree).words:
        scene.kin[NAMESPACES] = ()
    if NAMESPACES in scene.kin:
        names = tuple(dict.fromkeys([*scene.kin.get(STORED, ()), *stored_names(tree)]))
        scene.kin[STORED] = names
        scene.imports.append(f'_namespace_names = {list(names)!r}')
    return program
