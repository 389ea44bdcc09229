"""Why a server cannot be reached, for who has to do something about it."""

from __future__ import annotations

from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolscript.cli.target import Source
    from toolscript.mcp.client_config import ServerConfig

_LOG_LINES = 5
_TOKEN_CODES = frozenset({401, 403})


def log_of(logs: Path, name: str) -> Path:
    """Where a server's standard error goes."""
    return logs / f'{name.replace("/", "_")}.log'


def why(error: BaseException, source: Source, logs: Path | None = None) -> str:
    """What to do about a server that does not connect, with the last lines that it wrote."""
    if source.config is None:
        return _told(error)
    said = _of_program(error, source.config) if source.config.command else _of_url(error, source.config)
    wrote = _last_lines(log_of(logs, source.name)) if logs is not None else ''
    return f'{said} It wrote:\n{wrote}' if wrote else said


def _of_program(error: BaseException, config: ServerConfig) -> str:
    if not Path(config.command).exists() and which(config.command, path=config.env.get('PATH')) is None:
        return f'there is no program {config.command!r}; install it, or write its full path.'
    if config.cwd and not Path(config.cwd).is_dir():
        return f'there is no folder {config.cwd!r}, its "cwd".'
    if isinstance(_root(error), TimeoutError):
        return f'{config.command!r} does not answer; start it by hand to see why.'
    return f'{config.command!r} ended, or does not speak MCP: {_told(error)}'


def _of_url(error: BaseException, config: ServerConfig) -> str:
    root = _root(error)
    code = getattr(getattr(root, 'response', None), 'status_code', None)
    if code in _TOKEN_CODES:
        return f'it refuses with {code}; put a valid token into its "headers".'
    if code is not None:
        return f'it answers {code}; look whether "url" and "type" are right.'
    return f'it cannot be reached ({_told(error)}); look whether it runs, and whether "url" is right.'


def _root(error: BaseException) -> BaseException:
    """What a chain or a group of exceptions began with."""
    inner: BaseException | None = error
    while inner is not None:
        error = inner
        inner = next(iter(_grouped(error)), error.__cause__)
    return error


def _grouped(error: BaseException) -> tuple[BaseException, ...]:
    return getattr(error, 'exceptions', ())


def _told(error: BaseException) -> str:
    root = _root(error)
    return f'{type(root).__name__}: {root}' if str(root) else type(root).__name__


def _last_lines(file: Path) -> str:
    try:
        lines = file.read_text('utf-8', 'replace').splitlines()
    except OSError:
        return ''
    return '\n'.join(f'    {line[:200]}' for line in lines[-_LOG_LINES:])
