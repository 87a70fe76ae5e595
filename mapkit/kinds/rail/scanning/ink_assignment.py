"""Assignment of lines to railroads by their cross-sections, where several railroads claim the same ink.

Colours of a scan are noisy, and thin lines are paler than their ink, so single pixels cannot distinguish similar inks,
but a whole line can. Cross-sections are taken along each claimed line, pixel by pixel. The cross-sections of a
railroad's sure lines, clustered by k-means, are its vocabulary: a solid line has one kind of section, a dashed one two,
a sawtooth or a ladder more. A line is assigned to the railroad with the nearest vocabulary.
Where railroads share an ink, a claimant stands for all of them, and colours alone judge.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.core.base import Point
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32
from mapkit.kinds.rail.scanning.inks import (
    InkDistances,
    Keys,
    blend_table,
    blend_to_rgb,
    colour_table,
    measure_angles,
    rgb_to_blend,
)

_SECTION_OFFSETS: Final = np.arange(-3.0, 3.01, 1.0)
_CLUSTER_COUNT: Final = 6
_KMEANS_ROUNDS: Final = 8
_LEARNING_TURNS: Final = 3
_MAX_SECTIONS: Final = 4000
_KEPT_SHARE: Final = 0.75
"""Share of a line's sections that count, the most typical first: names and crossing lines hide some."""
_STRONGEST_SHARE: Final = 0.4
"""Share of a line's pixels, those most different from all grounds, that show its ink."""
_MAX_SECTIONS_OF_LINE: Final = 250
_USUAL_PERCENTILE: Final = 85
"""Percentile of the distances from a vocabulary to its own lines, taken as the usual distance."""
_GOOD_CONFIDENCE: Final = 0.96
"""Least confidence of lines to learn from, if any reach it: it excludes letters of names, as these are crooked."""
_MIN_TEACHING_LINES: Final = 3
"""Least number of lines to learn from, if there are as many."""
_SEED_SHARE: Final = 0.4
"""Share of the lines clearly nearest to an ink that form its first vocabulary, the nearest first."""
_TEACHING_SPREAD: Final = 0.015
"""Margin above the usual distance of a vocabulary's lines; lines beyond it are not learned from."""
_MIN_SECTIONS: Final = 6
_UNKNOWN_DISTANCE: Final = 9.0
_ALIKE_DISTANCE: Final = 0.004
_INK_REACH: Final = 2.5
"""Reach of the search for ink to each side of a line's middle, in pixels."""
_BEST_PERCENTILE: Final = 33
"""Percentile of the colour distances along a line, taken as its distance from the railroad's colour."""
_FAINT_RATIO: Final = 1.5
"""Ratio of a line's colour distance to that of its railroad's nearest line; lines above it are faint."""
_ANGLE_SCALE: Final = 0.25
"""Distance in OKLab that counts as much as an angle of one radian between a line and an ink."""
_INK_WEIGHT: Final = 0.9
"""Weight of the direction of a line from the ground beside the features of its pattern."""
_DARKEST_GROUND: Final = 0.1
_END_LENGTH: Final = 12
"""Length of the end of a line that shows its direction, pixels."""
_BLEND_OFFSETS: Final = np.arange(-9.0, 10.0)
"""Places across a line for its blend with the ground, pixels from its middle."""
_GROUND_SAMPLES: Final = 3
"""Samples at each end of them that show the ground beside the line."""
_STROKE_REACH: Final = 5.0
"""Greatest distance of the samples of the line itself from its middle, pixels."""
_SAME_COLOUR: Final = 0.008
"""Colours nearer than this are the same."""
_CLEAR_LEAD: Final = 0.01
"""Least lead in OKLab of the claiming railroad over all others for a line to be clearly its own."""


@dataclass(frozen=True)
class LineClaim:
    """Claim of a railroad to a line, with the line's sections and colour.

    Attributes:
        railroad: The number of the railroad.
        sections: OKLab across the line, of shape (steps, samples * 3).
        ink: OKLab of the line where it is strongest.
        good: Confidence of the traced path itself, 0 to 1.
        colour_distances: Distance of its colour from each ink in OKLab, where it comes nearest.
        hidden: Share of the line hidden by something else; its sections there show the other thing.
        xy: Places of the sections in pixels of the picture, of shape (steps, 2).
        across: Unit normal of the line at each of them.
        ground: Blend coordinates (`inks.blend_table`) of the ground beside the line.
        shift: Difference of the line from the ground, summed across the line; the median along it.
    """

    railroad: int
    sections: Floats32
    ink: Floats
    good: float
    colour_distances: Floats
    hidden: float = 0.0
    xy: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    across: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    ground: Floats = field(default_factory=lambda: np.zeros(3))
    shift: Floats = field(default_factory=lambda: np.zeros(3))

    @property
    def off(self) -> float:
        """Distance of its colour from the claimed ink in OKLab, where it comes nearest."""
        return float(self.colour_distances[self.railroad])

    def find_end_directions(self) -> Floats:
        """Return unit vectors from both ends into the line; zeros where it is too short."""
        reach = min(_END_LENGTH, len(self.xy) - 1)
        if reach < 1:
            return np.zeros((2, 2))
        vectors = np.array([self.xy[reach] - self.xy[0], self.xy[-1 - reach] - self.xy[-1]])
        return np.asarray(vectors / np.maximum(np.hypot(*vectors.T), 1e-9)[:, None])

    def find_step(self, spot: Point) -> int:
        """Return the number of the section nearest to a place; 0 without any section."""
        return int(np.hypot(*(self.xy - spot).T).argmin()) if len(self.xy) else 0

    def measure_distance(self, spot: Point) -> float:
        """Return the distance of the line from a place, pixels."""
        return float(np.hypot(*(self.xy - spot).T).min(initial=np.inf))


@dataclass(frozen=True)
class Verdict:
    """Distances of a line from the typical lines of its railroad and of others.

    Attributes:
        own: Distance of the line from the typical lines of the claiming railroad.
        usual: Usual distance of this railroad's own lines.
        rival: Distance of the line from the typical lines of the nearest other railroad.
        faint: Logarithm of the colour distance over the limit for faint lines, at least 0. Typical faint lines
            are names with pale edges in the colour of a railroad.
    """

    own: float
    usual: float
    rival: float
    faint: float = 0.0


def make_claim(
    railroad: int, line: Floats, keys: Keys, inked: InkDistances, inside: Bools, *, good: float, hidden: float = 0.0
) -> LineClaim:
    """Return a railroad's claim to a line.

    Args:
        railroad: The number of the railroad.
        line: Points of the line, x and y, in pixels of the picture.
        keys: Key of each pixel in the table of colours.
        inked: Distances of the picture's colours from the inks.
        inside: Mask of the pixels inside symbols.
        good: Confidence of the traced path itself.
        hidden: Share of the line hidden by something else.
    """
    sample_xy, across = _sample_line(line)
    height, width = keys.shape
    pixel_xy = np.clip(np.rint(sample_xy).astype(int), 0, (width - 1, height - 1))
    is_outside = ~inside[pixel_xy[:, 1], pixel_xy[:, 0]]
    sample_xy, across, pixel_xy = sample_xy[is_outside], across[is_outside], pixel_xy[is_outside]
    section_xy = sample_xy[:, None] + across[:, None] * _SECTION_OFFSETS[None, :, None]
    x = np.clip(np.rint(section_xy[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.rint(section_xy[..., 1]).astype(int), 0, height - 1)
    sections = colour_table()[keys[y, x]].reshape(len(sample_xy), 3 * len(_SECTION_OFFSETS)).astype(np.float32)
    line_keys = inked.keys[pixel_xy[:, 1], pixel_xy[:, 0]]
    is_own_ink = inked.off[railroad][line_keys] <= inked.off[-1][line_keys]
    line_keys = line_keys[is_own_ink] if is_own_ink.any() else line_keys
    strongest_samples = np.argsort(-inked.from_ground[line_keys], kind="stable")[
        : max(1, int(len(line_keys) * _STRONGEST_SHARE))
    ]
    ink_samples = colour_table()[line_keys[strongest_samples]]
    is_near_middle = np.abs(_SECTION_OFFSETS) <= _INK_REACH
    near_keys = keys[y[:, is_near_middle], x[:, is_near_middle]]
    colour_distances = inked.off[:-1, near_keys].min(axis=2)
    return LineClaim(
        railroad,
        sections,
        ink_samples.mean(axis=0) if len(ink_samples) else np.full(3, _UNKNOWN_DISTANCE),
        good,
        np.percentile(colour_distances, _BEST_PERCENTILE, axis=1)
        if len(near_keys)
        else np.full(len(colour_distances), _UNKNOWN_DISTANCE),
        hidden,
        sample_xy,
        across,
        *_measure_shift(sample_keys(sample_xy, across, keys, _BLEND_OFFSETS)),
    )


def _measure_shift(keys: Keys) -> tuple[Floats, Floats]:
    """Return the ground beside a line and the line's difference from it, as in `LineClaim`.

    Args:
        keys: Of the colours across the line at `_BLEND_OFFSETS`, of shape (steps, offsets).
    """
    if not len(keys):
        return np.zeros(3), np.zeros(3)
    blends = blend_table()[keys]
    beside = np.concatenate((blends[:, :_GROUND_SAMPLES], blends[:, -_GROUND_SAMPLES:]), axis=1)
    ground = np.median(beside.reshape(-1, 3), axis=0)
    inside = blends[:, np.abs(_BLEND_OFFSETS) <= _STROKE_REACH]
    return ground, np.median((inside - ground).sum(axis=1), axis=0)


def sample_keys(xy: Floats, across: Floats, keys: Keys, offsets: Floats) -> Keys:
    """Return the keys of the colours across a line, of shape (steps, offsets).

    Args:
        xy: Places on the line, of shape (steps, 2), in pixels of the picture.
        across: Unit normal at each place.
        keys: Key of each pixel in the table of colours.
        offsets: Distances from the line, pixels.
    """
    height, width = keys.shape
    section_xy = xy[:, None] + across[:, None] * offsets[None, :, None]
    x = np.clip(np.rint(section_xy[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.rint(section_xy[..., 1]).astype(int), 0, height - 1)
    return np.asarray(keys[y, x])


def _sample_line(line: Floats) -> tuple[Floats, Floats]:
    """Return points one pixel apart along a line, and the unit normal at each point."""
    side_lengths = np.hypot(*np.diff(line, axis=0).T)
    vertex_distances = np.concatenate(([0.0], np.cumsum(side_lengths)))
    steps = np.arange(0.5, max(vertex_distances[-1], 1.0), 1.0)
    sample_xy = np.stack([np.interp(steps, vertex_distances, line[:, i]) for i in (0, 1)], axis=1)
    if len(sample_xy) < 2:  # noqa: PLR2004 - one point has no direction
        return sample_xy, np.tile((1.0, 0.0), (len(sample_xy), 1))
    directions = np.gradient(sample_xy, axis=0)
    normals = np.stack((-directions[:, 1], directions[:, 0]), axis=1)
    return sample_xy, normals / np.maximum(np.hypot(*directions.T), 1e-9)[:, None]


@dataclass(frozen=True)
class Vocabulary:
    """Typical cross-sections of each railroad's lines.

    Attributes:
        inks: OKLab of each railroad's ink.
        words: Cluster means of each railroad's sections, None if there are too few.
        usual: Usual distance of each railroad's own lines, as in `Verdict.usual`.
        nearest: Colour distance of each railroad's nearest line.
    """

    inks: Floats
    words: tuple[Floats32 | None, ...]
    usual: Floats
    nearest: Floats

    def verdicts(self, claims: Sequence[LineClaim]) -> list[Verdict]:
        """Return the verdict on each claim."""
        railroad_distances = _distances_from_railroads(claims, self.inks, self.words)
        own_railroad = np.array([claim.railroad for claim in claims], dtype=int)
        rival_distance = _hide_own_railroad(railroad_distances, own_railroad).min(axis=1, initial=_UNKNOWN_DISTANCE)
        faintness = _measure_faintness(claims, own_railroad, self.nearest)
        return [
            Verdict(
                float(railroad_distances[i, r]), float(self.usual[r]), float(rival_distance[i]), float(faintness[i])
            )
            for i, r in enumerate(own_railroad.tolist())
        ]


def judge_by_colour(claims: Sequence[LineClaim], inks: Floats) -> list[Verdict]:
    """Return the verdict on each claim from colours alone, where lines of one ink have many patterns.

    Args:
        claims: Lines that inks claim.
        inks: Blend coordinates of each ink.
    """
    if not claims:
        return []
    shifts, grounds = np.array([claim.shift for claim in claims]), np.array([claim.ground for claim in claims])
    distances = _ANGLE_SCALE * np.stack([measure_angles(shifts, grounds, ink) for ink in inks], axis=1)
    own_ink = np.array([claim.railroad for claim in claims], dtype=int)
    is_good = np.array([claim.good >= _GOOD_CONFIDENCE for claim in claims], dtype=bool)
    own_distance = distances[np.arange(len(claims)), own_ink]
    rival_distance = _hide_own_railroad(distances, own_ink).min(axis=1, initial=_UNKNOWN_DISTANCE)
    usual_distances = {}
    for number in set(own_ink.tolist()):
        is_own = own_ink == number
        is_usual = is_own & is_good if (is_own & is_good).any() else is_own
        usual_distances[number] = float(np.percentile(own_distance[is_usual], _USUAL_PERCENTILE))
    return [
        Verdict(float(own), usual_distances[number], float(rival))
        for own, number, rival in zip(own_distance, own_ink.tolist(), rival_distance, strict=True)
    ]


def select_sure_lines(claims: Sequence[LineClaim], inks: Floats) -> list[LineClaim]:
    """Return the claims to clear lines whose direction from the ground is nearest to that of the claimed ink.

    Args:
        claims: Lines that inks claim.
        inks: Blend coordinates of each ink.
    """
    return [
        claim
        for claim, verdict in zip(claims, judge_by_colour(claims, inks), strict=True)
        if claim.good >= _GOOD_CONFIDENCE and verdict.own <= verdict.rival and claim.shift.any()
    ]


def measure_ink_directions(claims: Sequence[LineClaim]) -> Floats:
    """Return the direction of each line from the ground as features of a pattern, of shape (lines, 3).

    Ink absorbs a share of what the paper reflects, so the change relative to the ground depends little on tints.

    Args:
        claims: Lines that inks claim.
    """
    shifts = blend_to_rgb(np.array([claim.shift for claim in claims]).reshape(-1, 3))
    grounds = blend_to_rgb(np.array([claim.ground for claim in claims]).reshape(-1, 3))
    changes = rgb_to_blend(shifts / np.maximum(grounds, _DARKEST_GROUND))
    return np.asarray(_INK_WEIGHT * changes / np.maximum(np.linalg.norm(changes, axis=1, keepdims=True), 1e-9))


def learn_vocabulary(claims: Sequence[LineClaim], inks: Floats) -> Vocabulary:
    """Learn the typical cross-sections of each railroad from its surest lines.

    Args:
        claims: Lines that railroads claim.
        inks: OKLab of each railroad's ink.
    """
    railroad_count = len(inks)
    own_railroad = np.array([claim.railroad for claim in claims], dtype=int)
    is_good = np.array([claim.good >= _GOOD_CONFIDENCE for claim in claims], dtype=bool)
    colour_distances = [[claim.off for claim in claims if claim.railroad == r] for r in range(railroad_count)]
    nearest_distance = np.array([min(railroad_lines, default=_UNKNOWN_DISTANCE) for railroad_lines in colour_distances])
    is_good &= _measure_faintness(claims, own_railroad, nearest_distance) == 0
    railroad_distances = _distances_from_inks(claims, inks)
    usual_distance = np.full(railroad_count, _UNKNOWN_DISTANCE)
    vocabularies: list[Floats32 | None] = [None] * railroad_count
    for turn in range(_LEARNING_TURNS):
        lead = (
            _hide_own_railroad(railroad_distances, own_railroad).min(axis=1, initial=_UNKNOWN_DISTANCE)
            - railroad_distances[np.arange(len(claims)), own_railroad]
        )
        taught_lines = []
        for r in range(railroad_count):
            is_candidate = (own_railroad == r) & (railroad_distances[:, r] <= usual_distance[r] + _TEACHING_SPREAD)
            if (is_candidate & is_good).any():
                is_candidate &= is_good
            is_clear = is_candidate & (lead > _CLEAR_LEAD)
            teaching_lines = np.flatnonzero(is_clear if is_clear.any() else is_candidate & (lead > -_ALIKE_DISTANCE))
            teaching_lines = teaching_lines[np.argsort(railroad_distances[teaching_lines, r], kind="stable")]
            taught_lines.append(
                teaching_lines[
                    : max(_MIN_TEACHING_LINES, int(len(teaching_lines) * (_KEPT_SHARE if turn else _SEED_SHARE)))
                ]
            )
            vocabularies[r] = _cluster_sections([claims[i] for i in taught_lines[-1]])
        railroad_distances = _distances_from_railroads(claims, inks, vocabularies)
        usual_distance = np.array(
            [
                np.percentile(railroad_distances[railroad_lines, r], _USUAL_PERCENTILE)
                if len(railroad_lines)
                else _UNKNOWN_DISTANCE
                for r, railroad_lines in enumerate(taught_lines)
            ]
        )
    return Vocabulary(inks, tuple(vocabularies), usual_distance, nearest_distance)


def _measure_faintness(claims: Sequence[LineClaim], own: Ints, nearest: Floats) -> Floats:
    """Return the faintness of each line, as in `Verdict.faint`."""
    colour_distance = np.array([claim.off for claim in claims])
    distance_ratio = np.maximum(colour_distance, _SAME_COLOUR) / (_FAINT_RATIO * np.maximum(nearest[own], _SAME_COLOUR))
    return np.asarray(np.maximum(np.log(distance_ratio), 0.0))


def _distances_from_inks(claims: Sequence[LineClaim], inks: Floats) -> Floats:
    line_inks = np.array([claim.ink for claim in claims]).reshape(-1, 3)
    return np.asarray(np.linalg.norm(line_inks[:, None] - inks[None], axis=2))


def _distances_from_railroads(claims: Sequence[LineClaim], inks: Floats, words: Sequence[Floats32 | None]) -> Floats:
    """Return the distance of each line from each railroad: that of its sections plus that of its ink."""
    all_sections = np.concatenate(
        [claim.sections for claim in claims] or [np.zeros((0, 3 * len(_SECTION_OFFSETS)), np.float32)]
    )
    section_cuts = np.cumsum([0, *(len(claim.sections) for claim in claims)])
    kept_shares = [_KEPT_SHARE * (1 - claim.hidden) for claim in claims]
    line_distances = np.full((len(section_cuts) - 1, len(words)), _UNKNOWN_DISTANCE)
    for number, cluster_means in enumerate(words):
        if cluster_means is None:
            continue
        section_distances = np.sqrt(_mean_squares(all_sections, cluster_means).min(axis=1))
        for i in np.flatnonzero(np.diff(section_cuts)).tolist():
            values = section_distances[section_cuts[i] : section_cuts[i + 1]]
            kept_count = max(1, int(len(values) * kept_shares[i]))
            line_distances[i, number] = float(np.partition(values, kept_count - 1)[:kept_count].mean())
    return np.asarray(line_distances + _distances_from_inks(claims, inks))


def _hide_own_railroad(far: Floats, own: Ints) -> Floats:
    """Return the distances from other railroads; those from the claiming railroad become a large number."""
    other_distances = far.copy()
    other_distances[np.arange(len(far)), own] = _UNKNOWN_DISTANCE
    return other_distances


def _cluster_sections(claims: Sequence[LineClaim]) -> Floats32 | None:
    """Cluster the sections of some lines by k-means, and return the cluster means; None if there are too few sections.

    Of very many sections, those of the first lines are used.
    """
    section_parts: list[Floats32] = []
    section_count = 0
    for claim in claims:
        if section_count > _MAX_SECTIONS:
            break
        section_parts.append(claim.sections[:_MAX_SECTIONS_OF_LINE])
        section_count += len(section_parts[-1])
    if section_count < _MIN_SECTIONS:
        return None
    all_sections = np.concatenate(section_parts)
    by_lightness = np.argsort(all_sections.reshape(section_count, -1, 3)[:, :, 0].mean(axis=1), kind="stable")
    cluster_means = all_sections[by_lightness[np.linspace(0, section_count - 1, _CLUSTER_COUNT).astype(int)]]
    for _ in range(_KMEANS_ROUNDS):
        nearest_cluster = _mean_squares(all_sections, cluster_means).argmin(axis=1)
        for cluster_number in range(len(cluster_means)):
            cluster_sections = all_sections[nearest_cluster == cluster_number]
            if len(cluster_sections):
                cluster_means[cluster_number] = cluster_sections.mean(axis=0)
    return np.asarray(cluster_means, np.float32)


def _mean_squares(sections: Floats32, middles: Floats32) -> Floats32:
    """Return the mean square distance of sections from cluster means."""
    squared_distances = (sections**2).sum(axis=1)[:, None] + (middles**2).sum(axis=1)[None] - 2 * sections @ middles.T
    return np.asarray(np.maximum(squared_distances, 0) / len(_SECTION_OFFSETS), np.float32)
