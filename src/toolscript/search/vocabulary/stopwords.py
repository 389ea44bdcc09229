"""Words that say nothing about a tool: grammar, and what people say around a request."""

from __future__ import annotations

_WORDS = """
a able about above after again all also am an and any are as at be because been before being below between both but by
can could currently d did do does doing don during each few for from further get getting give given going good got
great had has have he hello help her here hers hey hi him his hope how i if in interested into is it its just kindly
know let like ll looking m me more most my need no nor not now of ok okay on once one only or other our over own
please provide re s same she should so some such sure t tell than thank thanks that the their them then there these
they this those through to too under until us use used using ve very via want was way we were what when where which
whether while who whom why will with would yes you your
"""

STOP_WORDS = frozenset(_WORDS.split())
