"""Tests of implementations, generated from models: do they only what the model allows (ioco)?

Tretmans, Test generation with inputs, outputs and repetitive quiescence, 1996; Jard and Jeron, TGV, STTT 2005; Joubert
and Mateescu, Distributed on-the-fly model checking and test case generation, SPIN 2006.
"""
