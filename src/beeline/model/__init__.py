"""The intermediate representation: networks of automata, their validation, printing and reference semantics."""
