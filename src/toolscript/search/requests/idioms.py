"""Everyday phrases whose words say little one by one, with words that tools say for them."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from toolscript.search.vocabulary.words import words

# A phrase, and after the sign what is searched for beside it. `…` stands for up to three words between, `the` for every
# word that says a noun follows, so that what is before it is a verb.
_IDIOMS = """
get rid of = delete remove
throw … away = delete
take away = remove
log … in = login authenticate
logged in = login session
sign in = login authenticate
signed in = login session
sign up = register signup
log out = logout
who am i = current user profile
who is logged in = current user
look … up = lookup search
find out = search get
look for = search
hunt for = search
keep an eye on = monitor watch
keep track of = track monitor
let … know = notify send message
get in touch = contact message
write to = send message
email it = send email
mail it = send email
email them = send email
email him = send email
email her = send email
email me = send email
reach out = send message
drop … a line = send email
call … back = call phone
set up = create configure
turn on = on enable control
turn off = off disable control
switch on = on enable control
switch off = off disable control
shut down = shutdown stop
put together = create merge
put … together = merge combine
make up = generate
come up with = generate
write down = note create
jot down = note create
tick off = complete
cross off = complete
check off = complete
to do = todo task
to-do = todo task
bring up to date = update
roll back = rollback revert
undo = revert
back up = backup
copy of = copy duplicate
turn … into = convert
change … into = convert
make … smaller = resize compress
make … bigger = resize
make … shorter = shorten trim
clean up = cleanup
free up = cleanup
tear down = delete destroy
take down = remove
spin up = create start
kick off = start trigger
fire off = send
hook up = connect
hand over = transfer assign
fill out = fill form
fill in = fill
as done = complete
as finished = complete
call off = cancel
push back = reschedule
put off = reschedule
top up = deposit
cash out = withdraw
work out = calculate
figure out = find
take a note = create note
make a note = create note
who wrote = author
who made = author
is … valid = validate verify
is … down = status health uptime
who owns … domain = whois
owner of … domain = whois
on my schedule = calendar events
on my calendar = calendar events
side effects = adverse
add up = sum
take a picture = screenshot photo capture
take a photo = photo capture
picture of the page = screenshot
read out = speech
read … aloud = speech
out loud = speech voice
say … aloud = speech
speech into text = transcribe
recording into text = transcribe
voice into text = transcribe
audio into text = transcribe
on foot = walking directions
by car = driving directions
by bike = cycling directions
by train = train
how do i get to = directions route
how do i get from = directions route
how to get to = directions route
how to get from = directions route
get from = route
way to get = route directions
how far = distance
how long does it take = duration travel time
how long … drive = directions duration
how long … trip = directions duration
how long … walk = directions duration
how old = age
how tall = height
how much is = price
how much does = price cost
dollars … euros = convert currency
euros … dollars = convert currency
dollars … pounds = convert currency
pounds … dollars = convert currency
euros … pounds = convert currency
pounds … euros = convert currency
how much do = price cost
how much money = balance amount
how hot = temperature weather
how cold = temperature weather
how warm = temperature weather
is it raining = weather
will it rain = weather forecast
going to rain = weather forecast
what time = time
what day = date
what's on = events
where is = location
where am i = current location
near me = nearby
close to me = nearby
around here = nearby
money back = refund
give back = return refund
pay back = refund
worth in = convert exchange rate
meaning of = definition dictionary
what does … mean = definition dictionary
word for = synonym translate
in other words = paraphrase
say in = translate
opposite of = antonym
place to stay = hotel accommodation
places to stay = hotel accommodation
somewhere to stay = hotel accommodation
place to eat = restaurant
places to eat = restaurant
somewhere to eat = restaurant
what to cook = recipe
things to do = attractions activities
things to see = attractions
zip code = postal code
am i free = availability freebusy
are you free = availability freebusy
we free = availability freebusy
anybody free = availability freebusy
anyone free = availability freebusy
everybody free = availability freebusy
everyone free = availability freebusy
is free on = availability freebusy
who is free = availability freebusy
who is busy = availability freebusy
am i busy = availability freebusy
free time = availability freebusy
free slot = availability slots
gap in = availability
gaps in = availability
day off = leave vacation
days off = leave vacation
time off = leave vacation
open ports = port scan
web address = url link
went wrong = error logs
go wrong = error
fall over = crash error
put … into = add create
put … in = add create
put … on = add create
trash the = delete remove
bin the = delete remove
scrap the = delete remove
nuke the = delete remove
chuck the = delete remove
ditch the = delete remove
text me = send sms
text him = send sms
text her = send sms
text them = send sms
text the = send sms
mail the = send email
phone the = call phone
ping the = ping host
ship the = deploy release
bump the = increase update
organize files = move file sort
organise files = move file sort
organize the = sort move
organise the = sort move
rotate … key = regenerate refresh
rotate … token = regenerate refresh
rotate … secret = regenerate refresh
rotate … password = reset password
stop getting = unsubscribe
stop receiving = unsubscribe
out of date = outdated update latest version
up to date = latest version update
percent of = percentage calculate
how busy = traffic congestion
how many people = population
people live in = population
how many = count number
how often = frequency count
sun set = sunset sunrise
sun sets = sunset sunrise
sun go down = sunset sunrise
sun rise = sunrise sunset
sun rises = sunrise sunset
sun come up = sunrise sunset
are firing = active firing
is it safe to = safety risk
"""


_THE = r'(?:the|an?|this|that|these|those|all|my|your|his|her|its|our|their)\b'


def _pattern(phrase: str) -> re.Pattern[str]:
    spaced = r'\s+'.join(map(_part, phrase.split()))
    return re.compile(spaced.replace(r'{0,3}?\s+', '{0,3}?'), re.IGNORECASE)


def _part(word: str) -> str:
    if word == '…':
        return r'(?:\S*[^\s.!?;]\s+){0,3}?'
    return _THE if word == 'the' else rf'{re.escape(word)}\b'


@cache
def _by_first_word() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    found: defaultdict[str, list[tuple[re.Pattern[str], str]]] = defaultdict(list)
    for line in _IDIOMS.strip().splitlines():
        phrase, _, meant = line.partition(' = ')
        found[words(phrase)[0]].append((_pattern(phrase), meant))
    return found


_WORD = re.compile(r'\w+')


def spelled_out(request: str) -> str:
    """`request`, with what its phrases mean behind them, but for words that it says itself."""
    idioms = _by_first_word()
    said = [(word.start(), word[0].casefold()) for word in _WORD.finditer(request)]
    known = {word for _, word in said}
    parts: list[str] = []
    done = 0
    for start, word in said:
        for pattern, meant in idioms.get(word, ()):
            if found := pattern.match(request, start):
                unsaid = ' '.join(other for other in meant.split() if other not in known)
                parts += [request[done : found.end()], ' ', unsaid]
                done = max(done, found.end())
    return ''.join([*parts, request[done:]]) if parts else request
