"""What was measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from contextlib import suppress
from pathlib import Path

from benchmarks.costs.players import ROOT


def machine() -> str:
    """The processor, how many of them, the system, and how busy all of it is by now."""
    system = f'{platform.system()} {platform.release().split("-")[0]}'
    return f'{_processor()}, {os.cpu_count()} cores, {_memory()}{system}, load {os.getloadavg()[0]:.1f} when it began'


def commit() -> str:
    """The commit that is checked out, with a + where files differ from it; empty outside of a repository."""
    try:
        found = _git('rev-parse', '--short', 'HEAD')
        return f'{found}+' if _git('status', '--porcelain', '--untracked-files=no') else found
    except (OSError, subprocess.CalledProcessError):
        return ''


def _git(*arguments: str) -> str:
    return subprocess.run(['git', *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    with suppress(OSError):
        for line in Path('/proc/cpuinfo').read_text().splitlines():
            if line.startswith('model name'):
                return line.partition(':')[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    with suppress(OSError, ValueError):
        return f'{os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30:.0f} GiB, '
    return ''
