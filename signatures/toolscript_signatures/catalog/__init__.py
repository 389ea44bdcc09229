"""The functions of many tools, in one text."""
