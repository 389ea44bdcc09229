"""Attempts of a hostile snippet: none reaches the host, and the next session runs normally."""

from pathlib import Path

import pytest

from tests.corpus.table import Table, answer
from tests.sandbox.outcomes import completed, failed, run_script
from tests.text_cases import TextCase, text_cases
from toolscript_sandbox import Folder, HostFiles, Limits, Sandbox

SECRET = 'a-secret-of-the-host'
_HERE = Path(__file__).parent
_MADE = Path('/tmp/by-a-snippet').exists

_LIMITS = Limits(max_script_seconds=0.5, max_memory_bytes=50_000_000, max_stdout_bytes=20_000)


async def _is_well() -> bool:
    return completed(await run_script('6 * 7', Table(), answer)).value == 42


@pytest.mark.parametrize('attempt', text_cases(_HERE / 'escapes.txt'), ids=str)
async def test_nothing_of_the_host_is_reachable(
    attempt: TextCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('TOOLSCRIPT_SECRET', SECRET)
    file = tmp_path / 'secret.txt'
    file.write_text(SECRET)
    outcome = failed(await run_script(attempt.given.replace('{file}', str(file)), Table(), answer, limits=_LIMITS))
    assert SECRET not in repr(outcome)
    assert file.read_text() == SECRET
    assert not _MADE()
    assert await _is_well()


@pytest.mark.parametrize('attempt', text_cases(_HERE / 'using_up.txt'), ids=str)
async def test_no_resource_is_used_beyond_its_limit(attempt: TextCase) -> None:
    failed(await run_script(attempt.given, Table(), answer, limits=_LIMITS))
    assert await _is_well()


@pytest.mark.parametrize(
    'request_',
    [
        *(
            '_host__()',
            '_host__(1)',
            '_loop__()',
            '_file__()',
            '_file__(1)',
            "_file__('open')",
            "_file__('touch', '/')",
        ),
        *("_file__('open', '/data/x')", "_file__('open', '/data/x', 5)", "_file__('Path.rename', '/data/x', 5)"),
        "_file__('Path.append_text', '/data/x')",
    ],
)
async def test_a_forged_polyfill_request_is_an_error_of_the_script(request_: str, tmp_path: Path) -> None:
    async def save(state: bytes, ended: object) -> None:
        pass

    # The checker accepts a missing name where its NameError is caught.
    code = f"try:\n    {request_}\nexcept (NameError, TypeError, OSError):\n    print('refused')"
    files = HostFiles({'/data': Folder(tmp_path, writable=True)})
    async with Sandbox.shared().session(files=files) as session:
        outcome = completed(await session.run(code, Table(), answer, checkpoint=save))
    assert outcome.stdout in ('refused\n', '')
