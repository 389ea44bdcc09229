"""Values that Monty would compare, order, change or show otherwise than Python does."""
