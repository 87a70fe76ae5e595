"""Moving a variant to a changed base: ids that changed are followed, what no longer fits is told and left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pydantic import TypeAdapter

from mapkit.errors import VariantError
from mapkit.model.board import REGIONS, Board
from mapkit.model.board_diff import BoardDiff
from mapkit.model.rebase import Fate, Rebased, RebasedOperation
from mapkit.model.variant import Operation, Variant
from mapkit.variants.as_variant import variant_of
from mapkit.variants.board_diff import diff_boards
from mapkit.variants.matching import Matching, match_boards
from mapkit.variants.operations import carry_out
from mapkit.variants.stretches import cut_sections
from mapkit.variants.touched import Key, Touched, key_text
from mapkit.variants.work import OperationError, Work

MAX_EXPLAINED: Final = 100
"""Of more operations that do not fit it is not tried to say whether they are done already."""

_OPERATION: Final[TypeAdapter[Operation]] = TypeAdapter(Operation)
_OWN: Final[Mapping[str, Mapping[str, str]]] = {
    "remove-milepost": {"id": "milepost"},
    "rename-milepost": {"id": "milepost"},
    "move-milepost": {"id": "milepost"},
    "remove-railroad": {"id": "railroad"},
    "change-railroad": {"id": "railroad"},
    "make-public": {"id": "railroad"},
    "change-region": {"id": "region"},
    "remove-region": {"id": "region"},
    "change-city": {"id": "city"},
    "remove-city": {"id": "city"},
    "remove-junction": {"id": "junction"},
    "add-segment": {"a": "node", "b": "node"},
    "add-piece": {"a": "node", "b": "node"},
    "set-payoff": {"a": "city", "b": "city"},
    "add-city": {"payoffs": "city"},
    "move-city": {"was": "region"},
}
"""Operation -> fields that name what the base has, and what that is."""
_TRACK: Final = ("add-segment", "add-line", "add-piece")
_MAKES: Final = (
    "add-milepost",
    "insert-milepost",
    "add-railroad",
    "split-railroad",
    "add-region",
    "add-city",
    "add-junction",
)
"""Operations whose `id` names something new."""
_FIELDS: Final[Mapping[str, str]] = {
    "railroad": "railroad",
    "railroads": "railroad",
    "into": "railroad",
    "along": "railroad",
    "region": "region",
    "regions": "region",
    "milepost": "milepost",
    "city": "city",
    "cities": "city",
    "before": "city",
    "chart": "region",
}
"""The same of fields that mean one thing whatever the operation."""


@dataclass
class _Names:
    """What the new base calls what the old one has: id -> ids, by kind; a cut segment is several."""

    by_kind: dict[str, dict[str, str]]
    sections: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ways: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def of(self, kind: str, value: object) -> object:
        """Return an id or several in the new base's words; anything else as it is."""
        known = self.by_kind.get(kind, {})
        if isinstance(value, str):
            return known.get(value, value)
        if isinstance(value, list):
            return [self.of(kind, item) for item in value]
        if isinstance(value, dict):
            return {known.get(key, key): item for key, item in value.items()}
        return value


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
    changed, same = _written(old, own), {_bare(operation) for operation in own}
    before, after = Work(old), Work(new)
    kept: list[Operation] = []
    fates: list[RebasedOperation] = []
    lost: dict[str, int] = {}
    failed = 0
    for number, operation in enumerate(variant.operations, start=1):
        moved = _moved(operation, names)
        builds_on = _builds_on(operation, lost)
        problem = f"it builds on operation {builds_on}, which is left out" if builds_on else _problem(after, moved)
        failed += bool(problem)
        was = before.finish(()) if problem and failed <= MAX_EXPLAINED else None
        before.touched = Touched()
        wrong = _problem(before, operation)
        if wrong:
            raise VariantError(
                f"variant {variant.name}: operation {number} ({operation.op}) does not fit the base that it was made "
                f"for: {wrong}"
            )
        fate: Fate
        over = _overridden(before.touched, changed)
        # What can still be removed is not gone, whatever the base renamed.
        still_there = not problem and all(value == "gone" for value in before.touched.wrote.values())
        if _bare(operation) in same or (_agreed(before.touched, changed) and not still_there):
            after = _again(new, kept)
            fate, text = "done already", "the new base has it so"
        elif over and operation.op in _TRACK:  # it would be there twice
            after = _again(new, kept)
            fate, text = "no longer fits", over
        elif problem:
            after = _again(new, kept)
            done = was is not None and _done(was, before.finish(()), after.finish(()))
            fate, text = ("done already", "the new base has it so") if done else ("no longer fits", problem)
        else:
            kept.append(moved)
            text = "" if moved == operation else _adapted(operation, moved)
            fate = "overrides" if over else "adapted" if text else "fits"
            text = over or text
        if fate == "no longer fits" and operation.op in _MAKES:
            lost[operation.id] = number
        fates.append(RebasedOperation(number=number, op=operation.op, fate=fate, text=text))
    board = new.id if variant.board is not None else None
    return Rebased(
        variant=variant.model_copy(update={"operations": tuple(kept), "board": board}), operations=tuple(fates)
    )


def _problem(work: Work, operation: Operation) -> str:
    """Carry out an operation; return why it does not fit."""
    try:
        carry_out(work, operation)
    except OperationError as error:
        return str(error)
    return ""


def _bare(operation: Operation) -> str:
    """Return what an operation says, its reason apart."""
    return operation.model_dump_json(exclude={"reason"})


def _builds_on(operation: Operation, lost: Mapping[str, int]) -> int | None:
    """Return the number of the lost operation that would have made what this one names."""
    said = operation.model_dump(exclude={"reason", "op", "name", "title", "short"})
    return next((lost[word] for word in _words(said) if word in lost), None)


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (str(key), *_words(item))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _words(item)


def _written(old: Board, own: Sequence[Operation]) -> dict[Key, tuple[object, str]]:
    """Return what the base's own change wrote: key -> value and reason."""
    work = Work(old)
    out: dict[Key, tuple[object, str]] = {}
    for operation in own:
        work.touched = Touched()
        carry_out(work, operation)
        out |= {key: (value, operation.reason) for key, value in work.touched.wrote.items()}
    return out


def _agreed(touched: Touched, changed: Mapping[Key, tuple[object, str]]) -> bool:
    """Return whether the base's own change wrote all that an operation writes, in the same words."""
    return bool(touched.wrote) and all(
        value is not None and key in changed and changed[key][0] == value for key, value in touched.wrote.items()
    )


def _overridden(touched: Touched, changed: Mapping[Key, tuple[object, str]]) -> str:
    """Say what the base changed too, to something else; empty if nothing."""
    both = [key for key, value in touched.wrote.items() if key in changed and changed[key][0] != value]
    return "; ".join(f"{key_text(key)} was changed in the base too: {changed[key][1]}" for key in both)


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


def _moved(operation: Operation, names: _Names) -> Operation:
    """Return an operation in the new base's words."""
    data = operation.model_dump(exclude_unset=True) | {"op": operation.op}
    kinds = {**_FIELDS, **_OWN.get(operation.op, {})}
    if operation.op == "set-destination":
        kinds |= dict.fromkeys(("was", "value"), "region" if data["chart"] == REGIONS else "city")
    elif operation.op == "solve-destinations":
        kinds["charts"] = "region"
    for name in data.keys() & kinds.keys():
        data[name] = names.of(kinds[name], _listed(data[name]))
    if "mileposts" in data:
        data["mileposts"] = _way([str(names.of("milepost", m)) for m in data["mileposts"]], names)
    if "segments" in data:
        data["segments"] = _segments([str(s) for s in data["segments"]], names, whole=operation.op != "insert-milepost")
    return _OPERATION.validate_python(data)


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _way(places: Sequence[str], names: _Names) -> list[str]:
    """Return the mileposts of a line, with those that now stand between two of them."""
    out = [places[0]]
    for one, other in pairwise(places):
        out += names.ways.get((one, other), (one, other))[1:]
    return out


def _segments(segments: Sequence[str], names: _Names, *, whole: bool) -> list[str]:
    out: list[str] = []
    for ident in segments:
        parts = names.sections.get(ident) if whole else None
        out += parts or (str(names.of("segment", ident)),)
    return out


def _adapted(one: Operation, other: Operation) -> str:
    """Say which fields of an operation read otherwise now."""
    before, after = one.model_dump(mode="json"), other.model_dump(mode="json")
    return "; ".join(f"{key}: {before[key]} -> {after[key]}" for key in after if before[key] != after[key])


def _again(new: Board, kept: Sequence[Operation]) -> Work:
    """Return the new base with the operations that fit; one that failed may have left half of itself behind."""
    work = Work(new)
    for operation in kept:
        carry_out(work, operation)
    return work


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
