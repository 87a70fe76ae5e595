"""RB3 files: what is read, what is refused, and that what is written reads back the same."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rb3_sample import LAKELAND, edges

from mapkit.core.errors import ExportError, SourceError
from mapkit.kinds.rail.exchange.rb3.model import (
    DotSection,
    RawSection,
    RB3City,
    RB3Dot,
    RB3Point,
    RB3Railroad,
    RB3Region,
)
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.text import MAX_BYTES, split_fields
from mapkit.kinds.rail.exchange.rb3.writing import write_rb3

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "rb3" / "U21MAP.RB3"
SAMPLE = LAKELAND.encode()


def read(text: str) -> None:
    read_rb3(text.encode(), file="x.rb3")


def test_the_small_file_is_read_as_described() -> None:
    rb3 = read_rb3(SAMPLE)
    assert rb3.regions == (RB3Region("North", "NO", 50.0), RB3Region("South", "SO", 50.0))
    assert rb3.cities[2] == RB3City("Gamma", "SO", 50.0, 3, 1, "-99,0")
    assert rb3.railroads[1] == RB3Railroad("Hill, Dale and Western", "Hill & Dale", "HD&W", 2, 1, 12000, 0, 128, 0, "2")
    assert rb3.dots[1] == DotSection(
        "9",
        "mapkit",
        "D",
        (RB3Dot(12, 30, 14), RB3Dot(18, 28, 15, disabled=True), RB3Dot(20, 26, 143), RB3Dot(32, 31, 14)),
    )
    assert edges(rb3) == {
        "LS": {((1, 1), (1, 2)), ((1, 2), (1, 3)), ((1, 3), (1, 4)), ((1, 4), (2, 3))},
        "HD&W": {((2, 1), (2, 3)), ((2, 3), (2, 4)), ((1, 4), (2, 3))},
    }
    assert rb3.routes[0].lines[1] == (RB3Point(1, 3), RB3Point(1, 4, 1), RB3Point(2, 3, 1))
    assert rb3.payoffs == ((2.0, 4.0, 5.0), (3.5, 3.0), (2.0,))
    assert rb3.head("scalew") == "60"
    assert rb3.notes == ()


def test_written_as_the_editor_does() -> None:
    lines = write_rb3(read_rb3(SAMPLE)).decode().split("\r\n")
    start = lines.index("'[rout]")
    assert lines[start : start + 7] == [
        "'[rout]", "' LS", "1,1, 1,2,3, 0,0", "1,3,1004, 2,1003,-1,-1", "' HD&W", "2,1,2003,4, 0,0",
        "1,2004, 2,2003,-1,-1",
    ]  # fmt: skip
    assert "'s,18,28,15" in lines
    assert "Gamma,SO,50,3,1,'-99,0" in lines
    assert '"Hill, Dale and Western",Hill & Dale,HD&W,2,1,12000,0,128,0,2' in lines


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("'[", "["),
        lambda text: text.replace("'[city]", " ' [CITY] ").replace("[re1]", "[re01]"),
        lambda text: text.replace("\n", "\n  \n"),
        lambda text: text.replace("s,10,10,14", " s , 10. , +10 , 14 ,'left"),
        lambda text: text.replace("3.5,3", " 3.50 , 3 "),
        lambda text: text.replace("1,1, 1,2,3, 0,0", "1,1,1,2,1,3,0,0,'comment"),
        lambda text: text.replace("Beta,NO,50", '"Beta" , "NO" , 50.0'),
        lambda text: text.replace("'North=2\n", ""),
    ],
)
def test_forms_of_text_that_mean_the_same(change: object) -> None:
    assert callable(change)
    assert read_rb3(change(LAKELAND).encode()) == read_rb3(SAMPLE)


def test_windows_1252_and_utf_8() -> None:
    text = LAKELAND.replace("Beta", "Évora-São€")
    for data in (text.encode("utf-8"), text.encode("cp1252")):
        rb3 = read_rb3(data)
        assert rb3.cities[1].name == "Évora-São€"
        assert "Évora-São€".encode() in write_rb3(rb3)
        assert "Évora-São€".encode("cp1252") in write_rb3(rb3, "windows-1252")


def test_other_sections_come_back_as_they_are() -> None:
    more = "\n'[zoo]\n a 'b\n\n  c\n\n'[label]\nNO,1,2,4,,12,8\n\n'[map]\n8/#353/RBPEdit/E\nl,1,2,3,4,7\n"
    rb3 = read_rb3((LAKELAND + more).encode())
    assert rb3.other == (
        RawSection("label", ("NO,1,2,4,,12,8",)), RawSection("map", ("8/#353/RBPEdit/E", "l,1,2,3,4,7")),
        RawSection("zoo", (" a 'b", "", "  c")),
    )  # fmt: skip
    assert read_rb3(write_rb3(rb3)) == rb3


def test_what_is_odd_but_read_is_reported() -> None:
    text = LAKELAND.replace("' HD&W", "' XYZ").replace("2\n", "2\n", 1) + "\n7,7,7\n"
    text = text.replace("1,1, 1,2,3, 0,0", "1,1, 1,2,3, 0,0\n1,1, 1,2, 0,0")
    notes = "\n".join(read_rb3(text.encode(), file="x.rb3").notes)
    assert "the heading says 'XYZ'" in notes
    assert "1 line after the 3 rows of [pay]" in notes
    assert "LS joins 1:1 and 1:2 twice" in notes


BAD = [
    ("regions= 2", "regions= 3", "regions=3"),
    ("cities= 4", "cities= 5", "cities=5"),
    ("rrs= 2", "rrs=x", "rrs=x"),
    ("scalew= 60", "scalew= 0", "scalew=0"),
    ("'[regn]\n2", "'[regn]\n3", "[regn]"),
    ("'[regn]\n2", "'[regn]\n1", "after the 1 regions"),
    ("'[regn]\n2", "'[regn]\n999999999", "count from 1 to 99"),
    ("'[city]\n4", "'[city]\n5", "[city] says 5 but has 4"),
    ("'[rr]\n2", "'[rr]\n1", "[rr] says 1 but has 2"),
    ("9/#4/mapkit/D\ns,10", "9/#5/mapkit/D\ns,10", "[re1] says 5 dots but has 4"),
    ("9/#4/mapkit/D\ns,10", "oops\ns,10", "first line is like"),
    ("North,NO,50", "North,NO,49", "add up to 99.000"),
    ("Beta,NO,50", "Beta,NO,50.1", "add up to 100.100"),
    ("Beta,NO", "Beta,NX", "no region has the code 'NX'; codes are NO, SO"),
    ("South,SO,50", "South,NO,50", "region code 'NO' appears twice"),
    ("Beta,NO,50,2,3", "Beta,NO,50,1,3", "payoff indexes"),
    ("Beta,NO,50,2,3", "Beta,NO,50,2,9", "has no dot 9"),
    ("Beta,NO,50,2,3", "Beta,NO,50,2,1", "same dot 1"),
    ("Beta,NO,50,2,3", "Beta,NO,fifty,2,3", "is not a number"),
    ("Delta,SO,50,4,4", "Delta,SO,50,4,2", "is disabled"),
    ("2,1,2003,4, 0,0", "2,1,2,2,4, 0,0", "dot 2 of region 2 is disabled"),
    ("2,1,2003,4, 0,0", "2,1,2008,4, 0,0", "2008 is not a dot of region 2"),
    ("2,1,2003,4, 0,0", "2,1,6003,4, 0,0", "6003 is not a dot"),
    ("2,1,2003,4, 0,0", "5,1,2003,4, 0,0", "5 is not a region"),
    ("2,1,2003,4, 0,0", "2,1,2003,4, 0", "a lone 0"),
    ("2,1,2003,4, 0,0", "2,1,2003,4", "neither 0,0 nor -1,-1"),
    ("2,1,2003,4, 0,0", "2,1, 0,0", "a line of 1 point;"),
    ("2,1,2003,4, 0,0", "2,1,x,4, 0,0", "not a list of whole numbers"),
    ("2,1,2003,4, 0,0", "2,4,1004,4, 0,0", "to itself"),
    ("2,2003,-1,-1", "2,2003, 0,0", "does not end with -1,-1"),
    ("2,4,5\n", "2,4\n", "row 1 of [pay] has 2"),
    ("2,4,5\n", "2,4,nan\n", "row 1 of [pay]"),
    ("2,4,5\n", "2,4,1e5\n", "row 1 of [pay]"),
    ("3.5,3\n2\n", "3.5,3\n", "[pay] has 2 rows"),
    ("8000", "8000.5", "railroad 'LS'"),
    ("Lake Shore,,LS,4,0", "Lake Shore,,LS,4,5", "railroad 'LS'"),
    ('"Hill, Dale', "Hill, Dale", "is not a railroad"),
    ('Western"', "Western", "not closed"),
    ("'[pay]", "'[rout]", "no [pay]"),
    ("'[re2]", "'[re3]", "no [re2]"),
    ("name=Lakeland", "name=Lake\x00land", "control character"),
    ("name=Lakeland", "name", "not of the form key=value"),
    ("name=Lakeland", "name=a\nname=b", "given twice"),
    ("'[header]", "hello\n'[header]", "before the first section"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), BAD)
def test_a_file_that_contradicts_itself_is_refused(old: str, new: str, said: str) -> None:
    assert old in LAKELAND
    with pytest.raises(SourceError) as caught:
        read(LAKELAND.replace(old, new, 1))
    assert said in str(caught.value)
    assert all(problem.startswith("x.rb3") for problem in caught.value.problems)


def test_cut_off_anywhere_it_is_refused_or_whole() -> None:
    whole = read_rb3(SAMPLE)
    end = len(SAMPLE.rstrip())
    for size in range(end):
        with pytest.raises(SourceError):
            read_rb3(SAMPLE[:size])
    assert read_rb3(SAMPLE[:end]) == whole


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\xff" * 1000, "before the first section"),
        (b"\xff\xfe'\0[\0", "control character"),
        (b"\x81\xff", "neither UTF-8 nor Windows-1252"),
        (SAMPLE.replace(b"Beta", b"B" * 100_000), "a line of"),
        (b"[" * (MAX_BYTES + 1), "more than"),
    ],
)
def test_bytes_that_are_no_rb3(data: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read_rb3(data, file="x.rb3")


def test_a_hundred_megabytes_on_one_line_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.rb3"
    with path.open("wb") as stream:
        stream.truncate(100 * 2**20)
    with pytest.raises(SourceError, match=r"huge\.rb3: 104857600 bytes is more than the limit of 16777216; no map"):
        read_rb3(path)


def test_more_than_999_dots_of_a_region_cannot_be_written() -> None:
    rb3 = read_rb3(SAMPLE)
    many = replace(rb3, dots=(rb3.dots[0]._replace(dots=rb3.dots[0].dots + (RB3Dot(1, 1, 15),) * 996), rb3.dots[1]))
    with pytest.raises(ExportError, match=r"region 'North' has 1000 .* RB3 holds 999"):
        write_rb3(many)
    fewer = replace(rb3, dots=(rb3.dots[0]._replace(dots=rb3.dots[0].dots + (RB3Dot(1, 1, 15),) * 995), rb3.dots[1]))
    assert read_rb3(write_rb3(fewer)) == fewer


@pytest.mark.parametrize("name", ['"', "'s", "Łódź", "", " a", "a\nb", "a\tb", "東京"])
def test_names_that_rb3_cannot_hold(name: str) -> None:
    rb3 = read_rb3(SAMPLE)
    with pytest.raises(ExportError):
        write_rb3(replace(rb3, cities=(rb3.cities[0]._replace(name=name), *rb3.cities[1:])), "windows-1252")


def test_accents_that_would_be_read_as_utf_8_are_refused() -> None:
    rb3 = read_rb3(SAMPLE)
    with pytest.raises(ExportError, match="UTF-8"):
        write_rb3(replace(rb3, cities=(rb3.cities[0]._replace(name="Ã©"), *rb3.cities[1:])), "windows-1252")


def test_a_mark_that_would_be_a_section_is_refused() -> None:
    rb3 = read_rb3(SAMPLE)
    with pytest.raises(ExportError, match="start of a section"):
        write_rb3(replace(rb3, railroads=(rb3.railroads[0]._replace(short="[pay]"), rb3.railroads[1])))


@given(st.text(st.characters(codec="cp1252"), max_size=12), st.floats(-9e8, 9e8), st.integers(0, 1023))
def test_what_can_be_written_reads_back(name: str, x: float, colour: int) -> None:
    rb3 = read_rb3(SAMPLE)
    dots = rb3.dots[0].dots
    rb3 = replace(
        rb3,
        regions=(rb3.regions[0]._replace(name=name), rb3.regions[1]),
        dots=(rb3.dots[0]._replace(dots=(*dots, RB3Dot(round(x, 6), 0.5, colour, disabled=True))), rb3.dots[1]),
    )
    try:
        data = write_rb3(rb3)
    except ExportError:
        assert (
            not name
            or name != name.strip()
            or '"' in name
            or name[0] == "'"
            or not name.isascii()
            or (not name.isprintable())
        )
        return
    assert read_rb3(data) == rb3
    assert write_rb3(read_rb3(data)) == data


@given(st.lists(st.text(st.sampled_from("ab,' \"1"), max_size=4), min_size=1, max_size=5))
def test_fields_end_where_they_should(cells: list[str]) -> None:
    plain = [cell.replace('"', "").strip() for cell in cells]
    line = ",".join(f'"{cell}"' for cell in plain)
    assert split_fields(line) == (plain, None, None)


@pytest.mark.skipif(not REAL.exists(), reason="the published map is not committed; ../shared/data is missing")
def test_a_published_map() -> None:
    rb3 = read_rb3(REAL)
    assert (len(rb3.regions), len(rb3.cities), len(rb3.railroads)) == (7, 65, 28)
    assert sum(len(dots.dots) for dots in rb3.dots) == 542
    pairs = [pair for own in edges(rb3).values() for pair in own]
    assert len(pairs) == 750
    assert len(set(pairs)) == 704
    assert rb3.railroads[9].medium == "Richmond/Fred's'brg"
    assert len(rb3.notes) == 1
    assert "1 line after the 64 rows of [pay]" in rb3.notes[0]
    assert read_rb3(write_rb3(rb3)) == rb3
    assert write_rb3(read_rb3(write_rb3(rb3))) == write_rb3(rb3)
    for railroad in rb3.routes:
        assert railroad.lines
