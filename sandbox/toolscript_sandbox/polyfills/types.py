"""Types that have no name elsewhere."""

NoneType = type(None)
