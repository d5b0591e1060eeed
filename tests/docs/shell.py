"""Runs the commands of a page without starting a process for each: as much of a shell as the pages use."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
from pathlib import Path

from beeline.cli import main


class Shell:
    """Commands one after the other, in a folder of their own. Knows beeline, cd, true, &&, ||, | and >."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, line: str) -> tuple[int, str]:
        """The exit code of the last command that ran, and what was printed, errors last."""
        code, printed, given = 0, "", ""
        for joint, words in _parts(line):
            if (joint == "&&" and code != 0) or (joint == "||" and code == 0):
                continue
            target = words[words.index(">") + 1] if ">" in words else None
            words = words[: words.index(">")] if target is not None else words
            code, out, err = self._call(words, given if joint == "|" else "")
            if joint == "|":
                printed = printed.removesuffix(given)
            given = out
            if target is not None:
                (self.folder / target).write_text(out)
                out = ""
            printed += out + err
        return code, printed

    def _call(self, words: list[str], given: str) -> tuple[int, str, str]:
        match words:
            case ["cd", folder]:
                self.folder /= folder
                return 0, "", ""
            case ["true"]:
                return 0, "", ""
            case ["beeline", *arguments]:
                return self._beeline(arguments, given)
        raise AssertionError(f"the pages should do without: {shlex.join(words)}")

    def _beeline(self, arguments: list[str], given: str) -> tuple[int, str, str]:
        out, err, back = io.StringIO(), io.StringIO(), Path.cwd()
        os.chdir(self.folder)
        standard_input, sys.stdin = sys.stdin, io.StringIO(given)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                main(arguments)
        except SystemExit as end:
            return int(end.code or 0), out.getvalue(), err.getvalue()
        finally:
            sys.stdin = standard_input
            os.chdir(back)
        raise AssertionError("main always exits")


def _parts(line: str) -> list[tuple[str, list[str]]]:
    """The commands of a line, each with what stands before it; a comment ends the line."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for word in shlex.split(line, comments=True):
        if word in ("&&", "||", "|"):
            found.append((word, []))
        else:
            found[-1][1].append(word)
    return found
