"""Words that say nothing about a tool: grammar, and what people say around a request."""

from __future__ import annotations

_WORDS = """
a about above after again all also am an and any are as at be because been before being below between both but by can
could d did do does doing don down during each few for from further get give given good great had has have he help her
here hers him his how i if in interested into is it its just know let like ll looking m me more most my need no nor not
now of off on once one only or other our out over own please provide re s same she should so some such t tell than that
the their them then there these they this those through to too under until up us use used using ve very via want was
way we were what when where which while who whom why will with would you your
"""

STOP_WORDS = frozenset(_WORDS.split())
