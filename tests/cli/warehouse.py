"""Toolsets with unusual tools, or with more tools than a model should see."""

from toolscript import FunctionToolset

many = FunctionToolset[object](id='many')
for _number in range(40):

    def _look(key: str) -> str:
        """Look something up."""
        return key

    many.tool_plain(name=f'look_up_{_number}')(_look)

odd = FunctionToolset[object](id='odd')


def _odd(text: str) -> str:
    return text


odd.tool_plain(name='get-user', description='Gets a\u200b user.')(_odd)
odd.tool_plain(name='get_user', description='long ' * 300)(_odd)
odd.tool_plain(name='n' * 65, metadata={'annotations': {'readOnlyHint': True}})(_odd)
