"""Killed commands and power cuts at any write: the next command finds old or new, and nothing is left behind.

A sample of the calls is tried in the normal run, all of them with --long.
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from crashes import contents, count_calls, crash_at, fail_at, restore
from edited import small_board
from sampling import sample

import mapkit
from mapkit.core.errors import ChoiceError, OutputError
from mapkit.core.output import write_files, write_folder
from mapkit.core.outputs.stages import settle_workspace
from mapkit.document.journal import journal_path
from mapkit.kinds.registry import open_session
from mapkit.press import form_objects
from mapkit.press.vector import PdfPage, pages_to_pdf

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs copies of the process")

OLD = {"a.csv": "old a", "b.csv": "old b", "deep/c.csv": "old c", "Gone.csv": "old", "Case.csv": "old case"}
NEW = {"a.csv": "new a", "b.csv": "new b", "deep/c.csv": "new c", "deep/new/d.csv": "new d", "case.csv": "new case"}
FINISH: list[tuple[str, Callable[[Path], object]]] = [
    ("command", settle_workspace),
    ("write", lambda root: write_files(root / "build" / "mymap", {"other.txt": ""})),
]


def write_old(root: Path) -> None:
    write_files(root / "build" / "mymap", OLD)


def write_new(root: Path) -> None:
    write_files(root / "build" / "mymap", NEW, remove=("Gone.csv", "Case.csv"))


@pytest.mark.parametrize(("name", "finish"), FINISH)
@pytest.mark.parametrize("end", ["kill", "power cut"])
def test_files_are_old_or_new_after_a_crash_at_any_call(
    tmp_path: Path, name: str, finish: Callable[[Path], object], end: str
) -> None:
    root, kept = tmp_path / "root", tmp_path / "kept"
    write_old(root)
    shutil.copytree(root, kept)
    old = contents(root)
    calls = count_calls(lambda: write_new(root))
    new = contents(root)
    assert len(new) == len(NEW)
    seen = set()
    for n in sample(range(1, calls + 1), 12):
        restore(root, kept)
        crash_at(n, lambda: write_new(root), power=end != "kill")
        finish(root)
        found = contents(root)
        found.pop("build/mymap/other.txt", None)
        assert found in (old, new), (n, name)
        seen.add(found == new)
        assert not list(root.rglob(".mapkit-*"))
    assert seen == {False, True}


@pytest.mark.parametrize("again", [1, 3, 6])
def test_settling_may_itself_be_killed(tmp_path: Path, again: int) -> None:
    root = tmp_path / "root"
    write_old(root)
    kept = tmp_path / "kept"
    shutil.copytree(root, kept)
    calls = count_calls(lambda: write_new(root))
    new = contents(root)
    restore(root, kept)
    crash_at(calls - 5, lambda: write_new(root), power=False)
    crash_at(again, lambda: settle_workspace(root), power=True)
    settle_workspace(root)
    assert contents(root) == new


def test_a_full_disk_at_any_call_changes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_old(root)
    kept = tmp_path / "kept"
    shutil.copytree(root, kept)
    old = contents(root)
    calls = count_calls(lambda: write_new(root))
    for n in sample(range(1, calls - 5), 12):
        restore(root, kept)
        with pytest.raises(OutputError, match="No space left"):
            fail_at(n, lambda: write_new(root))
        assert contents(root) == old
        assert not list(root.rglob(".mapkit-*"))


@pytest.mark.parametrize("end", ["kill", "power cut"])
def test_a_new_folder_is_there_or_not(tmp_path: Path, end: str) -> None:
    def create() -> None:
        write_folder(tmp_path / "sources" / "new", NEW)

    calls = count_calls(create)
    new = contents(tmp_path)
    for n in sample(range(1, calls + 1), 6):
        shutil.rmtree(tmp_path / "sources", ignore_errors=True)
        crash_at(n, create, power=end != "kill")
        settle_workspace(tmp_path)
        assert contents(tmp_path) in ({}, new)
        assert not list(tmp_path.rglob(".mapkit-*"))


@pytest.mark.parametrize("end", ["kill", "power cut"])
def test_no_acknowledged_step_is_missing_after_a_crash_at_any_call(tmp_path: Path, end: str) -> None:
    root, kept = tmp_path / "root", tmp_path / "kept"
    folder = small_board(root)
    open_session(folder).do({"kind": "edit-city", "id": "boston", "weight": 1})
    shutil.copytree(root, kept)

    def work() -> None:
        session = open_session(folder)
        for weight in (2, 3):
            session.do({"kind": "edit-city", "id": "boston", "weight": weight})
            acknowledged.write_text(str(session.position), encoding="utf-8")
        session.save()
        session.undo()

    acknowledged = tmp_path / "acknowledged"
    calls = count_calls(work)
    for n in sample(range(1, calls + 1), 6):
        restore(root, kept)
        acknowledged.write_text("1", encoding="utf-8")
        crash_at(n, work, power=end != "kill")
        settle_workspace(root)
        session = open_session(folder)
        assert session.history()["steps"][-1]["n"] >= int(acknowledged.read_text(encoding="utf-8"))
        session.save()
        assert not open_session(folder).unsaved
        assert not list(root.rglob(".mapkit-*"))


def test_a_crash_of_a_compaction_leaves_the_old_journal_or_the_new(tmp_path: Path) -> None:
    root, kept = tmp_path / "root", tmp_path / "kept"
    folder = small_board(root)
    session = open_session(folder)
    session.do({"kind": "edit-city", "id": "boston", "weight": 5})
    session.save()
    shutil.copytree(root, kept)
    old = contents(root)
    calls = count_calls(lambda: open_session(folder).compact())
    new = contents(root)
    for n in sample(range(1, calls + 1), 6, always=(calls,)):
        restore(root, kept)
        crash_at(n, lambda: open_session(folder).compact(), power=True)
        settle_workspace(root)
        assert contents(root) in (old, new), n
        assert open_session(folder).document == session.document


def build(root: Path) -> None:
    mapkit.build("mymap", workspace=root, allow_errors=True)


def export(root: Path) -> None:
    mapkit.export("mymap", to=("graphml", "engine"), out=root / "exports", workspace=root)


def draw(root: Path) -> None:
    mapkit.draw("mymap", out=root / "board.svg", workspace=root)


def print_board(root: Path) -> None:
    mapkit.print_board("mymap", out=root / "print.pdf", workspace=root)


def write_sheets(root: Path) -> None:
    mapkit.write_sheets("mymap", out=root / "sheets.pdf", workspace=root)


def import_lines(root: Path) -> None:
    mapkit.import_lines(root / "lines.geojson", into="mymap", new_railroads=True, overwrite=True, workspace=root)


@pytest.fixture
def _typeset_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typeset pages before the process is copied: a copy has none of Typst's threads."""
    pdf_by_pages: dict[str, bytes] = {}

    def typeset(pages: list[PdfPage], *, title: str) -> bytes:
        key = repr((pages, title))
        if key not in pdf_by_pages:
            pdf_by_pages[key] = pages_to_pdf(pages, title=title)
        return pdf_by_pages[key]

    monkeypatch.setattr(form_objects, "pages_to_pdf", typeset)


@pytest.mark.usefixtures("_typeset_here")
@pytest.mark.parametrize("work", [build, export, draw, print_board, write_sheets, import_lines])
def test_each_operation_leaves_old_or_new_files_after_a_crash(tmp_path: Path, work: Callable[[Path], None]) -> None:
    root, kept = tmp_path / "root", tmp_path / "kept"
    folder = small_board(root)
    line = {"type": "LineString", "coordinates": [[-73.75, 42.65], [-72.59, 42.1], [-71.06, 42.36]]}
    feature = json.dumps({"type": "Feature", "properties": {"railroad": "NEW"}, "geometry": line})
    (root / "lines.geojson").write_text(feature, encoding="utf-8")
    work(root)
    (root / "lines.geojson").write_text(feature.replace("42.1", "42.2"), encoding="utf-8")
    board = folder / "board.toml"
    board.write_text(board.read_text(encoding="utf-8").replace('"My board"', '"Greater board"'), encoding="utf-8")
    shutil.copytree(root, kept)
    old = contents(root)
    calls = count_calls(lambda: work(root))
    new = contents(root)
    assert new != old
    assert calls > 0
    for n in sample(range(1, calls + 1), 2, always=(calls,)):
        restore(root, kept)
        crash_at(n, lambda: work(root), power=True)
        settle_workspace(root)
        # An import is written before its step, which the next command makes of the changed files if it is missing.
        found, *possible = (
            {path: data for path, data in files.items() if not path.endswith(".journal")}
            for files in (contents(root), old, new)
        )
        assert found in possible, n
        if work is import_lines:
            assert mapkit.undo("mymap", workspace=root).done
        assert not list(root.rglob(".mapkit-*"))


@pytest.mark.parametrize("name", ["../outside.csv", "/outside.csv", "link/outside.csv"])
def test_a_list_of_renames_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    folder, outside = tmp_path / "build" / "mymap", tmp_path / "elsewhere"
    outside.mkdir()
    stage = folder / ".mapkit-abcdefgh"
    (stage / "new").mkdir(parents=True)
    (folder / "link").symlink_to(outside)
    (outside / "outside.csv").write_text("mine", encoding="utf-8")
    (stage / "renames.json").write_text(
        f'{{"names": [], "gone": ["{name}"], "fresh": [], "undo": false}}', encoding="utf-8"
    )
    settle_workspace(tmp_path)
    assert (outside / "outside.csv").read_text(encoding="utf-8") == "mine"
    assert not stage.exists()


def test_doctor_finds_what_is_damaged_and_repairs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPKIT_CACHE", str(tmp_path / "cache"))
    folder = small_board(tmp_path)
    session = open_session(folder)
    for weight in (1, 2):
        session.do({"kind": "edit-city", "id": "boston", "weight": weight})
    assert not mapkit.doctor(board="mymap", workspace=tmp_path).faults
    path = journal_path(folder)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"n":1', b'"n":7') + b'{"crc"')
    (folder / "cities.csv").chmod(0o400)
    (folder / ".mapkit-abcdefgh" / "new").mkdir(parents=True)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / f"{'a' * 64}.json").write_text("rubbish", encoding="utf-8")
    files = contents(tmp_path)
    found = mapkit.doctor(board="mymap", workspace=tmp_path)
    assert contents(tmp_path) == files  # it only looks
    assert [fault.part for fault in found.faults] == ["permissions", "stages", "journal", "journal", "cache"]
    assert found.exit_code == 1
    assert mapkit.doctor(board="mymap", workspace=tmp_path, repair=True).exit_code == 0
    assert not mapkit.doctor(board="mymap", workspace=tmp_path).faults
    again = open_session(folder)
    assert (again.position, again.document.cities["boston"].weight) == (2, 2)
    with pytest.raises(ChoiceError, match="--repair needs --board"):
        mapkit.doctor(repair=True)


@pytest.mark.parametrize(
    "arguments", [["journal", "mymap"], ["check", "mymap"], ["doctor", "-b", "mymap"], ["draw", "mymap", "-o", "out"]]
)
def test_reading_never_writes(tmp_path: Path, run: Run, arguments: list[str]) -> None:
    folder = small_board(tmp_path)
    open_session(folder).do({"kind": "edit-city", "id": "boston", "weight": 1})
    path = journal_path(folder)
    path.write_bytes(path.read_bytes().replace(b'"n":1', b'"n":7'))
    table = folder / "cities.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("42.6526", "42.7"), encoding="utf-8")
    before = contents(tmp_path / "sources")
    run(*[str(tmp_path / word) if word == "out" else word for word in arguments], "--workspace", tmp_path)
    assert contents(tmp_path / "sources") == before
