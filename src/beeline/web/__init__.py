"""The trace explorer: one page that shows a result, in a file of its own or served on this machine only."""
