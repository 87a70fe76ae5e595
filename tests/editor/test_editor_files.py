"""Source packages as documents, and documents as source packages."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_helpers import open_folder
from edited import ROOT, small_board

from mapkit.core.errors import PlaceError, SourceError
from mapkit.formats.tables import raw_rows
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.compiler.package import built, compile_folder
from mapkit.kinds.rail.editing.place_names import find_place
from mapkit.kinds.rail.editing.saving import all_files, plan_files
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.reading.files import read_folder
from mapkit.kinds.rail.reading.package import document_of, read_plainly
from mapkit.kinds.rail.sources.places import coordinate_name, coordinate_point
from mapkit.kinds.rail.tables import RailDocument, ranked
from mapkit.kinds.registry import open_session

SHIPPED = ("usa", "portugal", "mexico")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_saved_unchanged_writes_no_file(name: str) -> None:
    files = PACKAGE.read_files(ROOT / "sources" / name)
    document = document_of(files)
    plan = plan_files(document, document, files)
    assert (plan.write, plan.remove) == ({}, ())
    assert ranked(document) == document
    assert document_of(all_files(document)) == document


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_document_saved_afresh_gives_the_board_that_the_files_give(name: str) -> None:
    folder = ROOT / "sources" / name
    again = document_of(all_files(open_folder(folder)))
    made, read = compile_document(again, board_id=name, files=()).board, compile_folder(folder).board
    # saved afresh, board.toml has no comments, so regions stand on other rows
    elements = {**made.provenance.elements, "regions": read.provenance.elements["regions"]}
    provenance = made.provenance.model_copy(update={"sources": read.provenance.sources, "elements": elements})
    same = made.model_copy(update={"provenance": provenance}) == read
    assert same, name  # not compared by pytest, which would write the difference of two boards for minutes


def test_only_rows_that_change_are_spelled_anew(tmp_path: Path) -> None:
    folder = tmp_path / "usa"
    shutil.copytree(ROOT / "sources" / "usa", folder)
    before = PACKAGE.read_files(folder)
    session = open_session(folder)
    session.do({"kind": "edit-city", "id": "miami", "lon": -80.25, "lat": 25.8})
    session.do({"kind": "set-setting", "key": "page.width", "value": 900})
    session.do({"kind": "accept-finding", "finding": "N05:x", "reason": "so it is"})
    assert session.save() == ("board.toml", "cities.csv")
    after = PACKAGE.read_files(folder)
    changed = {name: lines_of(after[name]) ^ lines_of(before[name]) for name in before}
    assert {name: sorted(lines) for name, lines in changed.items() if lines} == {
        "board.toml": ['"N05:x" = "so it is"', "width = 1000", "width = 900"],
        "cities.csv": ["miami,Miami,southeast,-80.1937,25.7743,,", "miami,Miami,southeast,-80.2500,25.8000,,"],
    }
    session.goto(0)
    session.save()
    assert PACKAGE.read_files(folder) == before


def lines_of(data: str | bytes) -> set[str]:
    assert isinstance(data, str)
    return set(data.splitlines())


def test_odd_spellings_stay_and_mean_the_same(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    table = folder / "cities.csv"
    table.write_bytes(
        b"\xef\xbb\xbfname,id,lat,lon,region\r\nBoston ,boston, 42.35840,-71.0598,Coast\r\n\r\n"
        b'"Albany",albany,42.6526,-73.7562,INLAND\r\n'
        b"Burlington,burlington,44.4759,-73.2121,inland\r\nNew Haven,new-haven,41.3083,-72.9279,coast\r\n"
        b"Portland,portland,43.6574,-70.2589,coast\r\nSpringfield,springfield,42.1015,-72.5898,inland\r\n"
    )
    session = open_session(folder)
    assert session.document.cities["boston"].region == "coast"
    session.do({"kind": "set-payoff", "a": "boston", "b": "albany", "thousands": 77})
    assert session.save() == ("charts/payoffs.csv",)
    session.do({"kind": "edit-region", "id": "coast", "name": "Shore"})
    session.save()  # rows that say Coast would find nothing now
    text = table.read_text(encoding="utf-8-sig")
    assert text.splitlines()[0] == "name,id,lat,lon,region"
    assert "Boston,boston,42.3584,-71.0598,coast" in text
    assert '"Albany",albany,42.6526,-73.7562,INLAND' in text
    assert open_folder(folder) == ranked(session.document)
    assert open_folder(folder).cities["boston"].region == "coast"


def test_a_table_is_parsed_once_in_a_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = read_folder(small_board(tmp_path))
    parsed: list[str] = []

    def counted(text: str, *, file: str) -> Iterator[tuple[int, list[str]]]:
        parsed.append(file)
        return raw_rows(text, file=file)

    monkeypatch.setattr("mapkit.document.plain_tables.raw_rows", counted)
    assert read_plainly(folder).problems == ()
    assert sorted(parsed) == sorted(name for name in folder.files if name.endswith(".csv"))


def test_a_board_of_empty_tables_opens(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    shutil.rmtree(folder / "lines")
    shutil.rmtree(folder / "charts")
    for name in ("railroads", "cities"):
        head = (folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()[0]
        (folder / f"{name}.csv").write_text(f"{head}\n", encoding="utf-8")
    session = open_session(folder)
    assert (session.document.cities, session.document.lines) == ({}, {})
    session.do({"kind": "add-railroad", "id": "a", "name": "Alpha", "short": "A"})
    session.do(
        {
            "kind": "add-line",
            "railroad": "a",
            "stops": [{"lon": -71, "lat": 42}, {"lon": -71.5, "lat": 42.5, "kind": "via"}, {"lon": -72, "lat": 42}],
        }
    )
    assert session.save() == ("lines/a.csv", "places.csv", "railroads.csv")
    assert (folder / "lines" / "a.csv").read_text(encoding="utf-8") == (
        "railroad,line,seq,place,kind\n"
        "A,Milepost 1 - Milepost 2,1,Milepost 1,milepost\n"
        'A,Milepost 1 - Milepost 2,2,"@-71.50000,42.50000",via\n'
        "A,Milepost 1 - Milepost 2,3,Milepost 2,milepost\n"
    )
    session.do({"kind": "delete-line", "lines": ["a-milepost-1-milepost-2"]})
    assert session.save() == ("lines/a.csv", "places.csv")
    assert not (folder / "lines" / "a.csv").exists()


def test_a_file_that_is_wrong_is_reported_with_its_row(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    lines = folder / "lines" / "shore.csv"
    lines.write_text(
        lines.read_text(encoding="utf-8").replace("SHORE,Portland - New Haven,3", "SHOR,X,3"), encoding="utf-8"
    )
    with pytest.raises(SourceError, match=r"lines/shore\.csv:4: railroad 'SHOR' is not in railroads\.csv"):
        open_folder(folder)


def test_a_payoff_chart_with_two_sides_keeps_both(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    chart = folder / "charts" / "payoffs.csv"
    rows = [line.split(",") for line in chart.read_text(encoding="utf-8").splitlines()]
    rows[1][2], rows[2][1], rows[3][3] = "7", "", "1"
    text = "".join(",".join(row) + "\n" for row in rows)
    chart.write_text(text, encoding="utf-8")
    document = open_folder(folder)
    one, other = sorted((_id(rows[0][1]), _id(rows[0][2])))
    cell = document.payoffs[f"{one}|{other}"]
    assert {cell.thousands, cell.below} == {7.0, None}
    assert all_files(document)["charts/payoffs.csv"] == text


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("@-87.30012,41.20345", (-87.30012, 41.20345)),
        ("@ 7, -3.5", (7.0, -3.5)),
        ("@-0.000001,0", (0.0, 0.0)),
        ("Altoona PA", None),
    ],
)
def test_places_by_coordinates(name: str, point: tuple[float, float] | None) -> None:
    assert coordinate_point(name) == point
    if point is not None:
        assert coordinate_point(coordinate_name(*point)) == point


@pytest.mark.parametrize("name", ["@", "@1", "@1;2", "@1,2,3", "@nan,1", "@181,0", "@0,91", "@1e3,2"])
def test_what_is_no_coordinates_is_refused(name: str) -> None:
    with pytest.raises(PlaceError, match=r"write @lon,lat|outside the world"):
        find_place(RailDocument(), name)


def test_coordinates_shape_a_line_and_make_junctions(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    (folder / "lines" / "cross.csv").write_text(
        "railroad,line,seq,place,kind\n"
        'CROSS,One,1,Boston,milepost\nCROSS,One,2,"@-72.00000,42.20000",via\nCROSS,One,3,Albany,milepost\n'
        'CROSS,Two,1,"@-72,42.2",via\nCROSS,Two,2,Springfield,milepost\n',
        encoding="utf-8",
    )
    board = built(compile_document(open_folder(folder), board_id="mymap"))
    (junction,) = board.junctions
    assert (junction.railroad, junction.lon, junction.lat) == ("cross", -72.0, 42.2)
    assert {(s.a, s.b) for s in board.segments if s.railroad == "cross"} == {
        ("albany", "boston"),
        ("albany", "springfield"),
        ("boston", "springfield"),
    }


@pytest.mark.parametrize(("ident", "file"), [("mapping", "mapping-lines"), ("con", "con_"), ("lpt1", "lpt1_")])
def test_a_railroad_whose_file_cannot_be_called_like_it_has_one_of_its_own(
    tmp_path: Path, ident: str, file: str
) -> None:
    folder = small_board(tmp_path)
    session = open_session(folder)
    session.do({"kind": "add-railroad", "id": ident, "name": "Mapping", "short": "MAP"})
    session.do({"kind": "add-line", "railroad": ident, "stops": [{"place": "Boston"}, {"place": "Albany"}]})
    assert session.save() == (f"lines/{file}.csv", "railroads.csv")
    assert open_session(folder).document == session.document
    assert any(
        segment.railroad == ident for segment in built(compile_document(session.document, board_id="small")).segments
    )
