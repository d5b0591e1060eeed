"""The tables and pictures of docs/abstractions.md."""
