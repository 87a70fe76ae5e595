"""Steps of a difference's story as single operations: mergers, splits, reassigned track, mileposts, lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from typing import Final

from mapkit.kinds.rail.commands.lines import AddLine
from mapkit.kinds.rail.commands.on_track.mileposts import InsertMilepost
from mapkit.kinds.rail.commands.on_track.pieces import tracks
from mapkit.kinds.rail.commands.on_track.segments import ReassignSegments
from mapkit.kinds.rail.commands.places import DeletePlace
from mapkit.kinds.rail.commands.railroads import MergeRailroads, SplitRailroad
from mapkit.kinds.rail.model.difference import StoryStep
from mapkit.kinds.rail.variants.board_derivation import BoardDerivation, railroad_fields, rounded_point
from mapkit.kinds.rail.variants.stretches import lines_of


def propose_track_steps(plan: BoardDerivation) -> None:
    """Propose mergers, splits, reassigned segments, and mileposts that came into sections or went from them."""
    _propose(plan, _OF_RAILROADS)
    _propose(plan, _OF_SECTIONS)


def propose_line_steps(plan: BoardDerivation) -> None:
    """Propose new lines beside track that is there."""
    _propose(plan, {"line added": _added_line})


_Propose = Callable[[BoardDerivation, StoryStep], object]


def _propose(plan: BoardDerivation, makers: Mapping[str, _Propose]) -> None:
    for step in plan.diff.story:
        if (propose := makers.get(step.kind)) is not None:
            propose(plan, step)


def _named(step: StoryStep, kind: str) -> list[str]:
    return [ident for what, _, ident in (element.partition(":") for element in step.elements) if what == kind]


def _old_segments(plan: BoardDerivation, step: StoryStep) -> tuple[str, ...]:
    """Return the segments of a step by the ids of the board before, sorted."""
    old = {change.id: change.a for change in plan.diff.of("segment", "changed")}
    return tuple(sorted(old.get(ident) or ident for ident in _named(step, "segment")))


def _merged(plan: BoardDerivation, step: StoryStep) -> None:
    (gone,) = _named(step, "railroad")
    into = plan.segments[_named(step, "segment")[0]].railroad
    price = plan.goal.railroads[into].price
    plan.propose(MergeRailroads(railroads=(into, gone), into=into, price=price, reason=step.text))


def _split(plan: BoardDerivation, step: StoryStep) -> None:
    (new,) = _named(step, "railroad")
    chosen = _old_segments(plan, step)
    if new in plan.draft.table("railroads"):  # it was split off another already
        plan.propose(ReassignSegments(segments=chosen, railroad=new, reason=step.text))
        return
    old = next(segment.railroad for segment in plan.base.segments if segment.id == chosen[0])
    given = {"railroad": old, "segments": chosen, "id": new, "reason": step.text}
    plan.propose(SplitRailroad.model_validate({**given, **railroad_fields(plan.goal.railroads[new])}))


def _reassigned(plan: BoardDerivation, step: StoryStep) -> None:
    railroad = plan.segments[_named(step, "segment")[0]].railroad
    segments = _old_segments(plan, step)
    for each in (segments, *((one,) for one in segments)):
        if plan.propose(ReassignSegments(segments=each, railroad=railroad, reason=step.text)) and each is segments:
            return


def _inserted(plan: BoardDerivation, step: StoryStep) -> None:
    places = _named(step, "milepost")
    if len(places) > 1:
        return
    row = plan.goal.mileposts[places[0]]
    lon, lat = rounded_point((row.lon, row.lat))
    gone = {change.a for change in plan.diff.of("segment", "removed")}
    cut = [ident for ident in _named(step, "segment") if ident in gone]
    plan.propose_first(
        InsertMilepost(id=places[0], name=row.name, segments=tuple(segments), lon=lon, lat=lat, reason=step.text)
        for segments in (cut, *([one] for one in cut))
    )


def _taken_out(plan: BoardDerivation, step: StoryStep) -> None:
    for ident in _named(step, "milepost"):
        plan.propose(DeletePlace(place=ident, track="join", reason=step.text))


def _added_line(plan: BoardDerivation, step: StoryStep) -> None:
    for stretch in lines_of(plan.segments[ident] for ident in _named(step, "segment")):
        plan.propose_first(
            AddLine(railroad=stretch.railroad, stops=stretch.places, along=along, reason=step.text)
            for along in sorted(_railroads_along(plan, stretch.places) - {stretch.railroad})
        )


def _railroads_along(plan: BoardDerivation, places: Iterable[str]) -> set[str]:
    """Return the railroads with a piece of track at every step of a way."""

    def users() -> Iterator[set[str]]:
        index = tracks(plan.draft)
        for one, other in pairwise(places):
            yield {plan.track[piece].railroad for piece in index.at.get(one, set()) & index.at.get(other, set())}

    return reduce(set.intersection, users())


_OF_RAILROADS: Final[Mapping[str, _Propose]] = {
    "railroads merged": _merged,
    "railroad split": _split,
    "segments reassigned": _reassigned,
}
_OF_SECTIONS: Final[Mapping[str, _Propose]] = {"milepost inserted": _inserted, "milepost taken out": _taken_out}
