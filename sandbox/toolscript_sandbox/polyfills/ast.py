"""CPython's own function, on the host."""


def literal_eval(node_or_string): return _host__('ast.literal_eval', node_or_string)
