"""Pure functions of CPython's library for scripts, in processes without environment, files or network."""

from .client import HostLibrary
from .errors import HostLibraryError, HostLimitExceeded, HostRefused

__all__ = ['HostLibrary', 'HostLibraryError', 'HostLimitExceeded', 'HostRefused']
