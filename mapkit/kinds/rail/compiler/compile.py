"""From a document to its board: once for a build or a check, and after each edit as far as the edit changed anything.

What a build refuses does not stop it; it is left out, or taken as `problems` says.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mapkit.core.garbage import gc_paused
from mapkit.core.problems import Problem
from mapkit.evaluate import Evaluator, Reader, tracked
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.assembling import BOARD_ID, compile_board, find_problems
from mapkit.kinds.rail.compiler.charts import BoardCharts, read_charts
from mapkit.kinds.rail.compiler.cities import board_cities, cities_at
from mapkit.kinds.rail.compiler.frame import FRAME, Frame, fit_frame
from mapkit.kinds.rail.compiler.layers import FoundLayers, find_layers
from mapkit.kinds.rail.compiler.provenance import FILES, STAMPED
from mapkit.kinds.rail.compiler.settings import ReadSettings, page_settings, read_settings
from mapkit.kinds.rail.compiler.track import STORED
from mapkit.kinds.rail.model.board import Board, SourceFile
from mapkit.kinds.rail.tables import RailDocument

if TYPE_CHECKING:
    from mapkit.kinds.rail.compiler.on_page import Laid
    from mapkit.kinds.rail.compiler.railroads import FoundLine


@dataclass(frozen=True)
class Compiled:
    """Document as a board, with the problems that keep it from being built.

    Args:
        id: The board's id.
        document: What it was derived from.
        board: The board; its provenance names files and rows if those of the document are known.
        problems: What is left out or corrected, and why, with file and row where the document knows them.
        evaluator: What evaluated it; in a session it does so for one document after the other.
        db: Reads all that follows from the document.
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
        """Return the charts as the board has them."""
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
        """Return mileposts and track."""
        return late.lay_out(self.db)

    @property
    def lines(self) -> "Mapping[str, FoundLine]":
        """Return the station lists with their places found, by line id."""
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
        """Return the board of another document in the same frame; a session goes on from this one.

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
    """Return the board of a document, and all that keeps it from being built.

    Nothing that an author can fix stops it: that is left out or corrected, and reported in `problems`.

    Args:
        document: The document.
        board_id: The board's id, its folder's name.
        evaluator: That of the session; it has the frame.
        frame: The frame of a session; without one it is fitted to the board.
        files: The files that the document was read from, for a board that says where everything comes from; None for
            one that does not. One that was made of a board always does.
        stamped: Of a document made of a board: the tables of which rows come from variants, in the order in which the
            provenance is to name what is new.
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
