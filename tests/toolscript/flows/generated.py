"""Programs that move values in every way that the analysis must follow, from a seed.

`grammar.txt` has the templates of texts, statements and conditions: `<t>` is another text, `<s>`, `<l>`, `<d>`, `<o>` and
`<f>` are variables with a text, a list, a dict, an object and a function.
"""

import random
import re
from pathlib import Path

_HEAD = Path(__file__).with_name('generated.txt').read_text()


def _grammar() -> dict[str, list[str]]:
    rules = dict[str, list[str]]()
    for part in Path(__file__).with_name('grammar.txt').read_text().split('# ')[1:]:
        kind, *templates = part.splitlines()
        rules[kind] = [template.replace('\\n', '\n') for template in templates]
    return rules


_RULES = _grammar()


class _Writer:
    def __init__(self, seed: int, *, strict: bool) -> None:
        self.random = random.Random(seed)
        self.strict = strict
        self.depth = 0

    def write(self, kind: str, indent: str = '', test: str = '') -> str:
        """Return one of the templates of a kind, filled in."""

        def value(found: re.Match[str]) -> str:
            match found[1]:
                case 't':
                    return self.text() if self.depth < 4 else self.var('s')
                case 'indent':
                    return indent
                case 'body':
                    return self.statement(indent + '    ')
                case 'test':
                    return test
                case variable:
                    return self.var(variable)

        return re.sub(r'<(\w+)>', value, self.random.choice(_RULES[kind]))

    def var(self, kind: str) -> str:
        return f'{kind}{self.random.randrange(2)}'

    def text(self) -> str:
        """Return an expression that evaluates to a string."""
        self.depth += 1
        found = self.write('text')
        self.depth -= 1
        # Values that double with each statement would fill the memory.
        return found if self.depth else f'({found})[:99]'

    def statement(self, indent: str = '') -> str:
        if self.strict and self.random.randrange(3) == 0:
            test = f"'q' in {self.text()}" if self.random.randrange(2) else f'len({self.text()}) % 2 == 0'
            return self.write('condition', indent, test)
        return indent + self.write('statement', indent)


def program(seed: int, *, strict: bool = False) -> list[str]:
    writer = _Writer(seed, strict=strict)
    scripts = list[str]()
    for number in range(writer.random.choice((1, 1, 1, 2))):
        lines = [_HEAD] if number == 0 else []
        for _ in range(writer.random.randrange(5, 14)):
            lines += [writer.statement(), 'del l0[5:], l1[5:]']
            if writer.random.randrange(2) == 0:
                lines.append(f'send({writer.var(writer.random.choice("slldo"))}, to={writer.text()})')
        lines.append('send(s0, a=s1, b=l0, c=l1, d=d0, e=d1, f=o0, g=o1, h=kept)')
        scripts.append('\n'.join(lines) + '\n')
    return scripts
