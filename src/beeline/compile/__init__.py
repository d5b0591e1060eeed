"""A network made flat: state layout, bytecode and tables for the native engine."""
