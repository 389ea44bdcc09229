"""Types that have no name of their own elsewhere."""

NoneType = type(None)
