"""Commands of lines, track, mileposts and junctions on every form of track: done, kept and undone, or refused."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from board_helpers import apply_variant, open_folder
from conftest import REPOSITORY
from edited import Json, in_tables

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.document.draft import Draft
from mapkit.document.session import Session
from mapkit.kinds.rail.commands import COMMANDS, CommandError
from mapkit.kinds.rail.commands.on_track.line_rows import track_in_lines
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.model.board import Board, Milepost, Segment
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.tables import RailDocument, ranked
from mapkit.kinds.rail.variants.variant import Variant

ROUTES = (
    ("Red Line", [(-3.7, 40.4), (-2.9, 41.0), (-0.88, 41.65), (2.17, 41.38)]),
    ("Blue Line", [(-3.7, 40.4), (-5.98, 37.39)]),
    ("Red Line", [(-0.88, 41.65), (-0.37, 39.47)]),
)


def imported() -> RailDocument:
    """Return the board of a GeoJSON file."""
    features = [
        {"type": "Feature", "properties": {"railroad": name}, "geometry": {"type": "LineString", "coordinates": course}}
        for name, course in ROUTES
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "spain.geojson"
        file.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
        mapkit.import_lines_as_board(file, workspace=folder)
        return open_folder(Path(folder) / "sources" / "spain")


FORMS: Final[dict[str, Callable[[], RailDocument]]] = {
    "station lists": lambda: open_folder(REPOSITORY / "sources" / "ireland"),
    "drawn lines": lambda: open_folder(REPOSITORY / "sources" / "mexico"),
    "imported": imported,
    "tables": lambda: RailDocument({**in_tables(imported()).tables, "files": {}}),
    "compiled": lambda: document_of_board(compile_document(imported(), board_id="x").board),
}


@dataclass(frozen=True)
class Example:
    """A board with elements to name in commands."""

    live: Compiled
    line: str
    stops: tuple[tuple[str, str], ...]
    mine: str
    others: str
    bend: tuple[str, int, str, str]
    joined: tuple[str, str, str]

    def not_of(self, railroad: str) -> str:
        return next(ident for ident in self.live.document.railroads if ident != railroad)

    @property
    def inner(self) -> int:
        return next(n for n, (_, kind) in enumerate(self.stops) if 0 < n < len(self.stops) - 1 and kind == "milepost")

    @property
    def segment(self) -> Segment:
        dots = {post.id for post in self.live.board.mileposts if post.kind == "dot"}
        return next(s for s in self.live.board.segments if s.railroad == self.mine and {s.a, s.b} & dots)

    @property
    def post(self) -> Milepost:
        ends = {self.segment.a, self.segment.b}
        return next(post for post in self.live.board.mileposts if post.id in ends and post.kind == "dot")

    def new(self, name: str, shift: float = 0.1) -> Json:
        return {"place": name, "lon": round(self.post.lon + shift, 5), "lat": round(self.post.lat + shift, 5)}

    def at(self, shift: float = 0.1) -> Json:
        return {key: value for key, value in self.new("", shift).items() if key != "place"}


@cache
def example(form: str) -> Example:
    document = FORMS[form]()
    with track_in_lines(Draft(document)) as listed:
        lines = listed.document.lines
    key = max(lines, key=lambda ident: len(lines[ident].stops))
    mine = lines[key].railroad
    served = {line.railroad for line in lines.values() if {p for p, _ in line.stops} & {p for p, _ in lines[key].stops}}
    bends = [
        (ident, n, place, line.railroad)
        for ident, line in lines.items()
        for n, (place, kind) in enumerate(line.stops)
        if kind == "via" and place.startswith("@") and ident != key
    ] or [(key, n, place, mine) for n, (place, kind) in enumerate(lines[key].stops) if place.startswith("@")]
    pairs = [
        (a, b, lines[a].railroad)
        for a, b in combinations(lines, 2)
        if lines[a].railroad == lines[b].railroad
        and {*lines[a].stops[:: len(lines[a].stops) - 1]} & {*lines[b].stops[:: len(lines[b].stops) - 1]}
    ]
    others = next(r for r in [*sorted(document.railroads.keys() - served), *document.railroads] if r != mine)
    live = compile_document(document, board_id="x")
    bend = bends[0] if bends else ("", 0, "", "")
    return Example(live, key, lines[key].stops, mine, others, bend, (pairs or [(key, key, mine)])[0])


def end(e: Example, at: int) -> str:
    return e.stops[at][0]


STEPS: Final[dict[str, Callable[[Example], Json]]] = {
    "add-line": lambda e: {"railroad": e.others, "stops": [end(e, 0), {**e.at(0.2), "kind": "via"}, e.new("New Post")]},
    "add-line name": lambda e: {"railroad": e.others, "stops": [end(e, 0), end(e, -1)], "name": "By Hand"},
    "add-line along": lambda e: {"railroad": e.others, "stops": [e.segment.a, e.segment.b], "along": e.mine},
    "add-line along name": lambda e: {**STEPS["add-line along"](e), "name": "By Hand"},
    "copy-line": lambda e: {"line": e.line, "railroads": [e.others], "end": e.inner},
    "copy-line name": lambda e: {**STEPS["copy-line"](e), "name": "By Hand"},
    "edit-line name": lambda e: {"lines": [e.line], "name": "By Hand"},
    "edit-line reverse": lambda e: {"lines": [e.line], "reverse": True},
    "edit-line railroad": lambda e: {"lines": [e.joined[1]], "railroad": e.not_of(e.joined[2])},
    "edit-line": lambda e: {"lines": [e.line]},
    "split-line": lambda e: {"line": e.line, "index": e.inner},
    "split-line name": lambda e: {"line": e.line, "index": e.inner, "name": "By Hand"},
    "join-lines": lambda e: {"a": e.joined[0], "b": e.joined[1]},
    "extend-line": lambda e: {"line": e.line, "end": "end", "stops": [e.new("New Post", 0.3)]},
    "reshape-line": lambda e: {"line": e.line, "start": e.inner, "end": e.inner, "stops": [{**e.at(), "kind": "via"}]},
    "add-stop": lambda e: {"line": e.line, "index": 1, "stop": e.new("New Post")},
    "add-stop railroads": lambda e: {**STEPS["add-stop"](e), "railroads": [e.others]},
    "delete-stop": lambda e: {"line": e.line, "index": e.inner},
    "delete-line part": lambda e: {"lines": [e.line], "end": e.inner},
    "set-stop-kind": lambda e: {"place": end(e, e.inner), "to": "via"},
    "set-stop-kind name": lambda e: {"place": end(e, e.inner), "to": "via", "name": "By Hand"},
    "set-stop-kind same": lambda e: {"place": end(e, e.inner), "to": "milepost"},
    "set-stop-kind bend": lambda e: {"place": e.bend[2], "to": "milepost", "name": "By Hand"},
    "set-stop-kind others": lambda e: {"place": e.bend[2], "to": "milepost", "railroads": [e.not_of(e.bend[3])]},
    "respace-lines": lambda e: {"lines": [e.line], "gap_mi": 9},
    "place-drawings": lambda _: {},
    "edit-place name": lambda e: {"place": e.post.id, "name": "By Hand"},
    "edit-place note": lambda e: {"place": next(iter(e.live.document.places), e.post.id), "note": "By hand"},
    "edit-place position": lambda e: {"place": e.post.id, **e.at()},
    "edit-place bend": lambda e: {"place": e.bend[2], **e.at()},
    "edit-place bend name": lambda e: {"place": e.bend[2], "name": "By Hand"},
    "delete-place": lambda e: {"place": e.post.id},
    "delete-place join": lambda e: {"place": e.post.id, "track": "join"},
    "delete-place remove": lambda e: {"place": e.post.id, "track": "remove"},
    "delete-place others": lambda e: {"place": e.post.id, "railroads": [e.others]},
    "delete-place bend": lambda e: {"place": e.bend[2]},
    "delete-place bend join": lambda e: {"place": e.bend[2], "track": "join"},
    "add-junction": lambda e: {"id": f"{e.mine}--by-hand", "railroad": e.mine, **e.at()},
    "add-milepost": lambda e: {"id": "by-hand", "name": "By Hand", "segments": [e.segment.id]},
    "add-milepost id": lambda e: {"id": "another", "name": "By Hand", "segments": [e.segment.id]},
    "add-milepost alone": lambda e: {"id": "by-hand", "name": "By Hand", **e.at()},
    "add-milepost at": lambda e: {**STEPS["add-milepost alone"](e), "at": 0.3},
    "add-piece": lambda e: {"railroad": e.others, "a": e.segment.a, "b": e.segment.b},
    "add-piece id": lambda e: {**STEPS["add-piece"](e), "id": "by-hand"},
    "delete-piece": lambda e: {"id": e.segment.id},
    "delete-segments": lambda e: {"segments": [e.segment.id]},
    "reassign-segments": lambda e: {"segments": [e.segment.id], "railroad": e.others},
    "split-railroad": lambda e: {
        "railroad": e.mine, "segments": [e.segment.id], "id": "by-hand", "name": "By Hand", "short": "BH",
        "price": 5000, "price_left": 6000, "colour": "#00aa00",
    },
    "merge-railroads": lambda e: {"railroads": [e.mine, e.others], "into": e.mine, "name": "By Hand", "price": 9000},
    "twin-cities": lambda e: {"ids": [*e.live.document.cities][:2]},
    "restrict-board": lambda e: {"railroads": [e.mine], "charts": "keep"},
}  # fmt: skip
REFUSED: Final[dict[str, dict[str, str]]] = {
    "": {
        "add-line along name": "track along that of another railroad, has no name; leave it out",
        "edit-line": "nothing to change; give name, railroad or reverse",
        "add-stop railroads": "does not run between these two places; leave it out",
        "set-stop-kind name": "name is for a bend without one that becomes a milepost; leave it out",
        "set-stop-kind same": "or it is a milepost already; choose another",
        "set-stop-kind others": "no line of these railroads names .*; choose another",
        "delete-place others": "no track of these railroads runs through .*; choose others",
        "delete-place bend join": "a bend only shapes its track.*; leave out track",
        "add-milepost at": "lon and lat are its position, not at; give one of them",
        "place-drawings": "the board has no drawings; take one in with mapkit import",
    },
    "tables": {
        "add-line name": "track in tables, .* has no name; leave it out",
        "copy-line name": "lines of track in tables have no names; leave out name",
        "edit-line name": "leave out name and reverse",
        "edit-line reverse": "leave out name and reverse",
        "split-line": "cannot be split; to change a part, give its start and end to delete-line",
        "split-line name": "cannot be split; to change a part",
        "join-lines": "cannot be joined; name both where a command takes several lines",
        "edit-place note": "has no row in places.csv, which holds the notes; leave out note",
        "edit-place bend name": "bends of track in tables have no names; make it a milepost with set-stop-kind",
    },
}
REORDERED: Final = {
    "edit-line name",
    "edit-line reverse",
    "split-line",
    "split-line name",
    "join-lines",
    "edit-place note",
    "edit-place bend name",
}
"""Commands that change station lists, but not the board."""


@cache
def files_of(form: str) -> object:
    return all_files(example(form).live.document)


def command(step: str, e: Example) -> Json:
    made = {"kind": step.split(maxsplit=1)[0], **STEPS[step](e)}
    if made.get("place") == "" or made.get("a") == made.get("b") is not None:
        pytest.skip("the board has no such places or lines")
    return made


def is_line_tool(step: str) -> bool:
    """Return whether a step is one of lines or of bends, which drawn lines have most of."""
    return (
        step.partition(" ")[0] in {kind for kind, model in COMMANDS.items() if model.topic == "lines"} or "bend" in step
    )


@pytest.mark.parametrize(
    ("step", "form"),
    [(step, form) for form in ("station lists", "imported", "tables") for step in STEPS]
    + [(step, "drawn lines") for step in STEPS if is_line_tool(step)],
)
def test_a_command_does_what_it_says_on_every_form_or_is_refused(step: str, form: str) -> None:
    e = example(form)
    made, reason = command(step, e), {**REFUSED[""], **REFUSED.get(form, {})}.get(step)
    session = Session(e.live.document, PACKAGE)
    has_drawings = any(name.startswith("drawings/") for name in e.live.document.files)
    if reason is not None and not (step == "place-drawings" and has_drawings):
        with pytest.raises(CommandError, match=reason):
            session.do(made)
        assert session.document is e.live.document
        return
    done = session.do(made)
    after = session.document
    assert document_of(all_files(after)) == ranked(after)
    if step == "place-drawings":
        assert done.label.startswith("Change nothing: Place")
        return
    board = e.live.recompile(after).board
    assert done.patch
    assert e.live.recompile(after).problems == ()
    assert (board != e.live.board) == (step not in REORDERED)
    for key in ("name", "note", "id", "price", "price_left", "colour"):
        if key in made and made["kind"] != "delete-piece":
            assert str(made[key]) in f"{after.tables}{board}"
    session.undo()
    assert all_files(session.document) == files_of(form)


def test_every_command_of_track_is_tried() -> None:
    tried = {step.partition(" ")[0] for step in STEPS}
    assert {
        kind for kind, model in COMMANDS.items() if model.form or model.topic in ("lines", "track", "places")
    } == tried


@pytest.mark.parametrize("step", STEPS)
def test_a_command_of_a_variant_changes_the_board_or_is_refused(step: str) -> None:
    e = example("compiled")
    operation = {**command(step, e), "reason": "a test"}
    operation["op"] = operation.pop("kind")

    def board_after() -> Board:
        variant = Variant.model_validate({"name": "by-hand", "operations": [operation]})
        return apply_variant(e.live.board, variant).model_copy(update={"variants": ()})

    reason = {**REFUSED[""], **REFUSED["tables"]}.get(step)
    if reason is not None:
        with pytest.raises((MapkitError, ValueError), match=reason):
            board_after()
    else:
        assert board_after() != e.live.board
