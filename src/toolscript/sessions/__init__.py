"""Variables that live on in the next run."""
