"""Verification by parts: each component alone, with an assumption about the others that is learned.

Cobleigh, Giannakopoulou and Pasareanu, Learning assumptions for compositional verification, TACAS 2003; Pasareanu and
Giannakopoulou, Towards a compositional SPIN, SPIN 2006.
"""
