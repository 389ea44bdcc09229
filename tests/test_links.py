"""Links between the pages of the repository resolve, and other links are addresses."""

import re
from pathlib import Path
from urllib.parse import urlsplit

_REPOSITORY = Path(__file__).parent.parent
_PAGES = [
    *_REPOSITORY.glob('*.md'),
    *_REPOSITORY.glob('docs/**/*.md'),
    *_REPOSITORY.glob('examples/**/*.md'),
    *_REPOSITORY.glob('benchmarks/*.md'),
]
_CODE = re.compile(r'^ *```.*?^ *```', re.MULTILINE | re.DOTALL)


def test_every_link_resolves() -> None:
    links = [(page, link) for page in _PAGES for link in _links(page)]
    assert [(page.name, link) for page, link in links if not _leads_somewhere(page, link)] == []


def _links(page: Path) -> list[str]:
    return re.findall(r'\]\(([^)\s]+)\)', re.sub(r'`[^`\n]+`', '', _CODE.sub('', page.read_text())))


def _leads_somewhere(page: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme == 'https' and '.' in parts.netloc and ' ' not in link
    target = (page.parent / parts.path).resolve() if parts.path else page
    return target.exists() and (not parts.fragment or parts.fragment in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """Return the anchors of headings, here and on the site."""
    headings = re.findall(r'^#+ (.*)$', _CODE.sub('', page.read_text()), re.MULTILINE)
    return {re.sub(r'[\s]+', '-', re.sub(r'[^\w\s-]', '', heading.lower()).strip()) for heading in headings}
