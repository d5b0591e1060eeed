"""UPPAAL's timed automata: XML and text models, query files, and their meaning as a Network."""
