"""Rebase of a variant between two compiled boards: ids that changed are followed, mergers named as causes."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import pairwise
from typing import Final

from mapkit.document.command import Command
from mapkit.document.draft import RowWritten
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.tables import payoff_key
from mapkit.kinds.rail.variants.apply import make_target
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.matching import match_boards
from mapkit.kinds.rail.variants.stretches import find_cut_sections
from mapkit.variants.rebase import BaseChange, Rebased, list_named_ids, rebase_variant
from mapkit.variants.variant import Variant

_KEY_KINDS: Final[Mapping[str, str]] = {
    "regions": "region",
    "mileposts": "milepost",
    "railroads": "railroad",
    "cities": "city",
    "payoff_cities": "city",
    "junctions": "junction",
    "track": "segment",
}
"""Table -> what its keys name."""
_FIELD_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "cities": {"region": "region", "milepost": "milepost"},
    "junctions": {"railroad": "railroad"},
    "track": {"railroad": "railroad", "a": "node", "b": "node"},
}
"""Table -> field -> what it names."""


@dataclass
class _IdTranslation:
    """Translation of ids of the old base to the new one, by kind; a section cut in two has several new segments."""

    by_kind: dict[str, dict[str, str]]
    sections: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ways: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def of(self, what: str, value: object) -> object:
        """Translate one or several ids to the new base; return any other value as it is."""
        if what == "way" and isinstance(value, tuple):
            stops = [self.of("milepost", stop) for stop in value]
            new_stops = [stops[0]]
            for start_stop, end_stop in pairwise(stops):
                stops_between = (
                    self.ways.get((start_stop, end_stop))
                    if isinstance(start_stop, str) and isinstance(end_stop, str)
                    else None
                )
                new_stops += (stops_between or (start_stop, end_stop))[1:]
            return tuple(new_stops)
        if what in ("sections", "segments") and isinstance(value, tuple):
            segments = [str(stop) for stop in value]
            whole = what == "sections"
            new_segments: list[str] = []
            for ident in segments:
                section_segments = self.sections.get(ident) if whole else None
                new_segments += section_segments or (str(self.of("segment", ident)),)
            return tuple(new_segments)
        if what.startswith("item of "):
            what = "region" if what == f"item of {REGIONS}" else "city"
        known = self.by_kind.get(what, {})
        return known.get(value, value) if isinstance(value, str) else value

    def of_row(self, written: RowWritten) -> RowWritten:
        """Translate the ids of a row to the new base."""
        table, key, row, fields = written
        kind_by_field = dict(_FIELD_KINDS.get(table, {}))
        if table == "destinations":
            chart, cell_key = key.split("/", maxsplit=1)
            key, kind_by_field = f"{self.of('region', chart)}/{cell_key}", {"item": f"item of {chart}"}
        elif table == "payoffs":
            first_city, second_city = (str(self.of("city", city)) for city in key.split("|"))
            key = payoff_key(first_city, second_city)
        else:
            key = str(self.of(_KEY_KINDS.get(table, ""), key))
        values = (
            {name: self.of(what, getattr(row, name)) for name, what in kind_by_field.items()} if row is not None else {}
        )
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
    names = _IdTranslation(
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
    matched_segments, matched_mileposts = set(match.segments.values()), set(match.mileposts.values())
    old_sections = (match.translated(segment) for segment in old.segments if segment.id not in match.segments)
    new_segments = [segment for segment in new.segments if segment.id not in matched_segments]
    for section, stretch in find_cut_sections(
        old_sections, new_segments, {m.id for m in new.mileposts if m.id not in matched_mileposts}
    ):
        names.sections[section.id] = stretch.segments
        names.ways[stretch.places[0], stretch.places[-1]] = stretch.places
        names.ways[stretch.places[-1], stretch.places[0]] = stretch.places[::-1]
    change = BaseChange(
        board=new.id,
        operations=variant_of(old, new, name="base").variant.operations,
        rename=names.of,
        rename_row=names.of_row,
        explain_loss=partial(_explain_loss, old=old, mergers=cache(lambda: _find_mergers(old, new))),
    )
    return rebase_variant(variant, make_target(compiled_board(old)), make_target(compiled_board(new)), change)


def _find_mergers(old: Board, new: Board) -> dict[str, str]:
    """Return the railroads merged on the new base -> the railroad that they were merged into."""
    railroad_by_segment = {segment.id: segment.railroad for segment in new.segments}
    heirs_by_railroad: dict[str, set[str]] = defaultdict(set)
    for step in diff_boards(old, new).story:
        if step.kind == "railroads merged":
            merged_railroad, *segments = (element.partition(":")[2] for element in step.elements)
            heirs_by_railroad[merged_railroad].update(railroad_by_segment[ident] for ident in segments)
    return {
        merged_railroad: next(iter(heir_railroads))
        for merged_railroad, heir_railroads in heirs_by_railroad.items()
        if len(heir_railroads) == 1
    }


def _explain_loss(operation: Command, old: Board, mergers: Callable[[], Mapping[str, str]]) -> str:
    """Return a sentence on merged railroads that an operation names, also by segments; empty if there are none."""
    railroad_by_segment = {segment.id: segment.railroad for segment in old.segments} if mergers() else {}
    named_railroads = dict.fromkeys(
        railroad_by_segment.get(railroad_id, railroad_id) for railroad_id in list_named_ids(operation)
    )
    sentences = [
        f"the new base merged railroad {railroad_id!r} into {mergers()[railroad_id]!r}"
        for railroad_id in named_railroads
        if railroad_id in mergers()
    ]
    return "".join(f"; {text}" for text in sentences)
