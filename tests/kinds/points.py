"""A tiny kind of board: named points on a page, no track. All else that it can do comes from the frame."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import ClassVar, Final, Literal

from pydantic import Field

from mapkit.core.base import Colour, Frozen, Point
from mapkit.core.checks import Check, Found
from mapkit.core.findings import Finding, Place, Severity
from mapkit.core.problems import Problem
from mapkit.document import document as frame
from mapkit.document.command import Command, CommandError, Draft
from mapkit.document.document import Accepted, Row, Schema, Setting, last_rank, sort_rows
from mapkit.document.frame_commands import commands_of_kind
from mapkit.evaluate import Evaluator
from mapkit.kinds.kind import Kind

WIDTH: Final = 100.0
HEIGHT: Final = 60.0


class Spot(Row):
    """A row of `points.csv`: a point in millimetres of the page, y downward."""

    noun: ClassVar[str] = "point"

    name: str = Field(min_length=1)
    x: float
    y: float
    colour: Colour = "#336699"


class Document(frame.Document):
    """The document of a board of points."""

    schema: ClassVar[Schema] = Schema({"settings": Setting, "accepted": Accepted, "points": Spot})


COMMANDS: Final = commands_of_kind()
_Draft = Draft[Document]


@COMMANDS.command("points")
class AddPoint(Command):
    """Add a point."""

    kind: Literal["add-point"] = "add-point"
    id: str = Field(pattern=r"^[a-z0-9-]+$")
    name: str
    x: float
    y: float

    def edit(self, draft: _Draft) -> str:
        """Plan it."""
        there = draft.rows("points", Spot)
        if self.id in there:
            raise CommandError(f"there is a point {self.id!r} already; choose another id")
        draft.put("points", self.id, Spot(name=self.name, x=self.x, y=self.y, rank=last_rank(there)))
        return f"Add {self.name}"


@COMMANDS.command("points")
class MovePoint(Command):
    """Move a point."""

    kind: Literal["move-point"] = "move-point"
    id: str
    x: float
    y: float

    def edit(self, draft: _Draft) -> str:
        """Plan it."""
        draft.need("points", self.id, "point")
        draft.update("points", self.id, x=self.x, y=self.y)
        return f"Move {self.id}"


@COMMANDS.command("points")
class RemovePoint(Command):
    """Remove a point."""

    kind: Literal["remove-point"] = "remove-point"
    id: str

    def edit(self, draft: _Draft) -> str:
        """Plan it."""
        draft.need("points", self.id, "point")
        draft.drop("points", self.id)
        return f"Remove {self.id}"


class BoardPoint(Frozen):
    """A point of the board, and where it was typed."""

    id: str
    name: str
    x: float
    y: float
    colour: Colour
    place: Place = Place()


class Board(Frozen):
    """A board of points."""

    id: str
    kind: Literal["points"] = "points"
    title: str
    points: tuple[BoardPoint, ...]


@dataclass(frozen=True)
class Compiled:
    """A document and its board."""

    document: Document
    board: Board
    problems: tuple[Problem, ...]


def _same_name(board: Board) -> Iterator[Found]:
    by_name: dict[str, list[BoardPoint]] = defaultdict(list)
    for point in board.points:
        by_name[point.name].append(point)
    for name, points in by_name.items():
        if len(points) > 1:
            ids = tuple(point.id for point in points)
            yield Found(f"{len(points)} points are called {name}; rename one", ids, points[-1].place)


def _off_the_page(board: Board) -> Iterator[Found]:
    for point in board.points:
        if not (0 <= point.x <= WIDTH and 0 <= point.y <= HEIGHT):
            yield Found(f"{point.name} is off the page; move it", (point.id,), point.place)


class Points(Kind[Document, Compiled]):
    """Boards of named points."""

    name = "points"
    about = "named points"
    document = Document
    commands = COMMANDS
    checks = (
        Check("A01", "Points have names of their own", Severity.WARNING, _same_name),
        Check("A02", "Points are on the page", Severity.ERROR, _off_the_page),
    )

    def compile(self, document: Document, *, board_id: str, evaluator: Evaluator | None = None) -> Compiled:
        """Return the board of a document, which is quick to do again."""
        del evaluator
        title = document.get("settings", "title")
        problems: tuple[Problem, ...] = ()
        if not isinstance(title, Setting):
            problems = (Problem("settings", "title", "the title is missing; give one", file="board.toml"),)
        found = []
        for key, row in sort_rows(document.table("points")):
            origin = document.origin("points", key)
            place = Place(file=origin.file, row=origin.row) if origin is not None else Place()
            found.append(BoardPoint(id=key, place=place, **row.model_dump(exclude={"rank"})))
        name = str(title.value) if isinstance(title, Setting) else board_id
        return Compiled(document, Board(id=board_id, title=name, points=tuple(found)), problems)

    def draw(self, compiled: Compiled) -> str:
        """Return the drawing of a board as SVG."""
        dots = "".join(
            f'<circle id="{point.id}" cx="{point.x:g}" cy="{point.y:g}" r="2" fill="{point.colour}"/>'
            f'<text x="{point.x + 3:g}" y="{point.y + 1:g}" font-size="4">{escape(point.name)}</text>'
            for point in compiled.board.points
        )
        size = f'width="{WIDTH:g}mm" height="{HEIGHT:g}mm" viewBox="0 0 {WIDTH:g} {HEIGHT:g}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{dots}</svg>\n'

    def place_of(self, compiled: Compiled, found: Finding) -> Point | None:
        """Return where on the page to look for a finding."""
        spots = {point.id: (point.x, point.y) for point in compiled.board.points}
        return next((spots[one] for one in found.elements if one in spots), None)


POINTS: Final = Points()
