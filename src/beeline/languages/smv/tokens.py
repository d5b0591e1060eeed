"""Words of SMV."""

from __future__ import annotations

import re

from beeline.model.reading import Words

NAME, NUMBER = "name", "number"

# A name may have a `-` inside, as in NuSMV: `x-1` is one, `x - 1` is a difference.
_PATTERN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f\v]+|/--.*?--/|--[^\n]*)
  | (?P<name>[A-Za-z_](?:[A-Za-z0-9_$\#]|-(?=[A-Za-z0-9_$\#]))*)
  | (?P<word>0[us]?[bBoOdDhH][0-9]*_[0-9A-Fa-f_]+)
  | (?P<number>[0-9]+)
  | (?P<symbol>:=|<->|->|!=|<=|>=|\.\.|<<|>>|::|[-+*/|&<>=!?:;,.(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)

WORDS = Words(
    _PATTERN,
    unclosed={"/--": ("comment", "--/")},
    refused={"word": ("words are not supported", "use a range of integers, such as 0..255")},
)
