"""One spelling for words that have several: British and American ones, common slips, forms that no rule makes.

Tools and requests are read alike, so a rule may make no English of a word (`enterprize`), if it joins no two.
"""

from __future__ import annotations

import re

# A rule is tried where a word has its letters.
_RULES = (
    ('is', re.compile(r'([a-z]{3}i)s(e|ed|es|ing|er|ers|able|ation|ations)$'), r'\1z\2'),
    ('ys', re.compile(r'([a-z]{3}y)s(e|ed|es|ing|er|ers|able|ation|ations)$'), r'\1z\2'),
    (
        'our',
        re.compile(r'(col|fav|behavi|neighb|flav|lab|harb|hon|hum|rum|vap|arm|endeav|tum|rig|vig|sav|od)our(?!se|n)'),
        r'\1or',
    ),
    ('re', re.compile(r'((?:^|[a-z])(?:cent|theat|met|lit|fib))re([sd]?)$'), r'\1er\2'),
    ('logue', re.compile(r'([a-z]log)ue([sd]?)$'), r'\1\2'),
    ('fence', re.compile(r'^(def|off)ence([sd]?)$'), r'\1ense\2'),
    ('licence', re.compile(r'^licence([sd]?)$'), r'license\1'),
    ('ll', re.compile(r'([a-z]{4}l)l(ed|ing|ers?|ment|)$'), r'\1\2'),
    ('ae', re.compile(r'([a-z])ae(?=[dmcts][a-z]{3})'), r'\1e'),
)

_FORMS = """
gray grey
program programme programmes
tire tyre tyres
inquiry enquiry enquiries
artifact artefact artefacts
sulfur sulphur
aluminum aluminium
airplane aeroplane aeroplanes
jewelry jewellery
judgment judgement
aging ageing
practice practise practised practising
maneuver manoeuvre
mom mum
math maths
mold mould
plow plough
pajamas pyjamas
skeptical sceptical
calendar calender calandar
receive recieve recieved
separate seperate
address adress adresses
environment enviroment
government goverment
successful succesful successfull
accommodation accomodation accomodations
committee commitee comittee
language langauge
definition defination
weather wheather
temperature temprature temperture
restaurant restaraunt resturant restaurent
necessary neccessary necesary
business buisness
message mesage messege
schedule shedule
retrieve retreive retrive
existing exisiting
available availible avaliable
description discription
recommend recomend reccomend
recommendation recomendation reccomendation
send sent
build built
write wrote written
give gave given
buy bought
sell sold
pay paid
choose chose chosen
draw drew drawn
speak spoke spoken
sing sang sung
spend spent
take took taken
make made
run ran
tell told
teach taught
child children
person people persons
man men
woman women
mouse mice
foot feet
tooth teeth
index indices
matrix matrices
vertex vertices
appendix appendices
leaf leaves
shelf shelves
wife wives
life lives
"""
_SPELLED = {form: right for right, *forms in map(str.split, _FORMS.strip().splitlines()) for form in forms}


def spelled(word: str) -> str:
    """`word`, in lower case, in the spelling under which it is indexed."""
    if (known := _SPELLED.get(word)) is not None:
        return known
    for letters, rule, spelling in _RULES:
        if letters in word:
            word = rule.sub(spelling, word)
    return word
