"""What Python 3.12 added to; the rest of the module is the host's."""

softkwlist = ['_', 'case', 'match']
