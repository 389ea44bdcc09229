"""Processes of Monty: started, waiting to be used, lent and ended."""
