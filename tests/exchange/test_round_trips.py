"""What is exported and read again is the same board, for every format that reads, and the same bytes each time."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import REPOSITORY
from hypothesis import HealthCheck, given, settings
from random_boards import boards

import mapkit
from mapkit.exchange.form import Exported, ExportOptions, Format, ReadingFormat
from mapkit.exchange.registry import BUILT_IN, get_format
from mapkit.model.findings import CheckReport

READING = sorted(name for name in BUILT_IN if isinstance(get_format(name), ReadingFormat))
WHOLE = [name for name in READING if get_format(name).loses == "nothing"]
SHIPPED = ("usa", "portugal", "mexico")


def shipped(name: str) -> mapkit.Board:
    return mapkit.load(REPOSITORY / "build" / name / "board.json")


def exported(form: Format, board: mapkit.Board) -> Exported:
    return form.export(board, ExportOptions(checks=CheckReport(findings=(), checks={})))


def written(made: Exported, folder: Path, suffix: str) -> Path:
    """Write the file that the format reads, and return it."""
    [name] = [name for name in made.files if name.endswith(suffix) and ".schema" not in name]
    path = folder / name
    content = made.files[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_these_formats_read() -> None:
    assert READING == ["engine", "geojson", "gpkg", "graphml", "kml", "node-link", "rb3", "topojson", "xlsx"]
    assert [name for name in READING if name not in WHOLE] == ["rb3"]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("to", WHOLE)
def test_a_shipped_board_comes_back_whole(to: str, name: str, tmp_path: Path) -> None:
    form = get_format(to)
    assert isinstance(form, ReadingFormat)
    board = shipped(name)
    made = exported(form, board)
    assert made.losses == ()
    path = written(made, tmp_path, form.suffixes[0])
    assert form.read(path) == board
    assert mapkit.load(path.name, workspace=tmp_path) == board


@pytest.mark.parametrize("to", WHOLE)
def test_any_board_comes_back_whole(to: str) -> None:
    form = get_format(to)
    assert isinstance(form, ReadingFormat)

    @settings(max_examples=12 if to in ("gpkg", "xlsx") else 25, suppress_health_check=list(HealthCheck))
    @given(boards())
    def holds(board: mapkit.Board) -> None:
        with TemporaryDirectory() as folder:
            assert form.read(written(exported(form, board), Path(folder), form.suffixes[0])) == board

    holds()


@pytest.mark.parametrize("to", sorted(BUILT_IN))
def test_the_same_board_gives_the_same_bytes(to: str) -> None:
    form = get_format(to)
    again = shipped("portugal")
    assert exported(form, shipped("portugal")).files == exported(form, again).files


@pytest.mark.parametrize("to", sorted(BUILT_IN))
def test_losses_are_told_by_formats_that_do_not_read(to: str) -> None:
    form = get_format(to)
    losses = exported(form, shipped("portugal")).losses
    assert bool(losses) == (form.loses != "nothing") == (to not in WHOLE)
