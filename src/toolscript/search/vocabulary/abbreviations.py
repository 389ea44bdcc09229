"""Other words for a word that mean just the same: short forms that developers write, and everyday names of a thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from .terms import terms

# A short form, and after it the words it stands for; each finds the other, but two words only together.
_SHORT_FORMS = """
repo repository
msg message
config configuration
cfg configuration
conf configuration
pr pull request
mr merge request
dm direct message
k8s kubernetes
kube kubernetes
db database
img image
pic picture
vid video
del delete
rm remove
rmdir remove directory
mv move
cp copy
ls list
mkdir create directory
grep search
upd update
dir directory
auth authentication
info information
doc document
docs documentation
param parameter
arg argument
env environment
pkg package
calc calculate
gen generate
avg average
num number
acct account
addr address
org organization
admin administrator
app application
stats statistics
tx transaction
txn transaction
lang language
desc description
btn button
tel telephone
fs file system
cert certificate
pwd password
passwd password
cmd command
exec execute
perf performance
var variable
vm virtual machine
js javascript
ts typescript
py python
yt youtube
gh github
gdrive google drive
gcal google calendar
gsheet google sheet
tz timezone
temp temperature
sync synchronize
async asynchronous
spec specification
init initialize
dev development
prod production
perms permissions
attr attribute
func function
notif notification
convo conversation
fav favorite
cal calendar
appt appointment
ns namespace
svc service
qty quantity
amt amount
dept department
mgr manager
mtg meeting
cv resume
postcode postal code
zipcode postal code
ocr text recognition
tts text speech
"""

# Of these, each finds each other: two names of one thing, not two things that are near.
_SAME_THINGS = """
website site
webpage page
folder directory
picture image photo
inbox mail email
movie film
diary calendar
timetable schedule
petrol gasoline fuel
lorry truck
railway railroad
pharmacy chemist drugstore
solicitor lawyer attorney
parcel shipment
football soccer
rubbish trash
"""


@cache
def written_out() -> dict[str, tuple[str, ...]]:
    """For each term the terms of its other form; for a word all its short forms."""
    table: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for short, words in _short_forms():
        table[short] |= dict.fromkeys(words)
        if len(words) == 1:
            table[words[0]][short] = None
    for line in _SAME_THINGS.strip().splitlines():
        names = terms(line)
        for name in names:
            table[name] |= dict.fromkeys(other for other in names if other != name)
    return {term: tuple(others) for term, others in table.items()}


@cache
def shortened_pairs() -> dict[tuple[str, str], tuple[str, ...]]:
    """For the terms of two words that have a short form together: `virtual machine` is `vm`."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for short, words in _short_forms():
        if len(words) == 2:
            found[words[0], words[1]].append(short)
    return {pair: tuple(shorts) for pair, shorts in found.items()}


def _short_forms() -> Iterator[tuple[str, list[str]]]:
    """The terms of each short form and of what it stands for; of two letters also the plural, which has no stem."""
    for line in _SHORT_FORMS.strip().splitlines():
        short, *words = terms(line)[-len(line.split()) :]
        yield short, words
        if len(short) == 2:
            yield f'{short}s', words
