"""Rebase of a variant between two compiled boards: ids that changed are followed, mergers named as causes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final

from mapkit.document.command import Command
from mapkit.document.draft import RowWritten
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.tables import payoff_key
from mapkit.kinds.rail.variants.apply import ground_of
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.matching import Matching, match_boards
from mapkit.kinds.rail.variants.stretches import cut_sections
from mapkit.variants.naming import named
from mapkit.variants.rebase import BaseChange, Rebased, rebase_variant
from mapkit.variants.variant import Variant

_KEYS: Final[Mapping[str, str]] = {
    "regions": "region",
    "mileposts": "milepost",
    "railroads": "railroad",
    "cities": "city",
    "payoff_cities": "city",
    "junctions": "junction",
    "track": "segment",
}
"""Table -> what its keys name."""
_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "cities": {"region": "region", "milepost": "milepost"},
    "junctions": {"railroad": "railroad"},
    "track": {"railroad": "railroad", "a": "node", "b": "node"},
}
"""Table -> field -> what it names."""


@dataclass
class _Names:
    """What the new base calls what the old one has: id -> ids, by kind; a cut segment is several."""

    by_kind: dict[str, dict[str, str]]
    sections: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ways: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def of(self, what: str, value: object) -> object:
        """Return an id or several in the new base's words; anything else as it is."""
        if what == "way" and isinstance(value, tuple):
            return _way([self.of("milepost", one) for one in value], self)
        if what in ("sections", "segments") and isinstance(value, tuple):
            return _segments([str(one) for one in value], self, whole=what == "sections")
        if what.startswith("item of "):
            what = "region" if what == f"item of {REGIONS}" else "city"
        known = self.by_kind.get(what, {})
        return known.get(value, value) if isinstance(value, str) else value

    def of_row(self, written: RowWritten) -> RowWritten:
        """Return a row in the new base's words."""
        table, key, row, fields = written
        known = dict(_FIELDS.get(table, {}))
        if table == "destinations":
            chart, rest = key.split("/", maxsplit=1)
            key, known = f"{self.of('region', chart)}/{rest}", {"item": f"item of {chart}"}
        elif table == "payoffs":
            one, other = (str(self.of("city", city)) for city in key.split("|"))
            key = payoff_key(one, other)
        else:
            key = str(self.of(_KEYS.get(table, ""), key))
        values = {name: self.of(what, getattr(row, name)) for name, what in known.items()} if row is not None else {}
        return RowWritten(table, key, row and row.model_copy(update=values), fields)


def rebase(variant: Variant, old: Board, new: Board) -> Rebased:
    """Move a variant from one base to another, as `mapkit.variants.rebase.rebase_variant` does.

    Mileposts, railroads, cities and regions that the new base has under other ids are followed, and so are segments
    that it has cut in two.

    Args:
        variant: It fits `old`; its bases are applied to both boards already.
        old: What it was made for.
        new: What it is moved to.

    Raises:
        VariantError: The variant does not fit `old`.
    """
    names = _names(old, new, diff_boards(old, new))
    change = BaseChange(
        board=new.id,
        operations=variant_of(old, new, name="base").variant.operations,
        rename=names.of,
        rename_row=names.of_row,
        explain_loss=partial(_merger, old=old, merged=_merged(old, new)),
    )
    return rebase_variant(variant, ground_of(compiled_board(old)), ground_of(compiled_board(new)), change)


def _merged(old: Board, new: Board) -> dict[str, str]:
    """Return the railroads that the new base merged into another: gone id -> the id that has all of its track now.

    Lost and gained track alone would not tell a merger from a railroad that was removed where another runs beside it:
    the other must have some of the track that it did not have before.
    """
    match = match_boards(old, new)
    had, has = _joined(old, match.mileposts), _joined(new, {})
    out: dict[str, str] = {}
    for gone in sorted(had.keys() - match.railroads.keys()):
        heirs = [
            into
            for before, into in sorted(match.railroads.items())
            if had[gone] <= has.get(into, frozenset()) and not had[gone] <= had.get(before, frozenset())
        ]
        if len(heirs) == 1:
            out[gone] = heirs[0]
    return out


def _joined(board: Board, names: Mapping[str, str]) -> dict[str, frozenset[frozenset[str]]]:
    """Return the pairs of mileposts that each railroad joins, in other words if they have some."""
    out: dict[str, set[frozenset[str]]] = {}
    for segment in board.segments:
        pair = frozenset((names.get(segment.a, segment.a), names.get(segment.b, segment.b)))
        out.setdefault(segment.railroad, set()).add(pair)
    return {railroad: frozenset(pairs) for railroad, pairs in out.items()}


def _merger(operation: Command, old: Board, merged: Mapping[str, str]) -> str:
    """Say which railroads that an operation names, or whose segments, the new base merged; empty if none."""
    of = {segment.id: segment.railroad for segment in old.segments} if merged else {}
    gone = dict.fromkeys(of.get(ident, ident) for ident in named(operation))
    said = [f"the new base merged railroad {ident!r} into {merged[ident]!r}" for ident in gone if ident in merged]
    return "".join(f"; {text}" for text in said)


def _names(old: Board, new: Board, diff: BoardDiff) -> _Names:
    match: Matching = match_boards(old, new)
    names = _Names(
        {
            "milepost": dict(match.mileposts),
            "railroad": dict(match.railroads),
            "city": dict(match.cities),
            "region": {REGIONS: REGIONS, **match.regions},
            "junction": dict(match.junctions),
            "node": {**match.junctions, **match.mileposts},
            "segment": dict(match.segments),
            "city or region": {**match.regions, **match.cities},
        }
    )
    places, railroads = match.mileposts, match.railroads
    gone = {c.a for c in diff.of("segment", "removed")}
    long = {
        s.id: s.model_copy(
            update={
                "a": places.get(s.a, s.a),
                "b": places.get(s.b, s.b),
                "railroad": railroads.get(s.railroad, s.railroad),
            }
        )
        for s in old.segments
        if s.id in gone
    }
    come = {c.id for c in diff.of("segment", "added")}
    inserted = {c.id for c in diff.of("milepost", "added")}
    for section, stretch in cut_sections(long.values(), [s for s in new.segments if s.id in come], inserted):
        names.sections[section.id] = stretch.segments
        names.ways[stretch.places[0], stretch.places[-1]] = stretch.places
        names.ways[stretch.places[-1], stretch.places[0]] = stretch.places[::-1]
    return names


def _way(stops: Sequence[object], names: _Names) -> tuple[object, ...]:
    """Return the stops of a line, with mileposts that now stand between two of them."""
    out = [stops[0]]
    for one, other in pairwise(stops):
        between = names.ways.get((one, other)) if isinstance(one, str) and isinstance(other, str) else None
        out += (between or (one, other))[1:]
    return tuple(out)


def _segments(segments: Sequence[str], names: _Names, *, whole: bool) -> tuple[str, ...]:
    out: list[str] = []
    for ident in segments:
        parts = names.sections.get(ident) if whole else None
        out += parts or (str(names.of("segment", ident)),)
    return tuple(out)
