"""What is told about a result: explanations, tables for terminals, and files that other programs read."""
