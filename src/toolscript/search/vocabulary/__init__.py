"""What words are and mean, whoever says them."""
