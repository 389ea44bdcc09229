import subprocess
import sys

import toolscript_signatures


def test_everything_at_the_front_door_is_announced() -> None:
    public = {name for name, value in vars(toolscript_signatures).items() if _is_ours(name, value)}
    assert public == set(toolscript_signatures.__all__)


def _is_ours(name: str, value: object) -> bool:
    return not name.startswith('_') and not isinstance(value, type(sys))


def test_the_package_stands_on_its_own() -> None:
    code = """
import sys, toolscript_signatures
above = {'pydantic_ai', 'pydantic_monty', 'toolscript_sandbox', 'toolscript'}
print(sorted(above & {name.partition('.')[0] for name in sys.modules}))
"""
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert done.stdout == '[]\n'
