"""Matching names to places along lines, and adding lines from station lists."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.errors import ChoiceError, SourceError
from mapkit.geography.gazetteer import Gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.api.matching import parse_station_list
from mapkit.kinds.rail.cli.matching import draw_small_map
from mapkit.kinds.rail.editing.place_matching import MatchedName, list_uses, match_names
from mapkit.kinds.rail.sources.places import KnownPlaces, PlaceFinder

CASE = REPOSITORY.parent / "shared" / "cases" / "authors" / "south-africa-1910"
ADA, BEE, CAY = (GazetteerPlace(name, "", "XX", lon, 0.0, 900) for name, lon in (("Ada", 0), ("Bee", 1), ("Cay", 2)))
DEE_NEAR, DEE_FAR = (GazetteerPlace("Dee", code, "XX", lon, 0.1, 900) for code, lon in (("N", 1.5), ("F", 9.0)))
ELM_FAR = GazetteerPlace("Elm", "", "XX", 1.0, 9.0, 900)
NEW = GazetteerPlace("Newname", "", "XX", 0.5, 0.05, 900)
GAZETTEER = Gazetteer.of((ADA, BEE, CAY, DEE_NEAR, DEE_FAR, ELM_FAR, NEW), {NEW: ("Oldname",)})


class _Finder(PlaceFinder):
    """Finder in a small gazetteer."""

    @property
    def gazetteer(self) -> Gazetteer:
        return GAZETTEER


def asked(*lines: tuple[str, ...]) -> dict[str, MatchedName]:
    finder = _Finder(KnownPlaces({}, {}), ("XX",))
    uses = list_uses((name, "a line") for line in lines for name in line)
    return {one.name: one for one in match_names(uses, lines, finder).asked}


def test_unique_places_on_their_line_are_taken() -> None:
    assert asked(("Ada", "Bee", "Cay")) == {}


@pytest.mark.parametrize(
    ("line", "name", "place", "reason"),
    [
        (("Ada", "Bee", "Dee", "Cay"), "Dee", DEE_NEAR, "one of 2 places of this name"),
        (("Ada", "Oldname", "Bee"), "Oldname", NEW, "an alternative name"),
        (("Ada", "Newnam", "Bee"), "Newnam", NEW, "not in the gazetteer"),
    ],
)
def test_a_candidate_near_the_line_is_proposed(
    line: tuple[str, ...], name: str, place: GazetteerPlace, reason: str
) -> None:
    found = asked(line)
    assert list(found) == [name]
    proposal = found[name].proposal
    assert proposal is not None
    assert (proposal.lon, proposal.lat, found[name].reason) == (place.lon, place.lat, reason)


def test_a_small_map_shows_the_candidates_beside_the_line() -> None:
    """Of two places called Dee, one lies south of the line from Bee to Cay, and the other 500 miles east."""
    south = GazetteerPlace("Dee", "S", "XX", 1.5, -0.3, 900)
    far = GazetteerPlace("Dee", "F", "XX", 9.0, 0.1, 900)
    gazetteer = Gazetteer.of((BEE, CAY, south, far))

    class Finder(PlaceFinder):
        @property
        def gazetteer(self) -> Gazetteer:
            return gazetteer

    finder = Finder(KnownPlaces({}, {}), ("XX",))
    [one] = match_names(list_uses([("Dee", "a line")]), [("Bee", "Dee", "Cay")], finder).asked
    first, *rest, legend = draw_small_map(one).splitlines()
    assert legend == "A Bee, B Cay"
    assert (first[0], first[-1]) == ("A", "B")
    assert first.strip("AB").replace("3", "\u00b7") == "\u00b7" * 46
    assert [(row.index("1"), len(row)) for row in rest if row] == [(24, 25)]
    assert [candidate.fits for candidate in one.candidates] == ["name", "name", "between"]


def test_another_name_of_a_place_that_the_board_has_means_that_place() -> None:
    finder = _Finder.of(cities=(), places={"Newname": (NEW.lon, NEW.lat)}, countries=("XX",))
    [one] = match_names(list_uses([("Oldname", "a line")]), [("Ada", "Oldname", "Bee")], finder).asked
    assert (one.meant, one.proposal) == ("Newname", None)
    assert one.reason == "an alternative name; did you mean Newname, which the board has?"


def test_a_name_on_no_line_is_proposed_by_population() -> None:
    finder = PlaceFinder.of(cities=(), places={}, countries=("AT", "CZ"))  # Brunn is three villages of Austria
    [one] = match_names(list_uses([("Brünn", "cities.csv")]), [], finder).asked
    assert one.proposal is not None
    assert (one.proposal.place, one.proposal.country) == ("Brno", "CZ")


def test_a_unique_place_far_off_its_line_is_asked_and_placed_between_its_neighbours() -> None:
    found = asked(("Ada", "Elm", "Cay"))["Elm"]
    assert found.reason == "the only place of this name is 622 miles off its line"
    assert found.proposal is not None
    assert (found.proposal.place, found.proposal.lon, found.proposal.lat) == ("between Ada and Cay", 1.0, 0.0)
    assert [candidate.fits for candidate in found.candidates] == ["name", "between"]


def test_unknown_places_divide_the_way_evenly_and_ends_have_no_proposal() -> None:
    found = asked(("Ada", "Qqqq", "Zzzz", "Wwww", "Cay", "Kkkk"))
    positions = {name: one.proposal and (one.proposal.lon, one.proposal.lat) for name, one in found.items()}
    assert positions == {"Qqqq": (0.5, 0.0), "Zzzz": (1.0, 0.0), "Wwww": (1.5, 0.0), "Kkkk": None}


def test_places_across_longitude_180_are_between() -> None:
    finder = PlaceFinder.of(cities=(), places={"West": (179.0, 1.0), "East": (-179.0, 1.0)}, countries=())
    [one] = match_names(list_uses([("Middle", "line")]), [("West", "Middle", "East")], finder).asked
    assert one.proposal is not None
    assert abs(one.proposal.lon) == 180.0


def test_a_station_list_is_read_with_any_separators() -> None:
    text = "1. Cape Town – (Bellville) - Graaff-Reinet; @18.5, -33.2\n\nPaarl,Ada"  # noqa: RUF001
    assert list(parse_station_list(text)) == [
        ("Cape Town", "milepost"),
        ("Bellville", "via"),
        ("Graaff-Reinet", "milepost"),
        ("@18.5,-33.2", "milepost"),
        ("Paarl", "milepost"),
        ("Ada", "milepost"),
    ]


BRANCH = "railroad,line,seq,place,kind\n" + "".join(
    f"VALLEY,Branch,{number},{place},milepost\n"
    for number, place in enumerate(("Brattleboro VT", "Hinsdale", "Ashuelot Halt", "Keene"), start=1)
)
ROWS = """Hinsdale,-72.48648,42.78619,GeoNames: Hinsdale NH (US)
Ashuelot Halt,-72.38231,42.85994,between Hinsdale and Keene
Keene,-72.27814,42.93369,GeoNames: Keene NH (US)
"""


@pytest.fixture
def branch(example: Path) -> Path:
    """The small example with a line that has three names in doubt, and two places typed already."""
    (example / "lines" / "branch.csv").write_text(BRANCH, encoding="utf-8")
    (example / "places.csv").write_text("lon,lat,place\n-72.0,43.0,Somewhere\n", encoding="utf-8")
    return example


def test_match_says_what_remains_and_writes_nothing(branch: Path, run: Run) -> None:
    before = (branch / "places.csv").read_bytes()
    ran = run("match", "example", "--json", "--workspace", branch.parents[1])
    assert ran.code == 1
    shown = json.loads(ran.out)
    assert (shown["names"], shown["matched"]) == (20, 17)
    assert [one["name"] for one in shown["remaining"]] == ["Hinsdale", "Ashuelot Halt", "Keene"]
    assert shown == mapkit.match_places("example", workspace=branch.parents[1]).model_dump(mode="json")
    assert (branch / "places.csv").read_bytes() == before


def test_all_proposals_are_accepted_and_rows_and_columns_of_the_author_stay(branch: Path, run: Run) -> None:
    ran = run("match", "example", "--yes", "--place-unknown", "--workspace", branch.parents[1])
    assert (ran.code, ran.out.splitlines()[0]) == (0, "20 of 20 names matched")
    assert (branch / "places.csv").read_text(encoding="utf-8").splitlines() == [
        "lon,lat,place",
        "-72.0,43.0,Somewhere",
        "-72.48648,42.78619,Hinsdale",
        "-72.38231,42.85994,Ashuelot Halt",
        "-72.27814,42.93369,Keene",
    ]
    assert run("match", "example", "--workspace", branch.parents[1]).code == 0


def test_cities_in_charts_are_matched_in_the_same_pass(branch: Path) -> None:
    chart = branch / "charts" / "payoffs.csv"
    right = chart.read_text(encoding="utf-8")
    chart.write_text(right.replace("Springfield", "Springfeld").replace("New Haven", "New Heven"), encoding="utf-8")
    found = mapkit.match_places("example", workspace=branch.parents[1])
    assert {one.name: one.meant for one in found.remaining if one.meant} == {
        "Springfeld": "Springfield",
        "New Heven": "New Haven",
    }
    done = mapkit.match_places("example", yes=True, place_unknown=True, workspace=branch.parents[1])
    assert (done.exit_code, done.corrected) == (0, {"Springfeld": "Springfield", "New Heven": "New Haven"})
    assert chart.read_text(encoding="utf-8") == right


@pytest.mark.parametrize("is_spreadsheet", [False, True])
def test_a_table_is_edited_and_read_back(branch: Path, run: Run, tmp_path: Path, *, is_spreadsheet: bool) -> None:
    (branch / "places.csv").unlink()
    table = tmp_path / "names.csv"
    assert run("match", "example", "--table", table, "--workspace", branch.parents[1]).code == 1
    rows = list(csv.reader(StringIO(table.read_text(encoding="utf-8"))))
    assert [row[1] for row in rows[1:] if row[0] == "x"] == ["Hinsdale", "Ashuelot Halt", "Keene"]
    if is_spreadsheet:  # a byte-order mark, semicolons, decimal commas, empty columns
        rows[1:] = [[*row[:2], *(cell.replace(".", ",") for cell in row[2:4]), *row[4:], "", ""] for row in rows[1:]]
        text = StringIO()
        csv.writer(text, delimiter=";").writerows(rows)
        table.write_text(text.getvalue(), encoding="utf-8-sig")
    assert run("match", "example", "--take", table, "--workspace", branch.parents[1]).code == 0
    assert (branch / "places.csv").read_text(encoding="utf-8") == "place,lon,lat,note\n" + ROWS
    again = run("match", "example", "--take", table, "--workspace", branch.parents[1])  # nothing is written twice
    assert (again.code, (branch / "places.csv").read_text(encoding="utf-8")) == (0, "place,lon,lat,note\n" + ROWS)


def test_a_typed_position_keeps_its_typed_source(branch: Path, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text(
        "take,name,lon,lat,source\nx,Keene,-72.3,42.9,Timetable of 1912\n"
        "x,Hinsdale,-72.5,42.8,GeoNames: Hinsdale NH (US)\n",
        encoding="utf-8",
    )
    accepted = mapkit.match_places("example", take=table, workspace=branch.parents[1]).accepted
    assert [(place.name, place.source) for place in accepted] == [
        ("Keene", "Timetable of 1912"),
        ("Hinsdale", "by hand"),
    ]


def test_the_table_to_read_is_not_overwritten(branch: Path, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("take,name,lon,lat\nx,Keene,-72,42\n", encoding="utf-8")
    before = table.read_bytes()
    with pytest.raises(ChoiceError, match="would overwrite the table that --take reads"):
        mapkit.match_places("example", take=table, table=table, workspace=branch.parents[1])
    assert table.read_bytes() == before


def test_names_without_a_proposal_are_said_with_a_cure(example: Path, run: Run) -> None:
    workspace = ("--workspace", example.parents[1])
    refused = run("lines", "add", "Boston, Qqqqz", "--railroad", "SHORE", *workspace)  # the only board is left out
    assert refused.code == 1
    assert "board: example" in refused.err
    assert "give a position to Qqqqz: add it to places.csv, or write @lon,lat in its place" in refused.err
    assert "--yes" not in refused.err
    cured = run("lines", "add", "-b", "example", "Boston, @-71.3,41.6", "--railroad", "SHORE", *workspace)
    assert cured.code == 0, cured.err
    missing = run("lines", "add", "example", "--railroad", "SHORE", *workspace)
    assert "Missing argument 'PLACES...'" in missing.err
    stops = "railroad,line,seq,place,kind\nVALLEY,Branch,1,Brattleboro VT,milepost\nVALLEY,Branch,2,Qqqqz,milepost\n"
    (example / "lines" / "branch.csv").write_text(stops, encoding="utf-8")
    matched = run("match", "example", *workspace)
    assert "give a position to Qqqqz: write a table with mapkit match example --table names.csv" in matched.err
    assert "--yes" not in matched.err


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("x,Keen,-72,42", "names.csv:2: the board has no name 'Keen' (did you mean 'Keene'?)"),
        ("x,Keene,-72,42\nx,Keene,-72,43", "names.csv:3: 'Keene' is marked twice; leave one x"),
        ("x,Keene,-72,", "names.csv:2: lat is empty"),
        ("x,Keene,-72,142", "names.csv:2: lon -72, lat 142 is outside the world"),
    ],
)
def test_wrong_rows_of_the_table_are_refused_and_nothing_is_written(
    branch: Path, tmp_path: Path, rows: str, said: str
) -> None:
    table = tmp_path / "names.csv"
    table.write_text(f"take,name,lon,lat\n{rows}\n", encoding="utf-8")
    before = (branch / "places.csv").read_bytes()
    with pytest.raises(SourceError) as refused:
        mapkit.match_places("example", take=table, workspace=branch.parents[1])
    assert said in str(refused.value)
    assert (branch / "places.csv").read_bytes() == before


def test_a_city_without_a_position_is_matched_by_its_lines(example: Path) -> None:
    cities = example / "cities.csv"
    cities.write_text(
        "".join(
            ",".join([*line.split(",")[:3], "", "", *line.rstrip("\n").split(",")[5:]]) + "\n"
            if line.startswith("portland")
            else line
            for line in cities.read_text(encoding="utf-8").splitlines(keepends=True)
        ),
        encoding="utf-8",
    )
    workspace = example.parents[1]
    [one] = mapkit.match_places("example", workspace=workspace).remaining
    assert one.name == "Portland"
    assert one.proposal is not None
    assert one.proposal.place == "Portland ME"
    assert not mapkit.match_places("example", yes=True, workspace=workspace).remaining
    assert {city.name for city in mapkit.load("example", workspace=workspace).cities} >= {"Portland"}


def test_typos_in_a_list_become_no_places(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    files = {path: path.read_bytes() for path in example.rglob("*.csv")}
    stations = ("lines", "add", "example", "Bostn, Tauntn, Zzyzx, Newport", "--railroad", "SHORE", "--yes")
    refused = run(*stations, "--workspace", workspace)
    assert (refused.code, "no line was added, because 1 name remains" in refused.err) == (1, True)
    assert "check the spelling of Zzyzx; the same line with --place-unknown places it" in refused.err
    assert {path: path.read_bytes() for path in example.rglob("*.csv")} == files
    added = run(*stations, "--place-unknown", "--workspace", workspace)
    assert added.code == 0, added.err
    assert "Bostn: taken for Boston, which the board has\n" in added.out
    assert "Tauntn: GeoNames: Taunton MA (US)\nZzyzx: between Tauntn and Newport\n" in added.out
    assert "mapkit undo example takes it back" in added.err
    assert "SHORE,Boston - Newport,1,Boston,milepost" in (example / "lines" / "shore.csv").read_text(encoding="utf-8")
    assert run("undo", "example", "--workspace", workspace).code == 0
    assert {path: path.read_bytes() for path in files} == files


def test_unknown_names_are_placed_only_if_asked_for(branch: Path, run: Run) -> None:
    ran = run("match", "example", "--yes", "--workspace", branch.parents[1])
    assert (ran.code, "Ashuelot Halt," in (branch / "places.csv").read_text(encoding="utf-8")) == (1, False)
    assert "wrote 2 places to places.csv; mapkit undo example takes them back" in ran.err
    assert run("undo", "example", "--workspace", branch.parents[1]).code == 0
    assert "Hinsdale" not in (branch / "places.csv").read_text(encoding="utf-8")
    assert "check the spelling of Ashuelot Halt" in ran.err


def test_a_line_of_a_list_is_one_step_with_its_new_places(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    files = {path: path.read_bytes() for path in example.rglob("*.csv")}
    stations = ("lines", "add", "example", "Boston, (Taunton MA), Fall River, Newport", "--workspace", workspace)
    refused = run(*stations, "--railroad", "SHORE")
    assert refused.code == 1
    assert "no line was added, because 2 names remain" in refused.err
    assert {path: path.read_bytes() for path in example.rglob("*.csv")} == files
    added = run(*stations, "--railroad", "shore line", "--yes")
    assert added.code == 0, added.err
    assert "Fall River,-71.15505,41.70149,GeoNames: Fall River MA (US)" in (example / "places.csv").read_text("utf-8")
    lists = (example / "lines" / "shore.csv").read_text(encoding="utf-8")
    assert "Boston - Newport,2,Taunton MA,via" in lists
    assert run("undo", "example", "--workspace", workspace).code == 0
    assert {path: path.read_bytes() for path in files} == files


@pytest.mark.parametrize(
    ("railroad", "places", "said"),
    [
        ("CROS", "Boston, Albany", "--railroad 'CROS' is not a railroad of the board (did you mean 'CROSS'?)"),
        ("SHORE", "Boston", "'Boston' names 1 place; a line runs through two or more"),
        ("SHORE", " , ;", "names 0 places; a line runs through two or more"),
        ("SHORE", "Boston, (Newport", "'(Newport' has a single parenthesis; put both around each place"),
        ("SHORE", "Boston, (), Newport", "'Boston, (), Newport': parentheses are empty"),
        ("SHORE", "Boston,,Newport", "'Boston,,Newport': a name is missing between the commas"),
        ("SHORE", "Boston, boston, Newport", "'boston' comes twice in a row; leave one out"),
    ],
)
def test_wrong_lists_are_refused(example: Path, railroad: str, places: str, said: str) -> None:
    with pytest.raises((SourceError, ChoiceError)) as refused:
        mapkit.add_line("example", [places], railroad=railroad, yes=True, workspace=example.parents[1])
    assert said in str(refused.value)


@pytest.mark.skipif(not CASE.is_dir(), reason="the inputs of cases are not there")
def test_names_of_1910_are_matched(tmp_path: Path) -> None:
    sources = tmp_path / "sources" / "sa"
    for path in sorted(CASE.rglob("*.*")):
        if path.name not in ("places.csv", "NOTE"):
            (sources / path.relative_to(CASE)).parent.mkdir(parents=True, exist_ok=True)
            (sources / path.relative_to(CASE)).write_bytes(path.read_bytes())
    typed = {row["place"]: row for row in csv.DictReader(StringIO((CASE / "places.csv").read_text(encoding="utf-8")))}
    found = mapkit.match_places("sa", workspace=tmp_path)
    assert {one.name for one in found.remaining} == set(typed)
    exact = [one for one in found.remaining if one.proposal and one.proposal.fits != "between"]
    assert len(exact) == 20
    for one in exact:
        assert one.proposal is not None
        assert one.proposal.lon == pytest.approx(float(typed[one.name]["lon"]), abs=0.01)
        assert one.proposal.lat == pytest.approx(float(typed[one.name]["lat"]), abs=0.01)
    done = mapkit.match_places("sa", yes=True, place_unknown=True, workspace=tmp_path)
    assert [one.name for one in done.remaining] == ["West Nicholson"]  # the end of a line abroad


def test_match_names_another_way_back_where_no_step_could_be_recorded(branch: Path, run: Run) -> None:
    cities = (branch / "cities.csv").read_text(encoding="utf-8")
    (branch / "cities.csv").write_text(cities + "nowhere,Nowhere At All,,,,,1\n", encoding="utf-8", newline="\n")
    ran = run("match", "example", "--yes", "--workspace", branch.parents[1])
    assert "wrote 2 places to places.csv; to take them back, delete its last 2 rows" in ran.err
    assert run("undo", "example", "--workspace", branch.parents[1]).code == 1
