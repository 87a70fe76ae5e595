"""Drawings of a board: what each import took from them, left out, repaired, or left in doubt."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.network import TraceNote

_OUTCOMES: Final = {
    "left out": "left_out",
    "repair": "repaired",
    "ambiguity": "in_doubt",
    "crossing": "in_doubt",
    "spacing": "in_doubt",
}
"""Word of the page for each kind of note on a drawing."""
_COLUMNS: Final = tuple(dict.fromkeys(_OUTCOMES.values()))


@dataclass(frozen=True)
class DrawingLine:
    """Row of the table of drawings: features that are in the board, what they became, and notes by outcome."""

    file: str
    features: int
    railroads: tuple[str, ...]
    segments: int
    notes: tuple[int, ...]


@dataclass(frozen=True)
class OutcomeList:
    """Messages of one outcome, such as `left_out`."""

    outcome: str
    messages: tuple[str, ...]


def make_drawing_rows(board: Board) -> list[DrawingLine]:
    """Return a row for each drawing that the board's track or a note comes from, by name."""
    features: defaultdict[str, set[str]] = defaultdict(set)
    for origins in board.provenance.elements.values():
        for origin in origins.values():
            if origin.feature is not None:
                features[_drawing_of(origin.feature)].add(origin.feature)
    railroads: defaultdict[str, set[str]] = defaultdict(set)
    segment_count: defaultdict[str, int] = defaultdict(int)
    segment_origins = board.provenance.elements.get("segments", {})
    for segment in board.segments:
        segment_origin = segment_origins.get(segment.id)
        if segment_origin is not None and segment_origin.feature is not None:
            railroads[_drawing_of(segment_origin.feature)].add(segment.railroad)
            segment_count[_drawing_of(segment_origin.feature)] += 1
    note_count = Counter((_drawing_of(note.feature), _OUTCOMES[note.kind]) for note in _drawing_notes(board))
    return [
        DrawingLine(
            file=file,
            features=len(features[file]),
            railroads=tuple(sorted(railroads[file])),
            segments=segment_count[file],
            notes=tuple(note_count[file, outcome] for outcome in _COLUMNS),
        )
        for file in sorted({*features, *(file for file, _ in note_count if file)})
    ]


def list_outcomes(board: Board) -> list[OutcomeList]:
    """Return the messages of each outcome that there is, in the order of the notes."""
    notes = list(_drawing_notes(board))
    outcome_lists = [
        OutcomeList(outcome, tuple(note.message for note in notes if _OUTCOMES[note.kind] == outcome))
        for outcome in _COLUMNS
    ]
    return [one for one in outcome_lists if one.messages]


def _drawing_notes(board: Board) -> Iterable[TraceNote]:
    return (note for note in board.provenance.notes if note.kind in _OUTCOMES)


def _drawing_of(feature: str) -> str:
    return feature.partition("#")[0]
