"""Pure functions of CPython's library for scripts, in processes without environment, files or network."""

from .client import HostLibrary, HostLibraryError

__all__ = ['HostLibrary', 'HostLibraryError']
