"""Fixtures that many tests share."""

import compileall
import gc
import os
import shutil
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from _pytest.assertion import rewrite

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "kinds"))  # the kind that tests register by name

import frugal  # noqa: F401, I001 - before mapkit is imported
import compiled_once  # before what it wraps is imported elsewhere
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


def _is_left_out(path: Path, config: pytest.Config) -> bool:
    """Return whether a quick run leaves a file or folder out."""
    if not config.getoption("--quick") or path == REPOSITORY / "tests":
        return False
    return _folder(path) in NOT_QUICK or (path.suffix == ".py" and SLOW in path.read_text(encoding="utf-8"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow folders and files out of a quick run before they are imported, which alone took a minute."""
    return _is_left_out(collection_path, config) or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: Sequence[object]) -> None:
    """Compile tests and mapkit on all cores before workers start: each would compile all of them at the same time."""
    files = [path for path in sorted((REPOSITORY / "tests").rglob("test_*.py")) if not _is_left_out(path, config)]
    children = []
    for share in range(len(specs) if hasattr(os, "fork") and rewrite.assertstate_key in config.stash else 0):
        child = os.fork()
        if child == 0:
            for file in files[share :: len(specs)]:
                _compile_test(file, config)
            os._exit(0)
        children.append(child)
    compileall.compile_dir(Path(mapkit.__file__).parent, quiet=2)
    for child in children:
        os.waitpid(child, 0)


def _compile_test(file: Path, config: pytest.Config) -> None:
    """Do what pytest does when it first imports a test, but for the import; it then takes the compiled file."""
    folder = rewrite.get_cache_dir(file)
    compiled = folder / f"{file.stem}{rewrite.PYC_TAIL}"
    with suppress(OSError, SyntaxError):  # pytest says so itself
        folder.mkdir(parents=True, exist_ok=True)
        if rewrite._read_pyc(file, compiled) is None:
            source_hash, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, compiled)


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
def _of_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session", autouse=True)
def _share_results(_of_all_workers: Path) -> None:
    compiled_once.SHARED = _of_all_workers / "shared"
    compiled_once.SHARED.mkdir(exist_ok=True)


@pytest.fixture(scope="session")
def _kept(_of_all_workers: Path) -> Path:
    return _of_all_workers / "kept"


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
        monkeypatch.setattr(f"mapkit.kinds.rail.exchange.vassal.format.{picture}", 20.0)
    monkeypatch.setattr("mapkit.exchange.card_grid.SHARPNESS", (2,))
    monkeypatch.setattr("mapkit.exchange.card_grid._GRID_CACHE", OrderedDict())


@pytest.fixture
def pdf_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read PDFs in this process, where a test is of their pages: to begin another one takes most of the time."""

    def read(data: bytes, chosen: Sequence[int] | None, file: str, how: str) -> bytes:
        try:
            if how == reading.PICTURES:
                return msgspec.msgpack.encode(glyphs.render_pages(data, chosen))
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
