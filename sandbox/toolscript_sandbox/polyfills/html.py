"""`html.escape`, which scripts call where they cannot wait for the host."""


def escape(s, quote=True):
    s = s.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    return s.replace('"', '&quot;').replace("'", '&#x27;') if quote else s
