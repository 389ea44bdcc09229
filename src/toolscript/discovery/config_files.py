"""Reading settings from files."""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


class ConfigError(ValueError):
    """Settings that cannot be used; the message names the file, the field and what is wrong with it."""


def read_settings(path: Path) -> Any:
    """The data in a JSON, TOML or YAML file.

    Raises:
        ConfigError: The file is of another kind, cannot be read, or is malformed.
    """
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise ConfigError(f'{path}: settings are read from {", ".join(sorted(_READERS))} files.')
    try:
        return read(path.read_text('utf-8'))
    except OSError as error:
        raise ConfigError(f'{path}: {error.strerror}') from error
    except ModuleNotFoundError as error:
        raise ConfigError(f"{path}: YAML needs PyYAML; install 'toolscript[yaml]', or use JSON or TOML.") from error
    except ValueError as error:
        raise ConfigError(f'{path}: not valid {_KINDS[path.suffix.lower()]}: {error}') from error


def _yaml(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f' at line {mark.line + 1}, column {mark.column + 1}' if mark else ''
        raise ValueError(f'{error.problem}{where}') from error
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


_READERS: Mapping[str, Callable[[str], Any]] = {
    '.json': json.loads,
    '.toml': tomllib.loads,
    '.yaml': _yaml,
    '.yml': _yaml,
}
_KINDS = {'.json': 'JSON', '.toml': 'TOML', '.yaml': 'YAML', '.yml': 'YAML'}
