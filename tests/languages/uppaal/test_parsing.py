"""Reading UPPAAL's files: both formats, both generations, queries, positions, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline.languages.uppaal import Unsupported, UppaalError, syntax
from beeline.languages.uppaal.expressions import ExpressionParser
from beeline.languages.uppaal.queries import parse_queries, parse_query
from beeline.languages.uppaal.read import parse, read
from beeline.languages.uppaal.text import from_string
from beeline.languages.uppaal.unparse import show

SMALL = "process P() { state s; init s; } system P;"


EDGE = "chan a; process P() {{ state s; init s; trans s -> s {{ {} }}; }} system P;"


def expression(text: str) -> str:
    parser = ExpressionParser(from_string(text))
    found = parser.expression()
    parser.expect_end()
    return show(found)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a || b && c", "a || (b && c)"),
        ("a imply b or c", "(a imply b) || c"),
        ("not a and b", "!a && b"),
        ("!a == b", "!a == b"),
        ("x < 3 == y < 4", "(x < 3) == (y < 4)"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a = b += 2", "a = b += 2"),
        ("i++ + --j", "(i++) + (--j)"),
        ("a <? b >? c", "(a <? b) >? c"),
        ("a << 1 + 2", "a << (1 + 2)"),
        ("forall (i : T) a[i] && b", "forall (i) (a[i] && b)"),
        ("a && exists (i : int[0,3]) b[i] || c", "a && (exists (i) (b[i] || c))"),
        ("2 ** 3 * 4", "(2 ** 3) * 4"),
        ("P(1, 2).x.y[3]", "P(1, 2).x.y[3]"),
        ("x := 3", "x = 3"),
    ],
)
def test_operators_bind_as_in_uppaal(text: str, shown: str) -> None:
    assert expression(text) == shown


def test_a_process_in_text_form() -> None:
    document = parse(
        """
        const int N = 2; clock x; chan a, b[N]; urgent broadcast chan go;
        process P(const int id, int &v) {
            clock y; int n = 3;
            int twice(int k) { return 2 * k; }
            state s0 { x <= 5 && y < 3 }, s1, s2 { ; 1:2 };
            commit s1; urgent s2; init s0;
            trans s0 -> s1 { select i : int[0,1]; guard x > 2 && v == i; sync b[i]!; assign x = 0, v = twice(i); },
                  -> s2 { sync a?; },
                  s1 -u-> s0 { };
        }
        Q(const int k) = P(k, v); int v;
        system Q;
        """
    )
    template = next(one for one in document.declarations if isinstance(one, syntax.Template))
    assert [place.name for place in template.locations] == ["s0", "s1", "s2"]
    assert [place.committed for place in template.locations] == [False, True, False]
    assert template.locations[2].urgent
    assert [(edge.origin, edge.target) for edge in template.edges] == [("s0", "s1"), ("s0", "s2"), ("s1", "s0")]
    assert not template.edges[2].controllable
    assert template.edges[0].sync is not None and template.edges[0].sync.direction == "!"
    assert [name for name, _ in template.edges[0].select] == ["i"]
    assert document.notes[0][0] == "exponential rates are ignored"


def test_a_process_of_the_third_generation() -> None:
    document = parse(
        """
        const N 2, M 3;
        clock x; int[0,N] v := 1; chan a;
        process P(clock y; const id, k; int w) {
            const own 4;
            state s { y =< k, x => 1 }, t;
            init s;
            trans s -> t { guard x > id, w == 0; sync a!; assign x := 0; };
        }
        P1 := P(x, 1, 2, v);
        system P1;
        """,
        "old.ta",
    )
    template = next(one for one in document.declarations if isinstance(one, syntax.Template))
    assert [(p.name, p.reference) for p in template.parameters] == [
        ("y", True),
        ("id", False),
        ("k", False),
        ("w", True),
    ]
    assert template.locations[0].invariant is not None
    assert show(template.locations[0].invariant) == "(y <= k) && (x >= 1)"
    assert template.edges[0].guard is not None and show(template.edges[0].guard) == "(x > id) && (w == 0)"


XML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://example.org/flat-1_2.dtd'>
<nta>
  <declaration>clock x;
int n;</declaration>
  <template><name>P</name><parameter>const int id</parameter>
    <location id="id0"><name>start</name><label kind="invariant">x &lt;= 5 &amp;&amp;
        n &lt; 3</label></location>
    <location id="id1"><committed/></location>
    <init ref="id0"/>
    <transition><source ref="id0"/><target ref="id1"/><label kind="guard">x &gt;= bad</label></transition>
  </template>
  <system>Q = P(1); system Q;</system>
  <queries><query><formula>E&lt;&gt; Q.start</formula><comment>reachable</comment></query>
  <query><formula></formula><comment/></query></queries>
</nta>"""


def test_an_xml_model_keeps_places_inside_markup() -> None:
    document = parse(XML, "m.xml")
    template = next(one for one in document.declarations if isinstance(one, syntax.Template))
    guard = template.edges[0].guard
    assert isinstance(guard, syntax.Binary)
    assert (guard.right.source.line, guard.right.source.column) == (11, 83)
    invariant = template.locations[0].invariant
    assert isinstance(invariant, syntax.Binary)
    assert invariant.right.source.line == 8
    assert template.locations[1].name == "" and template.locations[1].committed
    assert [query.comment for query in document.queries] == ["reachable"]


@pytest.mark.parametrize(
    "attack",
    [
        '<!DOCTYPE nta [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><nta><system>&b;</system></nta>',
        '<!DOCTYPE nta [<!ENTITY a SYSTEM "file:///etc/passwd">]><nta><system>&a;</system></nta>',
        "<nta><system>&unknown;</system></nta>",
        "<nta><system></nta>",
        "<other/>",
        "",
    ],
)
def test_xml_cannot_expand_entities_or_reach_outside(attack: str) -> None:
    with pytest.raises(UppaalError):
        parse(attack, "m.xml")


@pytest.mark.parametrize(
    ("text", "construct", "line"),
    [
        ("\n\ndynamic T(int x);" + SMALL, "dynamic templates", 3),
        ('import "lib.so" int f();' + SMALL, "functions imported from libraries", 1),
        ("before_update { x = 1 }" + SMALL, "before_update", 1),
    ],
)  # fmt: skip
def test_what_goes_beyond_timed_automata_is_refused_by_name(text: str, construct: str, line: int) -> None:
    with pytest.raises(Unsupported) as refusal:
        parse(text, "m.xta")
    assert refusal.value.construct == construct
    assert refusal.value.source.line == line


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("int x\nprocess P() {}", "expected ';'", (2, 1)),
        ("process P() { state s; }", "no initial state", (1, 9)),
        ("process P() { state s; init t; }", "there is no state t", (1, 29)),
        ("int x; /* open", "comment without end", (1, 8)),
        ("int §;", "unknown character", (1, 5)),
        ("int x = ;", "expected an expression", (1, 9)),
        ("process P() { state s; init s; }", "no 'system' line", (1, 33)),
        ("int x = 99999999999;", "does not fit in 32 bits", (1, 9)),
    ],
)
def test_mistakes_are_reported_where_they_are(text: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(UppaalError, match=message) as mistake:
        parse(text, "m.xta")
    assert (mistake.value.source.line, mistake.value.source.column) == place


def test_query_files_keep_comments_and_continuations() -> None:
    queries = parse_queries(
        "//This file was made\n\n/*\nThe gate\nis safe\n*/\n"
        "A[] forall (i : id_t) \\\n  P(i).a\n\nE<> (a or\n  b)\np --> q\n",
        "m.q",
    )
    assert [query.path for query in queries] == ["A[]", "E<>", "-->"]
    assert queries[0].comment == "The gate is safe"
    assert queries[1].source.line == 10


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("Pr[<=100](<> error)", "probability queries (Pr)"),
        ("simulate 1 [<=10] {x, y}", "simulations (simulate)"),
        ("E[<=10; 50](max: x)", "expected values (E[..])"),
        ("Pr([] x > 2)", "probability queries (Pr)"),
        ("A[] P.a under s", "strategies"),
        ("{P.a} control: A<> P.b", "games (control)"),
        ("A[ P.a U P.b ]", "until (A[p U q])"),
        ("control: A<> P.a", "games (control)"),
        ("strategy s = control: A<> P.a", "strategies"),
        ("sat: Scenario", "live sequence charts (sat)"),
        ("minE(c) [<=10] : <> P.a", "optimal strategies (minE, maxE)"),
    ],
)
def test_other_kinds_of_queries_are_recognised(text: str, refusal: str) -> None:
    assert parse_query(from_string(text)).refusal == refusal


@pytest.mark.parametrize("path", ["E<>", "A[]", "E[]", "A<>"])
def test_the_four_path_quantifiers(path: str) -> None:
    assert parse_query(from_string(f"{path} not deadlock")).path == path


def test_a_file_finds_its_queries(tmp_path: Path) -> None:
    (tmp_path / "m.xta").write_text(SMALL)
    (tmp_path / "m.q").write_text("E<> P.s\nA[] not deadlock\n")
    assert [query.path for query in read(tmp_path / "m.xta").queries] == ["E<>", "A[]"]


def test_words_that_matter_in_one_place_can_be_names() -> None:
    document = parse("int priority, query, exit, progress, string, A, E, sup; clock dynamic;" + SMALL)
    assert len(document.declarations) == 10
