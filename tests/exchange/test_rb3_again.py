"""RB3 written, read and written again: the same bytes; coast, separators, names of regions; names in UTF-8."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import shapely
from conftest import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st
from rb3_sample import LAKELAND
from sampling import examples, sample
from tiny import tiny_board
from typer.testing import CliRunner

import mapkit
from mapkit.cli.app import app
from mapkit.core.errors import ExportError, SourceError
from mapkit.core.output import write_files
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.rb3.dot_rounding import settle_dots
from mapkit.kinds.rail.exchange.rb3.exporting import board_to_rb3, label_hints
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.importing import place_map, rb3_to_source_files
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.writing import write_rb3
from mapkit.kinds.rail.model.board import Board

REAL = REPOSITORY.parent / "shared" / "data" / "rb3" / "U21MAP.RB3"


@cache
def shipped(name: str) -> Board:
    return mapkit.load(REPOSITORY / "build" / name / "board.json")


@cache
def exported(name: str) -> RB3File:
    return board_to_rb3(shipped(name))[0]


def again(data: bytes) -> Board:
    """Return the board that a map becomes."""
    rb3 = read_rb3(data)
    files, _ = rb3_to_source_files(rb3, place_map(rb3, file="x.rb3"))
    with TemporaryDirectory() as folder:
        write_files(Path(folder) / "board", files)
        return built_folder(Path(folder) / "board")


def section(rb3: RB3File, name: str) -> tuple[str, ...]:
    return next((raw.lines for raw in rb3.other if raw.name == name), ())


def segments(rb3: RB3File, name: str, colour: str) -> shapely.MultiLineString:
    """Return the lines of `[map]` or `[sep]`, y stretched, and hold that the count in the head is theirs."""
    head, *rows = section(rb3, name)
    assert head == f"8/#{len(rows)}/mapkit/E"
    found = []
    for row in rows:
        kind, *numbers, last = row.split(",")
        assert (kind, last) == ("l", colour)
        a, b, c, d = map(int, numbers)
        assert (a, b) != (c, d)
        found.append([(a, b * RATIO), (c, d * RATIO)])
    return shapely.MultiLineString(found)


@pytest.mark.parametrize("name", sample(["usa", "portugal", "mexico"], 0, always=["portugal"]))
def test_a_map_that_is_read_and_written_again_has_the_same_bytes(name: str) -> None:
    first = write_rb3(exported(name))
    board = again(first)
    second = write_rb3(board_to_rb3(board)[0])
    assert second == first
    assert "made up" in " ".join(board.provenance.credits)
    assert b"made up" not in second


@settings(max_examples=examples(12))
@given(st.data())
def test_from_the_second_export_on_nothing_changes(data: st.DataObject) -> None:
    """A first export may lose what RB3 has no place for: mileposts without track, ids, second tracks."""
    board = tiny_board()
    spots = st.floats(-0.4, 0.4)
    mileposts = tuple(
        m.model_copy(update={"lon": m.lon + data.draw(spots), "lat": m.lat + data.draw(spots)}) for m in board.mileposts
    )
    kept = tuple(p for p in board.pieces if p.railroad != "green" or data.draw(st.booleans()))
    board = board.model_copy(update={"mileposts": mileposts, "pieces": kept})
    if not any(piece.railroad == "green" for piece in kept):
        return
    second = write_rb3(board_to_rb3(again(write_rb3(board_to_rb3(board)[0])))[0])
    assert write_rb3(board_to_rb3(again(second))[0]) == second


@pytest.mark.skipif(not REAL.exists(), reason="the published map is not committed; ../shared/data is missing")
def test_a_published_map_settles_with_its_first_export() -> None:
    first = write_rb3(board_to_rb3(again(REAL.read_bytes()))[0])
    assert write_rb3(board_to_rb3(again(first))[0]) == first


def test_an_imported_board_lies_where_it_did() -> None:
    """Half a map unit, 0.26 miles across and 0.5 down, and cities of the gazetteer to the metre."""
    rb3, board = exported("portugal"), again(write_rb3(exported("portugal")))
    frame = RB3Frame.of_board(board)
    assert frame == RB3Frame.of_page(shipped("portugal"))
    names = {m.name: (m.lon, m.lat) for m in shipped("portugal").mileposts}
    at = {m.name: (m.lon, m.lat) for m in board.mileposts}
    for city in rb3.cities:
        there, here = frame.to_units([names[city.name], at[city.name]]).tolist()
        assert there == pytest.approx(here, abs=1.0)
        assert settle_dots({"": here}) == settle_dots({"": there})


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.tuples(st.floats(0, 3), st.floats(0, 3))))
def test_every_dot_has_whole_units_of_its_own(wanted: dict[str, tuple[float, float]]) -> None:
    out = settle_dots(wanted)
    assert out.keys() == wanted.keys()
    assert len(set(out.values())) == len(out)
    assert all(x.is_integer() and y.is_integer() for x, y in out.values())
    assert settle_dots(out) == out
    alone = [name for name in wanted if abs(out[name][0] - wanted[name][0]) <= 0.5]
    assert bool(alone) == bool(wanted)


def test_the_map_has_coast_separators_and_names_of_regions() -> None:
    board, rb3 = shipped("portugal"), exported("portugal")
    assert [raw.name for raw in rb3.other] == ["label", "info", "map", "sep"]
    outline, borders = segments(rb3, "map", "7"), segments(rb3, "sep", "8")
    dots = shapely.MultiPoint([(dot.x, dot.y * RATIO) for of in rb3.dots for dot in of.dots])
    low_x, low_y, high_x, high_y = dots.bounds
    window = shapely.box(low_x - 26, low_y - 26, high_x + 26, high_y + 26)
    assert window.contains(outline)
    assert window.contains(borders)
    assert outline.length > 1000
    assert shapely.unary_union(borders).intersects(outline.buffer(3))
    labels = dict(line.split(",", 1) for line in section(rb3, "label"))
    assert list(labels) == [region.short for region in board.regions]
    number = {region.code: n for n, region in enumerate(rb3.regions)}
    for code, text in labels.items():
        x, y = map(int, text.split(","))
        spot = shapely.Point(x, y * RATIO)
        near = min(
            (spot.distance(shapely.Point(dot.x, dot.y * RATIO)), n) for n, of in enumerate(rb3.dots) for dot in of.dots
        )
        assert near[1] == number[code]
        assert near[0] > 5


def test_a_name_is_to_the_left_where_dots_or_the_end_of_the_window_are_to_the_right() -> None:
    names = {"a": "Lakeland", "b": "Ash", "c": "Portland ME", "d": "Elm"}
    places = {"a": (100.0, 50.0), "a1": (110.0, 51.0), "b": (100.0, 80.0), "b1": (120.0, 80.0), "d": (5.0, 20.0)}
    places |= {"c": (590.0, 30.0), "d1": (9.0, 20.0)}
    assert label_hints(names, places, 600) == {"a": "-99,0", "b": "", "c": "-99,0", "d": ""}
    hints = {city.name: city.hint for city in exported("usa").cities}
    assert hints["Portland ME"] == "-99,0"
    assert hints["San Francisco/Oakland"] == ""


def test_an_outline_is_of_the_authors_own_land() -> None:
    board = tiny_board()
    land = {"land": [[[(-97, 39), (-93, 39), (-93, 43), (-97, 43), (-97, 39)]]]}
    own = Board.model_validate({**board.model_dump(), "layers": land})
    assert section(board_to_rb3(own)[0], "map") != section(board_to_rb3(board)[0], "map")


def run(*args: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(arg) for arg in args])
    return found.exit_code, found.output + str(found.exception or "")


def test_names_in_utf_8_for_programs_that_read_it(tmp_path: Path) -> None:
    args = ("export", REPOSITORY / "build/mexico/board.json", "--to", "rb3", "--out")
    assert run(*args, tmp_path / "usual", "--encoding", "windows-1252")[0] == 0
    assert run(*args, tmp_path / "utf")[0] == 0
    usual, utf = (tmp_path / "usual/mexico.rb3").read_bytes(), (tmp_path / "utf/mexico.rb3").read_bytes()
    assert read_rb3(usual) == read_rb3(utf) == exported("mexico")
    names = [line.split(",")[0] for line in utf.decode("utf-8").splitlines()]
    assert {"Torreón", "Mérida", "Querétaro"} <= set(names)
    assert usual == utf.decode("utf-8").encode("cp1252")
    with pytest.raises(UnicodeDecodeError):
        usual.decode("utf-8")
    assert sum(not city.name.isascii() for city in exported("mexico").cities) == 10


def test_letters_beyond_windows_1252_need_utf_8() -> None:
    rb3 = read_rb3(LAKELAND.replace("Alpha", "Łódź").encode())
    with pytest.raises(ExportError, match="leave out --encoding"):
        write_rb3(rb3, "windows-1252")
    assert read_rb3(write_rb3(rb3)) == rb3


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("rb3", "--encoding", "latin-1"), "no encoding 'latin-1' of RB3; write utf-8 or windows-1252"),
        (("graph", "--encoding", "windows-1252"), "encoding windows-1252 is for the format rb3"),
    ],
)
def test_encodings_that_mean_nothing(args: tuple[str, ...], said: str, tmp_path: Path) -> None:
    code, out = run("export", REPOSITORY / "build/portugal/board.json", "--out", tmp_path / "out", "--to", *args)
    assert code == 1
    assert said in out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unit": 0}, r"extensions\.rb3\.unit: write a number above 0, or remove extensions\.rb3"),
        ({"left": "west"}, r"extensions\.rb3\.left"),
        ({"projection": "+proj=nowhere"}, "which PROJ does not know"),
    ],
)
def test_a_frame_that_is_none_is_refused(change: dict[str, object], said: str) -> None:
    board = tiny_board()
    frame = {**RB3Frame.of_page(board).extension(), **change}
    changed = Board.model_validate({**board.model_dump(), "extensions": {"rb3": frame}})
    with pytest.raises(ExportError, match=said):
        board_to_rb3(changed)


def test_a_board_that_has_grown_out_of_its_frame_gets_another() -> None:
    board = tiny_board()
    frame = RB3Frame.of_page(board)
    small = frame.model_copy(update={"width": 3.0}).extension()
    changed = Board.model_validate({**board.model_dump(), "extensions": {"rb3": small}})
    assert RB3Frame.of_board(changed) == frame


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"projection=", b"projection=+proj=nowhere "),
        (b"unit=", b"unit=-"),
        (b"origin=", b"origin=x"),
        (b"projection=", b"about="),
    ],
)
def test_a_frame_that_says_nothing_is_left_to_the_names_of_cities(old: bytes, new: bytes) -> None:
    data = write_rb3(exported("portugal"))
    assert old in data
    rb3 = read_rb3(data.replace(old, new, 1))
    assert RB3Frame.of_file(rb3) is None
    assert place_map(rb3, file="x.rb3").points


@pytest.mark.parametrize("projection", ["+proj=ortho +lat_0=80", "+proj=gnom +lat_0=-60", "EPSG:4326", "+proj=longlat"])
def test_a_frame_that_puts_dots_off_the_world_is_refused(projection: str) -> None:
    lines = write_rb3(exported("portugal")).decode("cp1252").splitlines()
    changed = [f"projection={projection}" if line.startswith("projection=") else line for line in lines]
    rb3 = read_rb3("\n".join(changed).encode())
    try:
        placed = place_map(rb3, file="x.rb3")
    except SourceError as error:
        assert "x.rb3: a dot lies off the world by the projection" in str(error)  # noqa: PT017
    else:
        assert all(abs(lon) <= 180 and abs(lat) <= 90 for lon, lat in placed.dots.values())
