"""AgentDojo's tasks and injections, played by scripted models with and without data-flow rules."""
