"""What Monty's `dataclasses` lacks, as far as it can be had without looking into an object."""

KW_ONLY = None
InitVar = None
