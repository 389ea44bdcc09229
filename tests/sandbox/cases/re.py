import re
p = re.compile('a(?P<n>b)', re.I | re.M)
p, p.flags, p.groups, dict(p.groupindex), p.match('xab', 1).span(), p.search('xxab', 1, 4), p.findall('ab AB', 2), isinstance(p, re.Pattern)
# ---
import re
re.sub('a', r'\n', 'a'), re.sub('(a)', '$1${1}', 'a'), re.sub('a', lambda m: m.group().upper(), 'banana', count=2), re.subn('a', 'b', 'aaa', 2)
# ---
import re
re.findall(r'\w', 'é½\u0301'), re.findall(r'\w', 'éa', re.A), re.findall(r'\d+', '٣4'), re.findall(r'(?i)k', 'Kk\u212a'), re.findall(r'\s', 'a\x1cb')
# ---
import re
re.search(r'(?<=a)b', 'ab').span(), re.search(r'(a)\1', 'xaa').span(), re.match(r'(<)?a(?(1)>|$)', '<a>').group(), re.match(r'(a*)*', 'aa').groups()
# ---
from re import findall as every, sub, IGNORECASE
every('a', 'Aa', IGNORECASE), sub(r'(\w)(\w)', r'\2\1', 'abcd')
# ---
import re
re.template('a')  ### There is no re.template here
# ---
import re
print(bool(re.fullmatch(r'(?i)ERROR|warn', 'Warn')),bool(re.fullmatch(r'(?i)ERROR|warn', 'warn')),bool(re.fullmatch(r'(?i)ERROR|warn', 'ERROr')),bool(re.search(r'(?i)ERROR|warn', 'Warn')),bool(re.match(r'(?i)ERROR|warn', 'Warn')))
print(bool(re.fullmatch(r'ERROR|warn', 'Warn', re.I)), re.findall(r'(?i)a|b', 'ABab'), re.sub(r'(?i)(a|b)|c', '-', 'ABC'), re.split(r'(?i)x|y', '1X2Y3'))
# ---
import re
tokens = re.compile(r'(?P<num>\d+(?:\.\d+)?)|(?P<op>[+*/-])|(?P<ws>\s+)')
print([(found.lastgroup, found.group()) for found in tokens.finditer('3.5 + 42*1')])
print(re.findall(r'a*', 'baac'), re.findall(r'\bx?', 'x y'), re.match(r'(a)|(b)', 'b').lastindex, re.search('(?i)ABC', 'xabc').span())
print(re.findall(r'(a|b)+', 'abxb'), re.findall(r'((\w)\d)?', 'a1'), re.sub(r'(?:a|)b?', '-', 'abc'), re.split(r'(?:,|;)+', 'a,;b'))
# ---
import re
re.match('(a)', 'a').expand('1')  ### There is no expand here. Use the groups of the match: match.group(1).
