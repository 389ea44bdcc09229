"""`messages.txt` has every message of the product, so that a change shows its words."""

from tests.messages import LIST, all_messages, messages


def test_the_list_has_every_message() -> None:
    assert all_messages() == LIST.read_text(), 'run `make messages`, and read what changed'


def test_messages_are_found_where_they_are_raised() -> None:
    source = """
def check(name, most):
    if most:
        raise TooMany(f'{name} holds {most} files; ' + ('remove some' if most < 9 else 'use two folders'))
    text = 'The file is gone.'
    logger.warning(text, extra=most)
    warnings.warn('An old name.', OldName)
    print('no message of ours')
    return ModelRetry(message=f'Call {name}\\nagain.')
"""
    assert messages(source) == [
        '{name} holds {most} files; remove some',
        '{name} holds {most} files; use two folders',
        'The file is gone.',
        'An old name.',
        'Call {name}\\nagain.',
    ]
