import typing
typing.cast(typing.List[int], [1]), typing.cast('list[int]', (2,))
