"""`html.escape`, which scripts call where they cannot wait for the host."""


def escape(s, quote=True):
    for old, new in _ENTITIES[: None if quote else 3]:
        s = s.replace(old, new)
    return s


_ENTITIES = [('&', '&amp;'), ('<', '&lt;'), ('>', '&gt;'), ('"', '&quot;'), ("'", '&#x27;')]
