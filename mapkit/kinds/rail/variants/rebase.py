"""Rebase of a variant between two compiled boards: ids that changed are followed, mergers named as causes."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import pairwise
from typing import Final

from mapkit.document.command import Command
from mapkit.document.draft import RowWritten
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.model.board import REGIONS, Board
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
    match = match_boards(old, new)
    names = _names(old, new, match)
    change = BaseChange(
        board=new.id,
        operations=variant_of(old, new, name="base").variant.operations,
        rename=names.of,
        rename_row=names.of_row,
        explain_loss=partial(_explain_loss, old=old, mergers=cache(lambda: _mergers(old, new))),
    )
    return rebase_variant(variant, ground_of(compiled_board(old)), ground_of(compiled_board(new)), change)


def _mergers(old: Board, new: Board) -> dict[str, str]:
    """Return the railroads that the new base merged into another, by the id of the other."""
    owner = {segment.id: segment.railroad for segment in new.segments}
    heirs: dict[str, set[str]] = defaultdict(set)
    for step in diff_boards(old, new).story:
        if step.kind == "railroads merged":
            gone, *segments = (element.partition(":")[2] for element in step.elements)
            heirs[gone].update(owner[ident] for ident in segments)
    return {gone: next(iter(into)) for gone, into in heirs.items() if len(into) == 1}


def _explain_loss(operation: Command, old: Board, mergers: Callable[[], Mapping[str, str]]) -> str:
    """Say which railroads that an operation names, or whose segments, the new base merged; empty if none."""
    of = {segment.id: segment.railroad for segment in old.segments} if mergers() else {}
    gone = dict.fromkeys(of.get(ident, ident) for ident in named(operation))
    said = [f"the new base merged railroad {ident!r} into {mergers()[ident]!r}" for ident in gone if ident in mergers()]
    return "".join(f"; {text}" for text in said)


def _names(old: Board, new: Board, match: Matching) -> _Names:
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
    known, posts = set(match.segments.values()), set(match.mileposts.values())
    long = (match.translated(segment) for segment in old.segments if segment.id not in match.segments)
    short = [segment for segment in new.segments if segment.id not in known]
    for section, stretch in cut_sections(long, short, {m.id for m in new.mileposts if m.id not in posts}):
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
