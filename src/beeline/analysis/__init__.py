"""What can be said about a network without searching it."""
