"""What cannot be had in a run whose events are ordered, as an engine that replays it asks for."""

from pydantic_ai import UserError

from .run_state import RunState

_BECAUSE = (
    'cannot be used in a run with ordered events, as an engine for durable execution asks for: a replay would find'
)


def refuse_what_is_not_replayed(run: RunState) -> None:
    """Refuse what a replay would find as it is at a later moment.

    Raises:
        UserError: The run has variables of earlier runs, functions from a store, or files.
    """
    if run.lasting is not None:
        raise UserError(
            f'Sessions(...) {_BECAUSE} the variables of a later moment, and take another way. Leave sessions away '
            'there, and let scripts read again what they need.'
        )
    if run.kept is not None and run.kept.shelf.store is not None:
        raise UserError(
            f'Functions(store) {_BECAUSE} the functions of a later moment. Functions(folder=...) can: they come with '
            'the program.'
        )
    if run.host_files is not None:
        raise UserError(
            f'Files(...) {_BECAUSE} files of a later moment, and write again what was written. Leave files away '
            'there, and give scripts tools that read and write, which the engine keeps from running twice.'
        )
