"""What editors ask while a model is written."""
