"""A model too large is an error with its size and the limit, before memory is taken."""

from pathlib import Path

import pytest

from beeline import Limits, ModelError, NetworkBuilder, check, load

THOUSAND_MILLION = 1_000_000_000
NESTED = "typedef R0 { byte x[50] };" + "".join(f"typedef R{i} {{ R{i - 1} r[50] }};" for i in range(1, 6)) + "R5 q;"
MODELS = {
    "array.pml": f"byte a[{THOUSAND_MILLION}]; active proctype P() {{ a[5] = 1 }}",
    "local.pml": f"active proctype P() {{ byte a[{THOUSAND_MILLION}]; a[5] = 1 }}",
    "records.pml": f"{NESTED} active proctype P() {{ skip }}",
    "channels.pml": "chan c[1000000] = [2] of {byte}; active proctype P() { c[1]!1 }",
    "together.pml": "byte a[600000]; byte b[600000]; active proctype P() { a[1] = b[1] }",
    "processes.pml": "active [20] proctype P() { byte a[100000]; a[1] = 1 }",
    "array.xta": f"int a[{THOUSAND_MILLION}]; process P() {{ state s; init s; }} system P;",
    "channels.xta": f"chan c[{THOUSAND_MILLION}]; process P() {{ state s; init s; }} system P;",
    "clocks.xta": "clock x[1000][1000][1000]; process P() { state s; init s; } system P;",
    "index.xta": "typedef int[0,30000] t; int a[t][t]; process P() { state s; init s; } system P;",
    "channel.dve": "channel {byte} box[65536]; process P { state s; init s; } system async;",
    "together.dve": "int a[900000]; int b[900000]; process P { state s; init s; } system async;",
    "together.xta": "int a[900000]; int b[900000]; process P() { state s; init s; } system P;",
    "array.dve": f"byte a[{THOUSAND_MILLION}]; process P {{ state s; init s; }} system async;",
}


@pytest.mark.parametrize("name", MODELS)
def test_states_that_are_too_large_are_refused_with_size_and_limit(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(MODELS[name])
    with pytest.raises(
        ModelError, match=r"(has [\d,]+ values; a state can have 1,048,576|(1048576|65535) is the largest)"
    ):
        load(file)


def test_a_built_array_that_is_too_large_is_refused() -> None:
    with pytest.raises(ModelError, match="array 'a' has 1,000,000,000 values; a state can have 1,048,576"):
        NetworkBuilder("large").variable("a", 0, 1, size=THOUSAND_MILLION)


def test_a_long_program_takes_time_by_its_length_not_by_its_square(tmp_path: Path) -> None:
    file = tmp_path / "long.pml"
    file.write_text("byte x;\nactive proctype P() {\n" + "x = 1;\n" * 20_000 + "}\n")
    assert check(file, search="bfs", limits=Limits(time=60)).verdict == "holds"
