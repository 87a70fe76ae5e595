"""The compiled board that a document was made of: unchanged rows have the elements that it has, to the last digit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.document.document import Row
from mapkit.kinds.rail.model.board import Board, Junction, Milepost, Piece, Segment
from mapkit.kinds.rail.model.source import RegionConfig, UnitsConfig
from mapkit.kinds.rail.tables import RailDocument

BASE: Final = "base"
"""The input of the evaluator that holds it."""


@dataclass(frozen=True, eq=False)
class BaseBoard:
    """A board and its document (`document_of_board`)."""

    board: Board
    document: RailDocument = field(repr=False)

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Values of keys of `board.toml`."""
        board, said = self.board, self.board.provenance
        return {
            "title": board.title,
            "credits": said.credits,
            "licence": said.licence,
            "units": UnitsConfig.model_construct(**dict(board.units)),
            "regions": tuple(RegionConfig.model_construct(**dict(region)) for region in board.regions),
            "rules": board.rules,
            "drawing": board.drawing,
            "extensions": board.extensions,
        }

    def rows_of(self, key: str) -> dict[str, Row]:
        """Return the rows of a key of `board.toml`."""
        if key == "regions":
            return dict(self.document.table(key))
        return {name: row for name, row in self.document.settings.items() if name.partition(".")[0] == key}

    @cached_property
    def mileposts(self) -> Mapping[str, Milepost]:
        """Mileposts by id."""
        return {milepost.id: milepost for milepost in self.board.mileposts}

    @cached_property
    def points(self) -> Mapping[str, Point]:
        """Where mileposts and junctions lie, by id."""
        junctions = {junction.id: (junction.lon, junction.lat) for junction in self.board.junctions}
        return {**junctions, **{milepost.id: (milepost.lon, milepost.lat) for milepost in self.board.mileposts}}

    @cached_property
    def track(self) -> Mapping[str, tuple[tuple[Junction, ...], tuple[Piece, ...], tuple[Segment, ...]]]:
        """The junctions, pieces and segments of each railroad."""
        out: dict[str, tuple[list[Junction], list[Piece], list[Segment]]] = {}
        for junction in self.board.junctions:
            out.setdefault(junction.railroad, ([], [], []))[0].append(junction)
        for piece in self.board.pieces:
            out.setdefault(piece.railroad, ([], [], []))[1].append(piece)
        for segment in self.board.segments:
            out.setdefault(segment.railroad, ([], [], []))[2].append(segment)
        return {railroad: (tuple(j), tuple(p), tuple(s)) for railroad, (j, p, s) in sorted(out.items())}
