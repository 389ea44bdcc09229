"""An inspection as a page that a browser shows without anything else."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from itertools import groupby

from toolscript.cli.inspecting.as_text import WHOLE, discovery_words, first_words
from toolscript.cli.inspecting.inspection import Inspection
from toolscript.cli.inspecting.tool_warnings import HEADINGS, Warned, kind_of
from toolscript.cli.inspecting.weighed import WeighedTool
from toolscript.history import STYLE, render_fragment, transcript_of
from toolscript_signatures import with_visible

_MOST_SIGNATURES = 2_000
"""The heaviest tools show theirs; a page of more is too large to be read."""
_TABLES = """
main{max-width:70rem;margin:0 auto;padding:1rem;font:16px/1.5 system-ui,sans-serif}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #8884;vertical-align:top}
.n{text-align:right}
.scroll{overflow-x:auto}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
:root{color-scheme:light dark}
"""


def inspection_page(inspection: Inspection) -> str:
    """The whole page. It forbids itself scripts and everything from elsewhere."""
    style = f'{STYLE}{_TABLES}'
    digest = b64encode(sha256(style.encode()).digest()).decode()
    title = f'{inspection.target}: what a model is shown'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'sha256-{digest}'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{_visible(title)}</title>\n<style>{style}</style></head>\n<body><main>{"".join(_body(inspection))}'
        '</main></body></html>\n'
    )


def _body(inspection: Inspection) -> Iterator[str]:
    yield f'<h1>{_visible(inspection.target)}</h1>\n'
    yield f'<p>{len(inspection.tools):,} tools. As JSON tools they take {inspection.json_tokens:,} tokens, as '
    yield f'signatures {inspection.signature_tokens:,}. {escape(first_words(inspection))}</p>\n'
    yield f'<h2>Warnings</h2>\n{"".join(_warnings(inspection.warnings)) or "<p>None.</p>"}'
    yield f'<h2>What a discovery costs</h2>\n<pre>{_visible(discovery_words(inspection))}</pre>\n'
    yield f'<h2>What each tool takes</h2>\n{_table(inspection)}'
    yield '<h2>What a model is shown</h2>\n'
    yield render_fragment(transcript_of(inspection.played.messages, bounds=WHOLE))


def _warnings(warnings: tuple[Warned, ...]) -> Iterator[str]:
    for kind, group in groupby(warnings, key=kind_of):
        found = [*group]
        rows = ''.join(f'<li><code>{_visible(each.name)}</code> {_visible(each.text)}</li>' for each in found)
        yield f'<details><summary>{escape(HEADINGS[kind])}: {len(found):,}</summary><ul>{rows}</ul></details>\n'


def _table(inspection: Inspection) -> str:
    heaviest = sorted(inspection.tools, key=lambda tool: -tool.signature_tokens)
    rows = ''.join(_row(inspection, tool, number < _MOST_SIGNATURES) for number, tool in enumerate(heaviest))
    heads = '<th>tool<th>from<th class="n">as JSON<th class="n">as signature<th class="n">defer if needed<th>only reads'
    return f'<div class="scroll"><table><thead><tr>{heads}</thead><tbody>{rows}</tbody></table></div>\n'


def _row(inspection: Inspection, tool: WeighedTool, has_signature: bool) -> str:
    share = inspection.pays_below(tool)
    pays = '' if share is None else f'in &lt; {share:.0%}'
    reads = {True: 'yes', False: 'no', None: '?'}[tool.only_reads]
    name = f'<code>{_visible(tool.name)}</code>'
    if has_signature:
        name = f'<details><summary>{name}</summary><pre>{_visible(tool.signature)}</pre></details>'
    return (
        f'<tr><td>{name}<td>{_visible(tool.source)}<td class="n">{tool.json_tokens:,}'
        f'<td class="n">{tool.signature_tokens:,}<td class="n">{pays}<td>{reads}</tr>\n'
    )


def _visible(text: str) -> str:
    return escape(with_visible(text))
