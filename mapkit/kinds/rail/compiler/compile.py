"""Incremental compiler of documents to boards, for builds, for checks, and after each edit of a session.

Errors that prevent a build do not stop it: faulty elements are left out or corrected, and reported in `problems`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mapkit.core.garbage import gc_paused
from mapkit.core.problems import Problem
from mapkit.evaluate import Evaluator, Reader, tracked
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.assembling import BOARD_ID, FILES, STAMPED, compile_board, find_problems
from mapkit.kinds.rail.compiler.charts import BoardCharts, read_charts
from mapkit.kinds.rail.compiler.cities import board_cities, cities_at
from mapkit.kinds.rail.compiler.frame import FRAME, Frame, fit_frame
from mapkit.kinds.rail.compiler.layers import FoundLayers, find_layers
from mapkit.kinds.rail.compiler.settings import ReadSettings, page_settings, read_settings
from mapkit.kinds.rail.compiler.track import STORED
from mapkit.kinds.rail.model.board import Board, SourceFile
from mapkit.kinds.rail.tables import RailDocument

if TYPE_CHECKING:
    from mapkit.kinds.rail.compiler.on_page import Laid
    from mapkit.kinds.rail.compiler.railroads import FoundLine


@dataclass(frozen=True)
class Compiled:
    """Board compiled from a document, with the problems that prevent a build.

    Args:
        id: The board's id.
        document: The document that it was compiled from.
        board: The board; its provenance names files and rows if those of the document are known.
        problems: Elements left out or corrected, each with the reason, and with file and row if the document has them.
        evaluator: Its evaluator; a session uses one evaluator for all its documents, one after the other.
        db: Reader of all values derived from the document.
    """

    id: str
    document: RailDocument
    board: Board
    problems: tuple[Problem, ...]
    evaluator: Evaluator = field(repr=False)
    db: Reader = field(repr=False)

    @property
    def settings(self) -> ReadSettings:
        """Return `board.toml` as read."""
        return read_settings(self.db)

    @property
    def charts(self) -> BoardCharts:
        """Return the charts of the board."""
        return read_charts(self.db)

    @property
    def layers(self) -> FoundLayers:
        """Return the author's own layers."""
        return find_layers(self.db)

    @property
    def frame(self) -> Frame:
        """Return the projection and page fit."""
        return late.choose_frame(self.db)

    @property
    def laid(self) -> "Laid":
        """Return mileposts and track on the page."""
        return late.lay_out(self.db)

    @property
    def lines(self) -> "Mapping[str, FoundLine]":
        """Return the station lists with the places found, by line id."""
        return late.find_places(self.db).lines

    @property
    def cities_at(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of the cities by milepost."""
        return cities_at(self.db)

    @property
    def regions(self) -> Mapping[str, str]:
        """Return the region of each milepost."""
        return milepost_regions(self.db)

    def recompile(self, document: RailDocument, *, stamped: Iterable[str] = ()) -> "Compiled":
        """Compile another document in the same frame without changing the state of the session.

        Args:
            document: The document.
            stamped: As for `compile_document`.
        """
        return compile_document(document, board_id=self.id, evaluator=self.evaluator.fork(), stamped=stamped)


@tracked
def milepost_regions(db: Reader) -> Mapping[str, str]:
    """Return the region of each milepost; empty on a board without cities."""
    posts = late.mileposts_by_id(db)
    own = late.city_regions(board_cities(db), posts)
    centres = late.region_centres(own, posts)
    others = {key: (post.lon, post.lat) for key, post in posts.items() if key not in own}
    return {**own, **db.batch(late.nearest_regions, others, centres)} if own else {}


@gc_paused()
def compile_document(
    document: RailDocument,
    *,
    board_id: str,
    evaluator: Evaluator | None = None,
    frame: Frame | None = None,
    files: Sequence[SourceFile] | None = None,
    stamped: Iterable[str] = (),
    stored: bool = False,
) -> Compiled:
    """Compile a document to a board, and collect the problems that prevent a build.

    Problems that an author can fix raise no error: the faulty element is left out or corrected, and reported.

    Args:
        document: The document.
        board_id: The board's id, its folder's name.
        evaluator: The evaluator of a session, with the session's frame; a new one by default.
        frame: Frame to use; by default the evaluator's, or else one fitted to the board.
        files: The files that the document was read from, for the provenance of elements; None to leave it out. A
            document made from a board always has it.
        stamped: For a document made from a board: the tables with rows from variants, in the order of new kinds of
            elements in the provenance.
        stored: Whether mileposts and track may be taken from the cache on disk.
    """
    evaluator = evaluator or Evaluator()
    if frame is not None:
        evaluator.inputs[FRAME] = frame
    own = {BOARD_ID: board_id, FILES: files, STAMPED: tuple(stamped), STORED: stored}
    db = evaluator.reader(document, **own)
    compiled = Compiled(board_id, document, compile_board(db), find_problems(db), evaluator, db)
    if not stored:
        evaluator.inputs[FRAME] = compiled.frame
    return compiled


def refit(live: Compiled) -> Compiled:
    """Return the board with the projection and page fit that a build would choose now."""
    if live.settings.frame is not None:
        return live
    asked = page_settings(live.db)
    frame = replace(fit_frame(asked, late.points(live.db)), asked=asked.projection)
    return compile_document(live.document, board_id=live.id, evaluator=live.evaluator, frame=frame)
