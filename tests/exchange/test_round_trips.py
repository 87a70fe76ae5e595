"""What is exported and read again is the same board, for every format that reads, and the same bytes each time."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import REPOSITORY
from hypothesis import HealthCheck, given, settings
from random_boards import boards
from sampling import examples, pairs, sample

import mapkit
from mapkit.core.findings import CheckReport
from mapkit.exchange import card_grid
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.exchange.board_parts import board_from_parts, board_to_parts
from mapkit.kinds.rail.exchange.format import ExportOptions, Format, ReadingFormat
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format
from mapkit.kinds.rail.render.layout import clear_layout_cache
from mapkit.kinds.rail.variants.variant import read_variant

READING = sorted(name for name in BUILT_IN if isinstance(get_format(name), ReadingFormat))
WHOLE = [name for name in READING if get_format(name).loses == "nothing"]
SHIPPED = ("usa", "portugal", "mexico")
VARIANTS = sorted((REPOSITORY / "variants").glob("*.toml"))
MAPS = [path.stem for path in VARIANTS if read_variant(path).variant.board == "usa"]
RULES = [path.stem for path in VARIANTS if read_variant(path).variant.board is None]


@cache
def shipped(name: str) -> mapkit.Board:
    return mapkit.load(REPOSITORY / "build" / name / "board.json")


def exported(form: Format, board: mapkit.Board) -> ExportedBoard:
    return form.export(board, ExportOptions(checks=CheckReport(findings=(), checks={})))


def written(made: ExportedBoard, folder: Path, suffix: str) -> Path:
    """Write the file that the format reads, and return it."""
    [name] = [name for name in made.files if f".{name}".endswith(suffix) and ".schema" not in name]
    path = folder / name
    content = made.files[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_these_formats_read() -> None:
    assert READING == ["engine", "geojson", "gpkg", "graph", "graphml", "kml", "node-link", "rb3", "topojson", "xlsx"]
    assert [name for name in READING if name not in WHOLE] == ["graph", "rb3"]


@pytest.mark.parametrize(("to", "name"), pairs(WHOLE, SHIPPED))
def test_a_shipped_board_comes_back_whole(to: str, name: str, tmp_path: Path) -> None:
    form = get_format(to)
    assert isinstance(form, ReadingFormat)
    board = shipped(name)
    made = exported(form, board)
    assert made.losses == ()
    path = written(made, tmp_path, form.suffixes[0])
    assert form.read(path) == board
    assert mapkit.load(path.name, workspace=tmp_path) == board


@cache
def changed(variant: str) -> mapkit.Board:
    return mapkit.apply(shipped("usa"), [variant], workspace=REPOSITORY)


@pytest.mark.parametrize(("to", "variant"), pairs(WHOLE, MAPS))
def test_a_variant_of_the_map_comes_back_whole(to: str, variant: str, tmp_path: Path) -> None:
    form = get_format(to)
    assert isinstance(form, ReadingFormat)
    board = changed(variant)
    assert variant in board.variants
    assert form.read(written(exported(form, board), tmp_path, form.suffixes[0])) == board


@pytest.mark.parametrize(("variant", "to"), pairs(RULES, WHOLE))
def test_a_variant_of_the_rules_comes_back_whole(variant: str, to: str, tiny: mapkit.Board, tmp_path: Path) -> None:
    """Rules stand in every format as one value, so a small board with them says as much as a large one."""
    board = mapkit.apply(tiny, [variant], workspace=REPOSITORY)
    assert board.rules != tiny.rules or board.variants == (variant,)
    form = get_format(to)
    assert isinstance(form, ReadingFormat)
    assert form.read(written(exported(form, board), tmp_path, form.suffixes[0])) == board


@pytest.mark.parametrize("variant", sample(RULES, 8))
def test_a_large_board_with_other_rules_is_put_together_again(variant: str) -> None:
    assert board_from_parts(board_to_parts(changed(variant)), file="x") == changed(variant)


def test_every_shipped_variant_is_among_these() -> None:
    assert len(MAPS) == 6
    assert len(RULES) > 50


@pytest.mark.parametrize("to", WHOLE)
def test_any_board_comes_back_whole(to: str) -> None:
    form = get_format(to)
    assert isinstance(form, ReadingFormat)

    @settings(max_examples=examples(12 if to in ("gpkg", "xlsx") else 25), suppress_health_check=list(HealthCheck))
    @given(boards())
    def holds(board: mapkit.Board) -> None:
        with TemporaryDirectory() as folder:
            assert form.read(written(exported(form, board), Path(folder), form.suffixes[0])) == board

    holds()


@pytest.mark.usefixtures("small_pictures")
def test_the_same_board_gives_the_same_bytes_and_losses() -> None:
    def afresh() -> dict[str, ExportedBoard]:
        clear_layout_cache()
        card_grid._GRID_CACHE.clear()
        board = mapkit.load(REPOSITORY / "build" / "portugal" / "board.json")
        return {to: exported(get_format(to), board) for to in sorted(BUILT_IN)}

    first, again = afresh(), afresh()
    assert [to for to in first if first[to] != again[to]] == []
    for to, made in first.items():
        assert bool(made.losses) == (get_format(to).loses != "nothing") == (to not in WHOLE), to
