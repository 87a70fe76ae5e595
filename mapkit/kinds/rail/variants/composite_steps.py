"""Conversion of steps of a change summary to single operations: mergers, splits, reassignments, mileposts, lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from typing import Final

from mapkit.kinds.rail.commands.lines import AddLine
from mapkit.kinds.rail.commands.on_track.mileposts import AddMilepost
from mapkit.kinds.rail.commands.on_track.pieces import track_index
from mapkit.kinds.rail.commands.on_track.segments import ReassignSegments
from mapkit.kinds.rail.commands.places import DeletePlace
from mapkit.kinds.rail.commands.railroads import MergeRailroads, SplitRailroad
from mapkit.kinds.rail.model.difference import StoryStep
from mapkit.kinds.rail.variants.board_derivation import BoardDerivation, railroad_fields, rounded_point
from mapkit.kinds.rail.variants.stretches import join_segments


def propose_track_steps(plan: BoardDerivation) -> None:
    """Propose mergers, splits, reassigned segments, and mileposts inserted into or removed from sections."""
    _propose_steps(plan, _RAILROAD_STEPS)
    _propose_steps(plan, _SECTION_STEPS)


def propose_line_steps(plan: BoardDerivation) -> None:
    """Propose new lines beside existing track."""
    _propose_steps(plan, {"line added": _propose_line})


_ProposeStep = Callable[[BoardDerivation, StoryStep], object]


def _propose_steps(plan: BoardDerivation, makers: Mapping[str, _ProposeStep]) -> None:
    for step in plan.diff.story:
        if (propose := makers.get(step.kind)) is not None:
            propose(plan, step)


def _element_ids(step: StoryStep, kind: str) -> list[str]:
    return [ident for what, _, ident in (element.partition(":") for element in step.elements) if what == kind]


def _old_segments(plan: BoardDerivation, step: StoryStep) -> tuple[str, ...]:
    """Return the segments of a step by their ids on the board before, sorted."""
    old_id_by_id = {change.id: change.a for change in plan.diff.of("segment", "changed")}
    return tuple(sorted(old_id_by_id.get(ident) or ident for ident in _element_ids(step, "segment")))


def _propose_merger(plan: BoardDerivation, step: StoryStep) -> None:
    (merged_railroad,) = _element_ids(step, "railroad")
    target_railroad = plan.segments[_element_ids(step, "segment")[0]].railroad
    price = plan.goal.railroads[target_railroad].price
    plan.propose(
        MergeRailroads(
            railroads=(target_railroad, merged_railroad), into=target_railroad, price=price, reason=step.text
        )
    )


def _propose_split(plan: BoardDerivation, step: StoryStep) -> None:
    (new_railroad,) = _element_ids(step, "railroad")
    split_segments = _old_segments(plan, step)
    if new_railroad in plan.draft.table("railroads"):  # it was split off another already
        plan.propose(ReassignSegments(segments=split_segments, railroad=new_railroad, reason=step.text))
        return
    old_railroad = next(segment.railroad for segment in plan.base.segments if segment.id == split_segments[0])
    command_fields = {"railroad": old_railroad, "segments": split_segments, "id": new_railroad, "reason": step.text}
    plan.propose(SplitRailroad.model_validate({**command_fields, **railroad_fields(plan.goal.railroads[new_railroad])}))


def _propose_reassignment(plan: BoardDerivation, step: StoryStep) -> None:
    railroad = plan.segments[_element_ids(step, "segment")[0]].railroad
    segments = _old_segments(plan, step)
    for tried_segments in (segments, *((segment,) for segment in segments)):
        if (
            plan.propose(ReassignSegments(segments=tried_segments, railroad=railroad, reason=step.text))
            and tried_segments is segments
        ):
            return


def _propose_insertion(plan: BoardDerivation, step: StoryStep) -> None:
    milepost_ids = _element_ids(step, "milepost")
    if len(milepost_ids) > 1:
        return
    row = plan.goal.mileposts[milepost_ids[0]]
    lon, lat = rounded_point((row.lon, row.lat))
    removed_segments = {change.a for change in plan.diff.of("segment", "removed")}
    cut_segments = [ident for ident in _element_ids(step, "segment") if ident in removed_segments]
    plan.propose_first(
        AddMilepost(id=milepost_ids[0], name=row.name, segments=tuple(segments), lon=lon, lat=lat, reason=step.text)
        for segments in (cut_segments, *([cut_segment] for cut_segment in cut_segments))
    )


def _propose_removal(plan: BoardDerivation, step: StoryStep) -> None:
    for ident in _element_ids(step, "milepost"):
        plan.propose(DeletePlace(place=ident, track="join", reason=step.text))


def _propose_line(plan: BoardDerivation, step: StoryStep) -> None:
    for stretch in join_segments(plan.segments[ident] for ident in _element_ids(step, "segment")):
        plan.propose_first(
            AddLine(railroad=stretch.railroad, stops=stretch.places, along=along, reason=step.text)
            for along in sorted(_railroads_along(plan, stretch.places) - {stretch.railroad})
        )


def _railroads_along(plan: BoardDerivation, places: Iterable[str]) -> set[str]:
    """Return the railroads with a piece of track between all successive places."""

    def users() -> Iterator[set[str]]:
        index = track_index(plan.draft)
        for start_place, end_place in pairwise(places):
            yield {
                plan.track[piece].railroad
                for piece in index.at.get(start_place, set()) & index.at.get(end_place, set())
            }

    return reduce(set.intersection, users())


_RAILROAD_STEPS: Final[Mapping[str, _ProposeStep]] = {
    "railroads merged": _propose_merger,
    "railroad split": _propose_split,
    "segments reassigned": _propose_reassignment,
}
_SECTION_STEPS: Final[Mapping[str, _ProposeStep]] = {
    "milepost inserted": _propose_insertion,
    "milepost taken out": _propose_removal,
}
