"""Stores for the state of scripts beyond the life of the process: implementations and their protocols."""
