"""A build takes mileposts and track that are kept only where they would come out the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY
from test_both_kinds_of_track import package

from mapkit.core.kept import CACHE
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.package import compile_folder
from mapkit.kinds.rail.compiler.tracing import trace_for_good

pytestmark = pytest.mark.slow

WITH_CITIES = ("charts/destinations.csv", "charts/payoffs.csv", "cities.csv", "lines/row-1.csv")
KEPT = (
    (("railroads.csv",), "9000", "9500"),
    (("railroads.csv",), "Blue Line", "Bluer Line"),
    (("railroads.csv",), "#0000ff,solid", "#0000fe,dash"),
    (("charts/payoffs.csv",), "City 0,0,1,1.5", "City 0,0,1.5,1.5"),
    (("charts/destinations.csv",), "regions,2,Region-1,Region-0", "regions,2,Region-0,Region-0"),
    (("board.toml",), 'title = "Grid"', 'title = "Grille"'),
    (("board.toml",), "#dddddd", "#dcdcdc"),
)
"""Files, and a text in them with another, that mileposts and track do not follow from."""
TRACED = (
    (("places.csv",), "Stop 00x001,-115.45455", "Stop 00x001,-115.40455"),
    (("cities.csv",), "City 3,region-1,-101.81818", "City 3,region-1,-101.80000"),
    (("cities.csv",), "38.33333,,", "38.33333,Stop 02x004,"),
    (("lines/row-2.csv",), "Stop 02x006,milepost", "Stop 02x006,via"),
    (("lines/row-2.csv",), "place,kind\n", "place,kind\nROW-2,new,1,City 5,milepost\nROW-2,new,2,City 3,milepost\n"),
    (("mileposts.csv",), "Far Post,-110.0000", "Far Post,-110.1000"),
    (("mileposts.csv",), "Near Post", "Nearer Post"),
    (("junctions.csv",), "44.0000", "44.1000"),
    (("track.csv",), "-115.0000 41.0000", "-115.5000 41.0000"),
    (("railroads.csv",), "blue,Blue", "red,Red Line,RED,1000,false,#ff0000,solid\nblue,Blue"),
    (("railroads.csv",), "row-2,Railroad row-2,ROW-2,10000,false,#203040,solid\n", ""),
    (("board.toml",), "width = 800", "width = 820"),
    (("board.toml",), '"plate-carree"', '"mercator"'),
    (("board.toml",), '["US"]', '["US", "CA"]'),
    (WITH_CITIES, "City 4", "Ζωή"),
    (WITH_CITIES, "City 4", "東京"),
    (("places.csv",), "Stop 00x002,-110.90909,25.0400,\n", ""),
)
"""The same, of texts that they follow from."""


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Keep what is made, and list what is traced."""
    monkeypatch.setenv(CACHE.variable, str(tmp_path / "cache"))
    found: list[object] = []

    def noted(*arguments: object) -> object:
        found.append(arguments)
        return trace_for_good(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(late, "trace_for_good", noted)
    return found


def builds_as_compiled(folder: Path) -> bool:
    built, compiled = compile_folder(folder, stored=True), compile_folder(folder)
    return (built.board, built.problems, built.document) == (compiled.board, compiled.problems, compiled.document)


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_a_build_compiles_as_an_edit_does(name: str, traced: list[object]) -> None:
    folder = REPOSITORY / "sources" / name
    assert builds_as_compiled(folder)
    assert compile_folder(folder, stored=True).board == compile_folder(folder, stored=True).board
    assert len(traced) == 1


def edited(folder: Path, files: tuple[str, ...], old: str, new: str) -> Iterator[None]:
    """Change files, and change them back."""
    before = {file: (folder / file).read_text(encoding="utf-8") for file in files}
    for file, text in before.items():
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    yield
    for file, text in before.items():
        (folder / file).write_text(text, encoding="utf-8")


def test_what_track_follows_from_is_traced_again_and_nothing_else(tmp_path: Path, traced: list[object]) -> None:
    folder = package(tmp_path / "grid")
    assert builds_as_compiled(folder)
    for changes, times in ((KEPT, 0), (TRACED, 1)):
        for files, old, new in changes:
            traced.clear()
            for _ in edited(folder, files, old, new):
                assert builds_as_compiled(folder), new
                assert len(traced) == times, new
            assert builds_as_compiled(folder)
            assert len(traced) == times, "as it was, it is kept"
