"""The `'ranked'` algorithm: requests answered by what tools say."""
