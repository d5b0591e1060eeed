"""Mistakes of users end with exit code 2, a place, a remedy, nothing on standard output and no traceback."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import MODELS, Beeline, Done

PHILOSOPHERS = MODELS / "philosophers.py"
Write = Callable[[str], Path]


def refused(done: Done) -> list[str]:
    """The lines on standard error of a command that was rightly refused, without the last: a page that there is."""
    assert done.code == 2
    assert done.out == ""
    assert "Traceback" not in done.err
    assert not done.err.startswith("internal")
    *lines, last = done.err.splitlines()
    see, page = last.split()
    assert see == "see:"
    assert (MODELS.parents[1] / page).is_file()
    return lines


@pytest.mark.parametrize(
    ("arguments", "page"),
    [
        (["check", PHILOSOPHERS, "--property", "taken[0] =="], "docs/properties.md"),
        (["check", PHILOSOPHERS, "--search", "greedy", "--heuristic", "expr:nothing"], "docs/find-a-bug-fast.md"),
        (["check", MODELS.parent / "promela" / "no.pml"], "docs/cli.md"),
        (["run", "/nowhere"], "docs/ci.md"),
        (["view", PHILOSOPHERS], "docs/viewer.md"),
        (["improve", PHILOSOPHERS, "nowhere.json"], "docs/trails.md"),
        (["check"], "docs/cli.md"),
    ],
)
def test_a_mistake_comes_with_the_page_that_helps(beeline: Beeline, arguments: list[str], page: str) -> None:
    assert beeline(*arguments).err.splitlines()[-1] == f"  see: {page}"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--reduce", "stuborn"], "did you mean stubborn"),
        (["--reduce", "ample:never"], "there is no cycle condition"),
        (["--reduce", "ample:stack", "--search", "bfs"], "cannot keep 'stack'"),
    ],
)
def test_reductions_that_do_not_exist_or_do_not_fit_are_explained(
    beeline: Beeline, arguments: list[str], part: str
) -> None:
    said = beeline("check", PHILOSOPHERS, *arguments)
    assert said.code == 2
    assert part in said.err


def test_options_for_zones_are_refused_without_clocks_whatever_they_say(beeline: Beeline) -> None:
    for widening in ("m", "lu+"):  # the second is the default: saying it is saying something
        lines = refused(beeline("check", PHILOSOPHERS, "--extrapolation", widening))
        assert "the model has no clocks" in lines[0]


def test_a_search_that_leaves_no_checkpoints_says_so(beeline: Beeline, tmp_path: Path) -> None:
    asked = ["--search", "astar", "--cost", "0=2", "--checkpoint", str(tmp_path / "left")]
    assert "leaves no checkpoints" in refused(beeline("check", PHILOSOPHERS, *asked))[0]
    assert not (tmp_path / "left").exists()


def test_states_on_disk_are_not_folded(beeline: Beeline, tmp_path: Path) -> None:
    asked = ["--search", "bfs", "--store", f"disk:{tmp_path}", "--symmetry", "auto"]
    lines = refused(beeline("check", MODELS.parent / "murphi" / "german.m", *asked))
    assert lines[0].endswith("leave out --symmetry")


def test_improve_has_no_limit_for_files_that_it_does_not_write(beeline: Beeline) -> None:
    said = beeline("improve", "--help").out
    assert "--max-memory" in said
    assert "--max-disk" not in said


def test_no_command_shows_the_help(beeline: Beeline) -> None:
    lines = beeline().err.splitlines()
    assert lines[0] == "Usage: beeline [OPTIONS] COMMAND [ARGS]..."
    assert any(line.startswith("  check") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chek"], "did you mean 'check'?"),
        (["check"], "missing argument 'FILE'"),
        (["check", "x.py", "--serch", "bfs"], "--search"),
        (["check", "x.py", "--search", "bsf"], "did you mean bfs?"),
        (["check", "x.py", "--search", "dfs:x"], "seed must be a whole number"),
        (["check", "x.py", "--search", "bfs:3"], "bfs takes no option(s)"),
        (["check", "x.py", "--seed", "-1"], "--seed"),
        (["check", "x.py", "--seed", "one"], "--seed"),
        (["check", "x.py", "--max-time", "-1"], "--max-time"),
        (["check", "x.py", "--max-memory", "lots"], "such as 512M or 2G"),
        (["check", "x.py", "--max-memory", "0"], "--max-memory"),
        (["check", "x.py", "--max-states", "0"], "--max-states"),
        (["check", "x.py", "--max-states", "99999999999999999999"], "--max-states"),
        (["check", "x.py", "--max-depth", "-3"], "--max-depth"),
        (["check", "x.py", "-D", "1=2"], "NAME or NAME=VALUE"),
        (["check", "x.py", "--dot", "/nowhere/at/all.dot"], "no folder"),
        (["explore", "x.py", "--property", "safety"], "--property"),
        (["simulate", "x.py", "--steps", "-1"], "--steps"),
    ],
)
def test_bad_usage(beeline: Beeline, arguments: list[str], words: str) -> None:
    assert words in "\n".join(refused(beeline(*arguments)))


@pytest.mark.parametrize("command", ["check", "explore", "simulate"])
def test_a_file_that_is_not_there(beeline: Beeline, command: str) -> None:
    assert refused(beeline(command, "nowhere.py")) == ["error: nowhere.py: no such file", "  hint: check the path"]


def test_a_folder_is_no_file(beeline: Beeline, tmp_path: Path) -> None:
    assert refused(beeline("check", tmp_path))[0] == f"error: {tmp_path}: this is a folder, not a file"


def test_a_suffix_that_no_language_has(beeline: Beeline, tmp_path: Path) -> None:
    file = tmp_path / "model.xyz"
    file.write_text("")
    lines = refused(beeline("check", file))
    assert lines[0].startswith(
        f"error: {file}: cannot tell the language: its suffix '.xyz' is unknown, and nothing in it"
    )
    assert lines[1].startswith("  hint: say --language with one of asbru, dve, ")
    assert "did you mean 'promela'?" in refused(beeline("check", file, "--language", "promla"))[1]


@pytest.mark.parametrize(
    ("asked", "place", "message", "remedy"),
    [
        ("", "1:1", "expected a name, found the end", "as in C"),
        ("safty", "1:1", "no property, variable or process called 'safty'", "did you mean 'safety'?"),
        ("taken[0] ==", "1:12", "expected a name, found the end", "as in C"),
        ("A[] (taken[0]", "1:14", "expected ')', found the end", "as in C"),
        ("E<> phil[0]@eating", "1:13", "no location or label called 'eating'", "did you mean 'eats'?"),
        ("taken[0] = 1", "1:10", "expected the end or an operator", "'==' compares"),
        ("takn[0] == 1", "1:1", "no variable, channel or process called 'takn'", "did you mean 'taken'?"),
        ("taken == 1", "1:1", "'taken' is used as a number", "say which element, as in taken[0]"),
        ("phil[9]@eats", "1:1", "no process called 'phil[9]'", "there are phil[0]"),
        ("x # y", "1:3", "unexpected character '#'", "as in C"),
        ("not deadlock || taken[0]", "1:5", "'deadlock' cannot be part of a larger expression", "ask for it alone"),
        ("forall (i : 0..99999999) i", "1:9", "'i' runs over more than", "smaller"),
    ],
)
def test_a_bad_property_is_pointed_at(beeline: Beeline, asked: str, place: str, message: str, remedy: str) -> None:
    lines = refused(beeline("check", PHILOSOPHERS, "--property", asked, "--json"))
    assert lines[0].startswith(f"error: --property:{place}: {message}")
    if asked:
        assert lines[1] == f"    {asked}"
        assert lines[2].index("^") == 3 + int(place[2:])
    assert lines[-1].startswith("  hint: ")
    assert remedy in lines[-1]


def test_a_property_nested_too_deeply(beeline: Beeline) -> None:
    refused(beeline("check", PHILOSOPHERS, "--property", "(" * 5000 + "1" + ")" * 5000))


def test_a_bad_model_is_pointed_at(beeline: Beeline, model: Write) -> None:
    file = model('from beeline import NetworkBuilder\nb = NetworkBuilder("b")\nb.goal("g", "x <")\nnetwork = b\n')
    lines = refused(beeline("check", file, "--json"))
    assert lines[0] == f"error: {file}:3:17: expected a name, found the end"
    assert lines[1:3] == ['    b.goal("g", "x <")', " " * 20 + "^"]
    assert lines[3].startswith("  hint: ")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x = (\n", ":1:5", "Python says: '(' was never closed"),
        ("import nothing_of_this_name\n", ":1", "the model raised ModuleNotFoundError"),
        ("x = 1\ny = x / 0\n", ":2:5", "the model raised ZeroDivisionError: division by zero"),
        ("exit(0)\n", ":1:1", "the model raised SystemExit"),
        ("x = 1\n", "", "the file defines neither 'network' nor 'space'"),
        ("space = 3\n", "", "the model raised TypeError: a space needs a method initial()"),
        ("\0", "", "Python says: source code string cannot contain null bytes"),
    ],
)
def test_python_that_does_not_work(beeline: Beeline, model: Write, text: str, place: str, message: str) -> None:
    file = model(text)
    lines = refused(beeline("check", file, "--json"))
    assert lines[0].startswith(f"error: {file}{place}")
    assert message in lines[0] or message in lines[1]
    assert lines[-1].startswith("  hint: ")


def test_a_space_that_raises(beeline: Beeline, model: Write) -> None:
    file = model(
        "class Space:\n"
        "    def initial(self): return 0\n"
        "    def successors(self, state): return [1 // (3 - state), state + 1]\n"
        "space = Space()\n"
    )
    lines = refused(beeline("explore", file, "--json"))
    assert lines[0].startswith(f"error: {file}:3:")
    assert "ZeroDivisionError" in lines[0]


@pytest.mark.parametrize("suffix", [".py", ".pml", ".dve", ".xml", ".xta"])
def test_random_bytes_are_no_model(beeline: Beeline, tmp_path: Path, suffix: str) -> None:
    source = random.Random(1)
    for length in (1, 10, 1000):
        file = tmp_path / f"noise{suffix}"
        file.write_bytes(source.randbytes(length))
        refused(beeline("check", file, "--json", "--max-time", "5"))


def test_a_fault_of_ours_is_called_one(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **named: object) -> None:
        raise KeyError("wires crossed")

    monkeypatch.setattr("beeline.cli.check.check_all", broken)
    done = beeline("check", PHILOSOPHERS, "--json")
    assert (done.code, done.out) == (4, "")
    assert "internal error: KeyError" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("BEELINE_DEBUG", "1")
    assert "Traceback" in beeline("check", PHILOSOPHERS, "--json").err


def test_a_trace_that_does_not_replay_is_a_fault_of_ours(beeline: Beeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beeline.model.semantics.Semantics._begun_by", lambda *given: [])
    done = beeline("check", PHILOSOPHERS, "--json")
    assert (done.code, done.out) == (4, "")
    assert "the interpreter knows no such step" in done.err


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".pml", "int x; active proctype P() { x = SUM }"),
        (".dve", "int x; process P { state a; init a; trans a -> a { effect x = SUM; }; } system async;"),
        (".xta", "int x; process P() { state a; init a; trans a -> a { assign x = SUM; }; } system P;"),
    ],
)
def test_a_sum_of_many_thousands_is_refused(beeline: Beeline, tmp_path: Path, suffix: str, text: str) -> None:
    file = tmp_path / f"long{suffix}"
    file.write_text(text.replace("SUM", " + ".join(["x"] * 20_000)))
    assert "nested too deeply" in refused(beeline("check", file))[0]


FAILING = """
class Space:
    labelled = True
    def initial(self): return 9
    def successors(self, state):
        yield "down", state - {step}
        yield "half", 100 // state
space = Space()
"""


def test_an_exception_of_the_model_comes_with_line_state_and_trace(beeline: Beeline, model: Write) -> None:
    lines = refused(beeline("explore", model(FAILING.format(step=3))))
    assert "model.py:7:" in lines[0]
    assert "the model raised ZeroDivisionError" in lines[0]
    at = lines.index("  when it was asked about the last of these states:")
    assert [line.strip() for line in lines[at + 1 :]] == ["9", "down  6", "down  3", "down  0"]


def test_an_exception_of_the_model_is_a_violation(beeline: Beeline, model: Write) -> None:
    done = beeline("check", model(FAILING.format(step=3)))
    assert done.code == 1
    assert done.out.startswith("safety: VIOLATED (ZeroDivisionError: ")
    table = done.out.split("changes\n")[1].splitlines()
    assert [line.split() for line in table[:3]] == [
        ["1", "down", "state:", "9", "->", "6"],
        ["2", "down", "state:", "6", "->", "3"],
        ["3", "down", "state:", "3", "->", "0"],
    ]
    assert '7: yield "half", 100 // state' in table[3] and "! ZeroDivisionError" in table[3]


def test_a_long_trace_to_an_exception_is_shortened(beeline: Beeline, model: Write) -> None:
    text = FAILING.format(step=1).replace("return 9", "return 99").replace("100 // state", "state + 0 // state")
    lines = refused(beeline("explore", model(text)))
    assert any("steps ..." in line for line in lines)
    assert len(lines) < 20


def test_a_file_read_as_python_need_not_be_called_so(beeline: Beeline, tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text("byte x; active proctype P() { skip }")
    assert "Python says" in refused(beeline("check", file, "--language", "python"))[0]
    file.write_text(PHILOSOPHERS.read_text())
    assert beeline("explore", file, "--language", "python").code == 0


def test_a_time_that_is_no_number_is_refused(beeline: Beeline) -> None:
    assert "--max-time" in "\n".join(refused(beeline("check", PHILOSOPHERS, "--max-time", "nan")))


@pytest.mark.parametrize("words", [["verify"], []])
def test_a_file_alone_and_verify_lead_to_check(beeline: Beeline, words: list[str]) -> None:
    file = MODELS / "philosophers.py"
    found = beeline(*words, file)
    assert (found.code, found.out.split("\n")[0]) == (1, "safety: VIOLATED (deadlock)")
    assert refused(beeline(*words, "nowhere.pml"))[0] == "error: nowhere.pml: no such file"


def test_mistakes_on_the_command_line_look_like_all_others(beeline: Beeline) -> None:
    assert refused(beeline("check", "x.pml", "--serch", "bfs")) == [
        "error: no such option '--serch'",
        "  hint: did you mean '--search'?",
        "  usage: beeline check [OPTIONS] FILE",
    ]
    assert refused(beeline("chek", "x"))[:2] == ["error: no such command 'chek'", "  hint: did you mean 'check'?"]
