"""Moving a variant to a changed base: ids that changed are followed, what no longer fits is reported and left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from mapkit.core.errors import VariantError
from mapkit.document.command import Command, CommandError
from mapkit.document.draft import EXISTS, GONE, Key
from mapkit.kinds.rail.commands.command import Draft
from mapkit.kinds.rail.compiler.boards import Start, compiled_board
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.tables import SCHEMA
from mapkit.kinds.rail.variants.apply import draft_of, drafted, ground_of
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.matching import Matching, match_boards
from mapkit.kinds.rail.variants.stretches import cut_sections
from mapkit.variants.applying import carry_out
from mapkit.variants.independence import key_text
from mapkit.variants.naming import made, named, renamed
from mapkit.variants.rebased import Fate, Rebased, RebasedOperation
from mapkit.variants.variant import Variant

MAX_EXPLAINED: Final = 100
"""Of more operations that do not fit it is not tried to say whether they are done already."""


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


def rebase(variant: Variant, old: Board, new: Board) -> Rebased:
    """Move a variant from one base to another.

    Each operation is carried out on the new base after the ones that fit. Mileposts, railroads, cities and regions that
    the new base has under other ids are followed, and so are segments that it has cut in two. An operation is *done
    already* if the new base has all that it would change, and *no longer fits* if it cannot be carried out, or expects
    a value (`was`) that the new base has changed; both are left out of the variant. One that *overrides* stays: it sets
    what the new base has set too, to something else.

    Args:
        variant: It fits `old`; its bases are applied to both boards already.
        old: What it was made for.
        new: What it is moved to.

    Raises:
        VariantError: The variant does not fit `old`.
    """
    diff = diff_boards(old, new)
    names, own = _names(old, new, diff), variant_of(old, new, name="base").variant.operations
    merged = _merged(old, new)
    start, onto = compiled_board(old), compiled_board(new)
    before, after = draft_of(start), draft_of(onto)
    changed, same = _written(start, own), {_bare(operation) for operation in own}
    kept: list[Command] = []
    fates: list[RebasedOperation] = []
    lost: dict[str, int] = {}
    failed = 0
    for number, operation in enumerate(variant.operations, start=1):
        moved = renamed(operation, names.of)
        builds_on = next((lost[ident] for ident in named(operation) if ident in lost), None)
        problem = f"it builds on operation {builds_on}, which is left out" if builds_on else _problem(after, moved)
        failed += bool(problem)
        was = drafted(before, start) if problem and failed <= MAX_EXPLAINED else None
        wrong = _problem(before, operation)
        if wrong:
            raise VariantError(
                f"variant {variant.name}: operation {number} ({operation.kind}) does not fit the base that it was made "
                f"for: {wrong}"
            )
        fate: Fate
        wrote = before.written()
        over = _overridden(wrote, changed)
        # What can still be removed is not gone, whatever the base renamed.
        still_there = not problem and all(value == GONE for value in wrote.values())
        if _bare(operation) in same or (_agreed(wrote, changed) and not still_there):
            fate, text = "done already", "the new base already has it"
        elif over and _twice(wrote, changed):
            fate, text = "no longer fits", over
        elif problem:
            done = was is not None and _done(was, drafted(before, start), drafted(after, onto))
            why = "" if builds_on else _merger(operation, old, merged)
            fate, text = ("done already", "the new base already has it") if done else ("no longer fits", problem + why)
        else:
            kept.append(moved)
            text = "" if moved == operation else _adapted(operation, moved)
            fate = "overrides" if over else "adapted" if text else "fits"
            text = over or text
        if fate in ("done already", "no longer fits"):
            if not problem:
                after.take_back()
            lost |= dict.fromkeys(made(operation) if fate == "no longer fits" else (), number)
        fates.append(RebasedOperation(number=number, op=operation.kind, fate=fate, text=text))
    board = new.id if variant.board is not None else None
    return Rebased(
        variant=variant.model_copy(update={"operations": tuple(kept), "board": board}), operations=tuple(fates)
    )


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


def _problem(draft: Draft, operation: Command) -> str:
    """Carry out an operation as a step of a draft; return why it does not fit."""
    draft.begin()
    try:
        carry_out(draft, operation, ground_of(draft.index(Start).compiled))
    except CommandError as error:
        return str(error)
    return ""


def _bare(operation: Command) -> str:
    """Return what an operation says, its reason apart."""
    return operation.model_dump_json(exclude={"reason"})


def _written(start: Compiled, own: Sequence[Command]) -> dict[Key, tuple[object, str]]:
    """Return what the base's own change wrote: key -> value and reason."""
    draft = draft_of(start)
    out: dict[Key, tuple[object, str]] = {}
    for operation in own:
        draft.begin()
        carry_out(draft, operation)
        out |= {key: (value, operation.reason) for key, value in draft.written().items()}
    return out


def _agreed(wrote: Mapping[Key, object], changed: Mapping[Key, tuple[object, str]]) -> bool:
    """Return whether the base's own change wrote all that an operation writes, in the same words."""
    return bool(wrote) and all(key in changed and changed[key][0] == value for key, value in wrote.items())


def _overridden(wrote: Mapping[Key, object], changed: Mapping[Key, tuple[object, str]]) -> str:
    """Say what the base changed too, to something else; empty if nothing."""
    both = [key for key, value in wrote.items() if key in changed and changed[key][0] != value]
    said = dict.fromkeys(f"{key_text(key, SCHEMA)} was changed in the base too: {changed[key][1]}" for key in both)
    return "; ".join(said)


def _twice(wrote: Mapping[Key, object], changed: Mapping[Key, tuple[object, str]]) -> bool:
    """Return whether an operation makes what the base made too, but otherwise: it would be there twice."""
    return any(
        key[-1] == EXISTS
        and key in changed
        and any(k[:-1] == key[:-1] and k in changed and changed[k][0] != v for k, v in wrote.items())
        for key in wrote
    )


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


def _adapted(one: Command, other: Command) -> str:
    """Say which fields of an operation read otherwise now."""
    before, after = one.model_dump(mode="json"), other.model_dump(mode="json")
    return "; ".join(f"{key}: {before[key]} -> {after[key]}" for key in after if before[key] != after[key])


def _done(before: Board, after: Board, now: Board) -> bool:
    """Return whether `now` has all that leads from `before` to `after`."""
    wanted, missing = _keys(diff_boards(before, after)), _keys(diff_boards(now, after))
    return bool(wanted) and not any(
        one[: len(other)] == other or other[: len(one)] == one for one in wanted for other in missing
    )


def _keys(diff: BoardDiff) -> set[Key]:
    """Return what differs: elements that came or went, fields, cells, rules."""
    out: set[Key] = set()
    for change in diff.elements:
        if change.how == "changed":
            out |= {(change.kind, change.id, one.field) for one in change.fields}
        else:
            out.add((change.kind, change.id))
    out |= {("destination", c.chart, c.column, str(c.sum)) for c in diff.destinations}
    out |= {("payoff", *sorted((c.start, c.end))) for c in diff.payoffs}
    return out | {("rule", c.path) for c in diff.rules} | {("value", c.path) for c in diff.values}
