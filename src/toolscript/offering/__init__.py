"""What a model is offered in a step."""
