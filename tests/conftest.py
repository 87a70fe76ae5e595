"""Fixtures that many tests share."""

import gc
import os
import shutil
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "kinds"))  # the kind that tests register by name

import frugal  # noqa: F401, I001 - before mapkit is imported
import compiled_once  # noqa: F401 - before what it wraps is imported elsewhere
import sampling
from tiny import tiny_board

import mapkit
from mapkit.cli.app import main
from mapkit.core.errors import SourceError
from mapkit.formats.pdf import child, glyphs, reading
from mapkit.kinds.rail.render import layout

pytest_plugins = ("browsing", "editing")
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes longer than what tests play; see tests/playing
os.environ["MAPKIT_STATE"] = "off"  # no test finds an editor of another
os.environ["MAPKIT_CACHE"] = "off"  # what tests change of mapkit while it runs is in no key; see tests/test_kept.py

REPOSITORY = Path(__file__).resolve().parent.parent
GARBAGE = (200_000, 50, 50)
"""How seldom Python looks for garbage: most of what tests make lives on, and looking took a tenth of all time."""
HEAVY = ("browser", "exchange", "editor", "cli", "variants", "render", "press")
"""Folders that take longest come first, so that all workers end together: single tests are left to share out then."""
NOT_QUICK = ("browser", "docs", "drafting", "exchange", "press", "render", "scans", "usa", "variants")
"""Folders that `--quick` leaves out, beside files marked `slow`."""
SLOW = "\npytestmark = pytest.mark.slow\n"

# tests ask for the same few boards again and again, and for random ones between
layout._RECENT_LAYOUTS = deque(maxlen=16)


def pytest_addoption(parser: pytest.Parser) -> None:
    how = parser.getgroup("mapkit", "how much is tried")
    how.addoption("--quick", action="store_true", help="leave out slow folders and files")
    how.addoption("--long", action="store_true", help="try every case where a normal run takes a sample")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out by --quick")
    sampling.choose(long=config.getoption("--long"))


def _folder(path: Path) -> str:
    return path.relative_to(REPOSITORY / "tests").parts[0]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow folders and files out of a quick run before they are imported, which alone took a minute."""
    if not config.getoption("--quick") or collection_path == REPOSITORY / "tests":
        return None
    if _folder(collection_path) in NOT_QUICK:
        return True
    return (collection_path.suffix == ".py" and SLOW in collection_path.read_text(encoding="utf-8")) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rank = {folder: at for at, folder in enumerate(HEAVY)}
    items.sort(key=lambda item: rank.get(_folder(item.path), len(rank)))
    if config.getoption("--quick"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def pytest_collection_finish() -> None:
    """Keep what every test needs out of the garbage collector, which would look through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def usa() -> mapkit.Board:
    """The classic United States, compiled from its sources."""
    return mapkit.load("usa", workspace=REPOSITORY)


@pytest.fixture
def tiny() -> mapkit.Board:
    """A board of eight mileposts made by hand."""
    return tiny_board()


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A workspace that holds the small example as board `example`; returns its source package."""
    folder = tmp_path / "sources" / "example"
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template:
        shutil.copytree(template, folder)
    return folder


@pytest.fixture(scope="session")
def _kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def keeping(_kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is made of boards, as users do: for tests of commands that only take a board and change no code."""
    monkeypatch.setenv("MAPKIT_CACHE", str(_kept))


@pytest.fixture
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what exports hold of boards and cards small, where no test looks at it: it takes most of their time."""
    for form in ("bga.format", "tts.format", "pictures"):
        monkeypatch.setattr(f"mapkit.kinds.rail.exchange.{form}.LONGEST", 640)
    for picture in ("_BOARD_DPI", "_CARD_DPI", "_CHART_DPI"):
        monkeypatch.setattr(f"mapkit.kinds.rail.exchange.vassal.pictures.{picture}", 20.0)
    monkeypatch.setattr("mapkit.exchange.card_grid.SHARPNESS", (2,))
    monkeypatch.setattr("mapkit.exchange.card_grid._GRID_CACHE", OrderedDict())


@pytest.fixture
def pdf_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read PDFs in this process, where a test is of their pages: to begin another one takes most of the time."""

    def read(data: bytes, chosen: Sequence[int] | None, file: str, how: str) -> bytes:
        try:
            if how == reading.PICTURES:
                return msgspec.msgpack.encode(glyphs.page_pictures(data, chosen))
            pages = glyphs.read_pages(data, chosen)
            return msgspec.msgpack.encode((pages, child._render_tables(data, pages)))
        except glyphs.RefusedError as error:
            raise SourceError(f"{file}: {error}") from error

    monkeypatch.setattr(reading, "_run_child", read)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `mapkit ARGUMENTS...` in this process."""

    def call(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["mapkit", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call
