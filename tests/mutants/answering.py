"""The output of a run, given by a script."""

from .mutant import Mutant

_ANSWERS = ('tests/toolscript/output/test_answers_from_code.py',)
_WAITS = ('tests/toolscript/output/test_answers_that_wait.py',)
_OTHERS = ('tests/toolscript/output/test_answers_from_code.py',)
_GIVEN = 'src/toolscript/scripts/routes.py'
_SCRIPT = 'src/toolscript/scripts/script.py'
_FROM_CODE = 'src/toolscript/run_code/code_output.py'

MUTANTS = [
    Mutant(
        'Of two answers the first counts',
        _GIVEN,
        'if state.output is not None or self.elsewhere:',
        'if self.elsewhere:',
        _ANSWERS,
    ),
    Mutant(
        'Of the answers of two scripts in a turn the first counts',
        _GIVEN,
        'if state.output is not None or self.elsewhere:',
        'if state.output is not None:',
        _ANSWERS,
    ),
    Mutant(
        'The answer of a script that fails behind it is not taken',
        'src/toolscript/scripts/feedback.py',
        '[] if self.script.state.output is None else [NOT_GIVEN]',
        '[]',
        _ANSWERS,
    ),
    Mutant(
        'What does not fit as an answer is refused in the script',
        _GIVEN,
        'tool.args_validator.validate_json(content, context=self.script.ctx.validation_context)',
        'pass',
        ('tests/toolscript/output/test_every_output_type.py',),
    ),
    Mutant(
        'An answer that was given before a pause comes out behind it',
        'src/toolscript/durability/script_state.py',
        'return _json.dump(self if self.waits',
        'return _json.dump(replace(self, output=None) if self.waits',
        _WAITS,
    ),
    Mutant(
        'A script that goes on elsewhere knows the function of its output',
        _SCRIPT,
        'with_output_schema(self.functions, state.output_schema)',
        'with_output_schema(self.functions, None)',
        _WAITS,
    ),
    Mutant(
        'A prompt that no model has read is read before a run ends with an answer',
        _FROM_CODE,
        'return ctx.prompt is not None and ctx.prompt in prompts',
        'return False and ctx.prompt in prompts',
        _WAITS,
    ),
    Mutant(
        'What tools hand to the model keeps no run going',
        _FROM_CODE,
        'return ctx.prompt is not None and ctx.prompt in prompts',
        'return bool(prompts)',
        _ANSWERS,
    ),
    Mutant(
        'No result of a tool passes for the answer of a script',
        'src/toolscript/results/final_answer.py',
        'isinstance(part, ToolReturnPart) and part.tool_name in run_codes',
        'isinstance(part, ToolReturnPart)',
        _OTHERS,
    ),
    Mutant(
        'A tool with the name of a function that gives the output is an error',
        'src/toolscript/run_code/code_output.py',
        'if any(name in names for names in taken):',
        'if not name:',
        _ANSWERS,
    ),
    Mutant(
        'The functions that give the output are on show however small the catalog is',
        'src/toolscript/code_mode_toolset.py',
        'beside = (*answers, *(',
        'beside = (*(), *(',
        _ANSWERS,
    ),
]
