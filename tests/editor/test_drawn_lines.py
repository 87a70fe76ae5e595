"""Lines that came from a drawing, in the editor: rows like any others, on Portugal."""

import base64
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from board_helpers import open_folder
from conftest import REPOSITORY

from mapkit.core.geodesy import line_miles
from mapkit.core.output import write_files
from mapkit.document.changes import Change, patch_json
from mapkit.document.journal import VERSION, Journal, journal_path, pack_files
from mapkit.document.session import Session
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.importing.drawings import file_row
from mapkit.kinds.rail.importing.earlier_packages import package_files
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.queries.drawings import PlaceDrawingsPreview, preview
from mapkit.kinds.rail.queries.question import Asked
from mapkit.kinds.rail.tables import Line, Place, RailDocument, Stop
from mapkit.kinds.rail.trace import joined_lines

BRAGA = (-8.4345, 41.5478)
NORTH = "nl-linha-do-norte"
DRAWING = "drawings/portugal.svg"
STOPS: tuple[Stop, ...] = (("Lisboa", "milepost"), ("Cascais", "milepost"))


@cache
def portugal() -> RailDocument:
    return open_folder(REPOSITORY / "sources" / "portugal")


@cache
def home() -> Compiled:
    return compile_document(portugal(), board_id="portugal")


@pytest.fixture
def session() -> Session[RailDocument]:
    return Session(portugal(), PACKAGE, board="portugal")


@pytest.fixture
def untraced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be traced."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("an edit traced the drawing")

    monkeypatch.setattr(joined_lines.JoinedLines, "__init__", refuse)


def board_after(session: Session[RailDocument]) -> Board:
    return home().recompile(session.document).board


def spots(board: Board) -> dict[str, tuple[float, float]]:
    return {m.id: (m.lon, m.lat) for m in board.mileposts}


def courses(board: Board) -> dict[str, tuple[tuple[float, float], ...]]:
    return {piece.id: piece.line for piece in board.pieces}


def line(session: Session[RailDocument], key: str) -> Line:
    return session.document.lines[key]


@pytest.mark.usefixtures("untraced")
def test_renaming_a_city_keeps_every_line(session: Session[RailDocument]) -> None:
    session.do({"kind": "edit-city", "id": "braga", "name": "Bracara"})
    board, before = board_after(session), home().board
    assert sorted(courses(board).values()) == sorted(courses(before).values())
    assert {spots(before)["braga"]} == {spots(board)[m.id] for m in board.mileposts if m.name == "Bracara"}
    assert len(board.segments) == len(before.segments)


@pytest.mark.usefixtures("untraced")
def test_dragging_braga_moves_only_what_braga_has(session: Session[RailDocument]) -> None:
    to = (BRAGA[0] + 0.35, BRAGA[1])
    assert line_miles((BRAGA, to)) * 1.609344 == pytest.approx(29, abs=0.5)
    session.do({"kind": "edit-city", "id": "braga", "lon": to[0], "lat": to[1]})
    board, before = board_after(session), home().board
    old, new = spots(before), spots(board)
    assert {ident for ident in old.keys() | new.keys() if old.get(ident) != new.get(ident)} == {"braga"}
    assert [(s.id, s.a, s.b) for s in board.segments] == [(s.id, s.a, s.b) for s in before.segments]
    was = courses(before)
    moved = {ident for ident, course in courses(board).items() if was[ident] != course}
    assert moved == {piece.id for piece in before.pieces if "braga" in (piece.a, piece.b)}


@pytest.mark.usefixtures("untraced")
def test_a_drawn_line_is_bent(session: Session[RailDocument]) -> None:
    stops = line(session, NORTH).stops
    index = next(n for n, (_, kind) in enumerate(stops) if kind == "via")
    stop = {"kind": "via", "lon": -9.0, "lat": 38.8}
    session.do({"kind": "move-stop", "line": NORTH, "index": index, "stop": stop})
    assert line(session, NORTH).stops[index] == ("@-9.00000,38.80000", "via")
    was = courses(home().board)
    assert len({ident for ident, course in courses(board_after(session)).items() if was[ident] != course}) == 1
    session.undo()
    assert courses(board_after(session)) == was


@pytest.mark.usefixtures("untraced")
def test_a_drawn_line_is_cut_and_joined(session: Session[RailDocument]) -> None:
    index = next(n for n, (place, _) in enumerate(line(session, NORTH).stops) if place == "Coimbra")
    session.do({"kind": "split-line", "line": NORTH, "index": index})
    (rest,) = session.document.lines.keys() - portugal().lines.keys()
    assert line(session, rest).feature == line(session, NORTH).feature == f"{DRAWING}#linha-do-norte"
    assert courses(board_after(session)) == courses(home().board)
    session.do({"kind": "join-lines", "a": NORTH, "b": rest})
    assert session.document.lines == portugal().lines


@pytest.mark.usefixtures("untraced")
def test_a_drawn_line_is_given_away_and_deleted(session: Session[RailDocument]) -> None:
    session.do({"kind": "edit-line", "lines": ["est-linha-de-cascais"], "railroad": "oe"})
    assert {s.railroad for s in board_after(session).segments if "cascais" in (s.a, s.b)} == {"oe"}
    session.do({"kind": "delete-railroad", "id": "np"})
    assert "np" not in {piece.railroad for piece in board_after(session).pieces}


@pytest.mark.slow
def test_placing_again_shows_what_it_would_do_and_does_it_in_one_step(session: Session[RailDocument]) -> None:
    braga = (BRAGA[0] + 0.35, BRAGA[1])
    session.do({"kind": "edit-line", "lines": [NORTH], "name": "Norte"})
    session.do({"kind": "edit-city", "id": "braga", "lon": braga[0], "lat": braga[1]})
    asked = Asked(0, compile_document(session.document, board_id="portugal"))
    shown = preview(PlaceDrawingsPreview(), asked)
    report = shown.report
    assert shown.changes
    assert report.drawings == (DRAWING,)
    assert len(report.moved) > 50
    before = session.document
    done = session.do(shown.command)
    assert done.label == shown.label
    assert "nl: Norte" not in report.lines_removed
    assert line(session, "nl-norte").feature == f"{DRAWING}#linha-do-norte"
    session.undo()
    assert session.document == before


def test_placing_an_untouched_drawing_changes_nothing(session: Session[RailDocument]) -> None:
    assert session.do({"kind": "place-drawings"}).patch == ()


def older_package(tmp_path: Path) -> Path:
    """Portugal as an earlier mapkit had it."""
    now = package_files(REPOSITORY / "sources" / "portugal")
    kept = {name: data for name, data in now.items() if not name.startswith("lines/") and name != "places.csv"}
    write_files(tmp_path / "portugal", {name.replace("drawings/", "lines/"): data for name, data in kept.items()})
    return tmp_path / "portugal"


def test_a_journal_in_which_lines_were_taken_over_opens_and_is_undone(tmp_path: Path) -> None:
    folder = older_package(tmp_path)
    files = package_files(folder)
    drawing = file_row(files["lines/portugal.svg"])  # type: ignore[arg-type]  # a drawing is bytes
    taken = Line(railroad="est", name="est--cascais--lisboa", file="lines/est.csv", stops=STOPS)
    changes = (
        Change(table="files", key="lines/portugal.svg", before=drawing, after=None),
        Change(table="lines", key="est-est-cascais-lisboa", before=None, after=taken),
        Change(table="places", key="Liceia", before=None, after=Place(lon=-8.7, lat=40.2)),
    )
    step = {"kind": "do", "n": 1, "parent": 0, "label": "Take over 1 line from traced files", "client": "page 1"}
    step |= {"command": {"kind": "take-over-lines"}, "patch": patch_json(changes)}
    base = {"kind": "base", "version": VERSION, "board": "portugal", "files": pack_files(dict(files))}
    journal = Journal(journal_path(folder))
    with journal.locked():
        journal.append(base, step)
    session = Session.open(folder, PACKAGE)
    assert list(session.document.lines) == ["est-est-cascais-lisboa"]
    assert session.document.files == {}
    session.undo()
    assert session.document == portugal()
    session.redo()
    session.save()
    assert sorted(path.name for path in (folder / "lines").iterdir()) == ["est.csv"]
    assert not list(folder.glob("drawings/*"))


def test_a_package_of_an_earlier_mapkit_is_moved_when_it_is_saved(tmp_path: Path) -> None:
    folder = older_package(tmp_path)
    session = Session.open(folder, PACKAGE)
    assert session.document == portugal()
    assert not session.unsaved
    session.do({"kind": "edit-city", "id": "braga", "weight": 6})
    session.save()
    assert not list(folder.glob("lines/*.svg"))
    assert package_files(folder) == dict(package_files(REPOSITORY / "sources" / "portugal")) | {
        "cities.csv": (folder / "cities.csv").read_text(encoding="utf-8")
    }
    assert Session.open(folder, PACKAGE).document == session.document


def changed_drawing(document: RailDocument, change: Callable[[str], str]) -> RailDocument:
    text = change(base64.b64decode(document.files[DRAWING].content).decode())
    return RailDocument({**document.tables, "files": {DRAWING: file_row(text.encode())}})


@pytest.mark.slow
def test_a_drawing_that_was_edited_is_placed_again() -> None:
    """A line that is gone from the drawing goes; what was typed beside it stays."""

    def without_cascais(text: str) -> str:
        head, _, rest = text.partition('<path id="linha-de-cascais"')
        return head + rest.partition("</path>")[2]

    session = Session(changed_drawing(portugal(), without_cascais), PACKAGE, board="portugal")
    stops = [{"place": "Lisboa"}, {"place": "Cascais"}]
    session.do({"kind": "add-line", "railroad": "est", "name": "By hand", "stops": stops})
    session.do({"kind": "place-drawings"})
    assert {key for key, row in session.document.lines.items() if row.railroad == "est"} == {"est-by-hand"}
    assert {m.id for m in board_after(session).mileposts} <= {m.id for m in home().board.mileposts}
