"""For the site: pages and files of the repository outside `docs` that its pages link to, and `llms.txt`."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r'(\]\()([^)#:\s]+)((?:#[^)]*)?\))')
_ELSEWHERE = 'project'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Every file of the repository that some page links to is a file of the site."""
    waiting = [f'docs/{file.src_uri}' for file in files.documentation_pages()]
    waiting += ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
    seen = set[str]()
    while waiting:
        path = waiting.pop()
        if path in seen or not (ROOT / path).is_file():
            continue
        seen.add(path)
        text = (ROOT / path).read_text() if path.endswith('.md') else None
        if not path.startswith('docs/'):
            content = (ROOT / path).read_bytes() if text is None else text
            files.append(File.generated(config, _on_site(path), content=content))
        waiting += [] if text is None else [_target(path, link[2]) for link in _LINK.finditer(text)]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links lead to where the files are on the site."""
    here = page.file.src_uri
    path = here.removeprefix(f'{_ELSEWHERE}/') if here.startswith(f'{_ELSEWHERE}/') else f'docs/{here}'

    def moved(link: re.Match[str]) -> str:
        target = _target(path, link[2])
        if not (ROOT / target).is_file():
            return link[0]
        return link[1] + posixpath.relpath(_on_site(target), posixpath.dirname(here) or '.') + link[3]

    return _LINK.sub(moved, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """In tables a bar is written `\\|`, which Markdown leaves as it is where it is in code."""
    return re.sub(r'<td.*?</td>', lambda cell: cell[0].replace('\\|', '|'), html, flags=re.DOTALL)


def on_post_build(config: MkDocsConfig) -> None:
    """`llms.txt` names the pages, as the convention of that name has it; `llms-full.txt` holds them."""
    pages = sorted((ROOT / 'docs').glob('*.md'), key=lambda page: (page.name != 'index.md', page.name))
    texts = {page: page.read_text() for page in pages}
    lines = [f'- [{_title(text)}]({page.stem}.html): {_first_sentence(text)}' for page, text in texts.items()]
    site = Path(config.site_dir)
    (site / 'llms.txt').write_text(
        '\n'.join([f'# {config.site_name}', '', f'> {config.site_description}', '', *lines, ''])
    )
    (site / 'llms-full.txt').write_text('\n\n'.join(texts.values()))


def _target(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _on_site(path: str) -> str:
    return path.removeprefix('docs/') if path.startswith('docs/') else f'{_ELSEWHERE}/{path}'


def _title(text: str) -> str:
    return text.partition('\n')[0].lstrip('# ')


def _first_sentence(text: str) -> str:
    prose = re.sub(r'^```.*?^```', '', text, flags=re.MULTILINE | re.DOTALL)
    paragraph = next(
        ' '.join(each.split()) for each in prose.split('\n\n')[1:] if each.strip() and each.strip()[0] not in '#|!'
    )
    return re.split(r'(?<=\.)\s', paragraph)[0]
