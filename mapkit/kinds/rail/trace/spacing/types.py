"""Types of spacing by rule: anchors, sections, the rule, mileposts, notes."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from mapkit.core.base import Point
from mapkit.core.errors import SourceError

MAX_MILEPOSTS = 100_000
MANY_MILEPOSTS = 1_000
"""More mileposts by rule are hardly meant: boards of this family have a few hundred in all."""
MIN_GAP_MILES = 0.01
_MAX_SHIFT_SHARE = 0.4

AnchorKind = Literal["milepost", "junction", "end", "meeting"]
NoteKind = Literal["described", "tie", "loop", "unused"]


@dataclass(frozen=True)
class Anchor:
    """End of sections; `lon`, `lat` in degrees (EPSG:4326).

    Attributes:
        id: Unique among anchors.
        kind: A pinned milepost; a junction, which never becomes a milepost; or an end of a line, or a meeting of
            lines at which the rule wants a milepost, which do.
        name: The milepost's name; whatever is not a junction and has none is named here.
    """

    id: str
    kind: AnchorKind
    lon: float
    lat: float
    name: str = ""


@dataclass(frozen=True)
class Section:
    """Line between two anchors and the railroads that share it.

    Sections with the same ends and the same line, in either direction, are one corridor: they are spaced once and
    get the same mileposts.

    Attributes:
        id: Unique and stable; breaks ties and appears in names only where nothing else tells two apart.
        line: `(lon, lat)` in degrees from `a` to `b`; lengths are geodesic.
        railroads: All that run on the whole line. A corridor that several share for part of the way is cut where
            one joins or leaves, at a junction of that one; the others pass through it.
    """

    id: str
    a: Anchor
    b: Anchor
    line: tuple[Point, ...]
    railroads: tuple[str, ...]


@dataclass(frozen=True)
class SpacingRule:
    """Distances between mileposts.

    Attributes:
        miles: Target gap of the board, in statute miles.
        railroads: Target gaps of single railroads; they go before the region's.
        regions: Target gaps of regions; they go before the board's, mile by mile: where a line passes from one
            region to another it gets no milepost at the border, and the gaps change from one target to the other.
            Of a corridor shared by several railroads, the smallest target counts.
        reach_miles: How far off the line a place may lie to give its name.
        shift: How far a milepost may move along the line towards its place, as a share of the gap: 0.1 changes no
            step by more than a fifth. 0 keeps them exactly even. At most 0.4.
        junction_share: The part of a gap between a junction and the nearest milepost, 0.5 to 1; 1 treats a
            junction like a milepost.
        population_worth: What a tenfold population is worth in a name's cost, as a share of the gap.
    """

    miles: float
    railroads: Mapping[str, float] = field(default_factory=dict)
    regions: Mapping[str, float] = field(default_factory=dict)
    reach_miles: float = 5.0
    shift: float = 0.1
    junction_share: float = 0.5
    population_worth: float = 0.1

    def target(self, railroads: Iterable[str], region: str) -> float:
        """Return the target gap in a region in miles: the smallest among those of the railroads."""
        other_target = self.regions.get(region, self.miles)
        return min((self.railroads.get(railroad, other_target) for railroad in railroads), default=other_target)


@dataclass(frozen=True)
class SpacedMilepost:
    """New milepost, or new name of an anchor.

    Attributes:
        id: The slug of the name.
        section: The corridor's first section, by id; empty for an anchor.
        anchor: The end or nameless pinned milepost that it stands at; else empty.
        number: Its place in the corridor, from 1, counted from the end with the smaller anchor id; 0 for an anchor.
        miles: From that end, along the line.
        shift_miles: How far it was moved towards its place; negative is towards the start.
        place: The gazetteer's name of the place; empty if the name is a description.
        railroads: Those that share the corridor, sorted.
    """

    id: str
    name: str
    lon: float
    lat: float
    section: str
    anchor: str
    number: int
    miles: float
    shift_miles: float
    place: str
    railroads: tuple[str, ...]


@dataclass(frozen=True)
class SpacedSection:
    """Section after spacing.

    Attributes:
        section: Its id.
        corridor: The id of the section that it was spaced with; its own if it stands first.
        miles: Geodesic length.
        target_miles: The gap asked for; in several regions, the mean of their gaps over the steps that each asks for.
        gap_miles: The mean gap before shifts; the length if it got no milepost.
        mileposts: Ids of its new mileposts from `a` to `b`, anchors not among them.
        pieces: The line from `a` to `b`, cut at them: one more than there are mileposts.
    """

    section: str
    corridor: str
    miles: float
    target_miles: float
    gap_miles: float
    mileposts: tuple[str, ...]
    pieces: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class SpacingNote:
    """Note for the author: kind, message, and the ids that it refers to."""

    kind: NoteKind
    message: str
    elements: tuple[str, ...]
    lon: float | None = None
    lat: float | None = None


@dataclass(frozen=True)
class SpacingResult:
    """Result of spacing, each list sorted by id."""

    mileposts: tuple[SpacedMilepost, ...]
    sections: tuple[SpacedSection, ...]
    notes: tuple[SpacingNote, ...]


def check_rule(rule: SpacingRule) -> None:
    """Refuse a rule with numbers out of bounds.

    Raises:
        SourceError: A gap or another number of it is out of bounds; all of them are listed.
    """
    named_gaps = {"miles": rule.miles}
    named_gaps |= {f"railroads.{key}": miles for key, miles in rule.railroads.items()}
    named_gaps |= {f"regions.{key}": miles for key, miles in rule.regions.items()}
    problems = [
        f"spacing: {key} is {miles:g}; write the gap in miles, at least {MIN_GAP_MILES:g}"
        for key, miles in named_gaps.items()
        if not (math.isfinite(miles) and miles >= MIN_GAP_MILES)
    ]
    limits = {
        "reach_miles": (rule.reach_miles, 0.0, 1000.0),
        "shift": (rule.shift, 0.0, _MAX_SHIFT_SHARE),
        "junction_share": (rule.junction_share, 0.5, 1.0),
        "population_worth": (rule.population_worth, 0.0, 10.0),
    }
    problems += [
        f"spacing: {key} is {value:g}; write a number from {low:g} to {high:g}"
        for key, (value, low, high) in limits.items()
        if not low <= value <= high
    ]
    if problems:
        raise SourceError(problems)
