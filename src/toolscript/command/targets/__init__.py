"""What a command is about: the servers in a client's configuration, or a toolset or an agent of somebody's module."""

from .client_config import ServerConfig, read_client_config
from .connecting import Connected, connected
from .mistakes import Mistake, TargetError
from .servers import server_toolset
from .target import Source, Target, load_target
from .variables import Input

__all__ = [
    'Connected',
    'Input',
    'Mistake',
    'ServerConfig',
    'Source',
    'Target',
    'TargetError',
    'connected',
    'load_target',
    'read_client_config',
    'server_toolset',
]
