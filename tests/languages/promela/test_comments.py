"""Comments are no part of a model, however long they are and wherever they stand."""

from pathlib import Path

import pytest

from beeline import Limits, check, load
from beeline.languages.promela.comments import without_comments
from beeline.languages.promela.errors import PromelaError
from beeline.languages.promela.tokens import read_tokens


def words(text: str) -> list[tuple[str, int, int]]:
    return [(token.text, token.source.line, token.source.column) for token in read_tokens("m.pml", (), text)[:-1]]


def test_what_follows_a_comment_keeps_its_line_and_column() -> None:
    text = "byte /* one */ x; // two   \n  /* three\n four */ byte y;  \nbyte z;"
    assert words(text) == [
        ("byte", 1, 1), ("x", 1, 16), (";", 1, 17), ("byte", 3, 10), ("y", 3, 15), (";", 3, 16),
        ("byte", 4, 1), ("z", 4, 6), (";", 4, 7),
    ]  # fmt: skip


def test_a_comment_does_not_end_a_directive_of_several_lines() -> None:
    text = "#define F \\\n  x = 1; /* a \\\n  b */ \\\n  x = 2\nbyte x;"
    lines = ["#define F \\", "  x = 1; \\", "       \\", "  x = 2", "byte x;"]
    assert without_comments(text, "m.pml").split("\n") == lines


def test_a_comment_does_not_end_a_directive() -> None:
    assert [text for text, _, _ in words("#define A /* over\ntwo lines */ 5\nbyte x = A;")] == [
        "byte",
        "x",
        "=",
        "5",
        ";",
    ]


@pytest.mark.parametrize("text", ['"/* no comment */"', '"// none"', "'\"'", "'/'"])
def test_texts_that_look_like_comments_are_none(text: str) -> None:
    assert without_comments(text, "m.pml") == text


def test_a_comment_without_an_end_is_a_mistake_at_its_beginning() -> None:
    with pytest.raises(PromelaError, match=r"m\.pml:2:3: this comment is not closed"):
        words("byte x;\n  /* and so on\nbyte y;")


def test_comments_of_included_files_are_taken_out_as_well(tmp_path: Path) -> None:
    (tmp_path / "parts.h").write_text("/* the\nparts */\n#define N 3 // of them\n")
    file = tmp_path / "model.pml"
    file.write_text('#include "parts.h"\nbyte x = N;\nactive proctype P() { assert(x == 3) }\n')
    assert check(load(file)).verdict == "holds"


def test_a_long_comment_takes_little_more_memory_than_its_text(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text("/*" + "abc def " * 1_000_000 + "*/ byte x; active proctype P() { x = 1 }\n")
    assert check(file, limits=Limits(memory=2**30)).verdict == "holds"


@pytest.mark.parametrize("text", ["#ifdef\n#endif", "#ifndef\n#endif", " # define \n", "#if\n#endif"])
def test_a_directive_without_its_name_is_a_mistake(text: str) -> None:
    with pytest.raises(PromelaError, match=r"m\.pml:2: preprocessor: #\w+ says nothing"):
        words(f"byte x;\n{text}\nbyte y;")
