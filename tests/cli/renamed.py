"""Agents and a toolset whose code mode has another name."""

from pydantic_ai import Agent
from pydantic_ai.toolsets import CombinedToolset

from tests.cli.shop import in_code_mode
from toolscript import FunctionToolset
from toolscript.testing import script_model

prefixed = Agent(script_model('await orders_of(2)'), toolsets=[in_code_mode.prefixed('shop')])
renamed = Agent(script_model('await orders_of(2)'), toolsets=[in_code_mode.renamed({'python': 'run_code'})])
combined = CombinedToolset([in_code_mode.prefixed('shop'), FunctionToolset[object](id='nothing')])
