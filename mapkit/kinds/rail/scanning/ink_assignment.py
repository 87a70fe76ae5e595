"""Assignment of lines to railroads by their cross-sections, where several railroads claim the same ink.

Colours of a scan are noisy, and thin lines are paler than their ink, so single pixels cannot distinguish similar inks,
but a whole line can. Cross-sections are taken along each claimed line, pixel by pixel. The cross-sections of a
railroad's sure lines, clustered by k-means, are its vocabulary: a solid line has one kind of section, a dashed one two,
a sawtooth or a ladder more. A line is assigned to the railroad with the nearest vocabulary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32
from mapkit.kinds.rail.scanning.inks import Inked, Keys, colour_table

_SECTION_OFFSETS: Final = np.arange(-3.0, 3.01, 1.0)
_CLUSTER_COUNT: Final = 6
_KMEANS_ROUNDS: Final = 8
_LEARNING_TURNS: Final = 3
_MAX_SECTIONS: Final = 4000
_KEPT_SHARE: Final = 0.75
"""Share of the sections of a line that count, the likeliest first: names and crossing lines hide some."""
_STRONGEST_SHARE: Final = 0.4
"""Share of a line's pixels, those most different from all grounds, that show its ink."""
_MAX_SECTIONS_OF_LINE: Final = 250
_USUAL_PERCENTILE: Final = 85
"""Percentile of the distances of a vocabulary's own lines that counts as usual."""
_GOOD_CONFIDENCE: Final = 0.96
"""Confidence of lines to learn from, if there are any: letters of names are crooked and less sure."""
_MIN_TEACHING_LINES: Final = 3
"""Fewer lines do not show what is usual."""
_SEED_SHARE: Final = 0.4
"""Share of the lines clearly nearest to an ink, the nearest first, for its first vocabulary."""
_TEACHING_SPREAD: Final = 0.015
"""Margin beyond the usual distance up to which lines are learned from."""
_MIN_SECTIONS: Final = 6
_UNKNOWN_DISTANCE: Final = 9.0
_ALIKE_DISTANCE: Final = 0.004
_INK_REACH: Final = 2.5
"""Reach of the search for a line's ink around its middle, pixels."""
_BEST_PERCENTILE: Final = 33
"""Percentile of the distances along a line from its railroad's colour that measures how near it comes."""
_FAINT_RATIO: Final = 1.5
"""A line whose colour is so many times as far from its railroad's as that of the nearest line is faint."""
_SAME_COLOUR: Final = 0.008
"""Colours nearer than this are the same."""
_CLEAR_LEAD: Final = 0.01
"""Lead in OKLab by which the own ink must be nearest for a line to be clearly its own."""


@dataclass(frozen=True)
class Claim:
    """Line that a railroad claims, by the railroad's number: its sections, and its colour.

    Attributes:
        railroad: The number of the railroad.
        sections: OKLab across the line, of shape (steps, samples * 3).
        ink: OKLab of the line where it is strongest.
        good: How sure the way itself is, 0 to 1.
        off: How far its colour is from the railroad's, OKLab, where it comes nearest.
        hidden: Share of the line that something else hides; there it looks like that.
    """

    railroad: int
    sections: Floats32
    ink: Floats
    good: float
    off: float = 0.0
    hidden: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """Similarity of a line to the lines of its railroad and of others.

    Attributes:
        own: How far its sections are from those usual for the railroad that claims it.
        usual: What is usual for this railroad's own lines.
        rival: How far they are from those of the likeliest other railroad.
        faint: By how much its colour is farther from the railroad's than that of faint lines begins to be, as a
            logarithm; such are names whose pale edges look like the ink of a railroad.
    """

    own: float
    usual: float
    rival: float
    faint: float = 0.0


def claim_of(
    railroad: int, line: Floats, keys: Keys, inked: Inked, inside: Bools, *, good: float, hidden: float = 0.0
) -> Claim:
    """Return a railroad's claim of a line.

    Args:
        railroad: The number of the railroad.
        line: Points of the line, x and y, in pixels of the picture.
        keys: Colours of the picture by their place in the table.
        inked: Inks of the picture.
        inside: Where symbols are.
        good: How sure the way itself is.
        hidden: Share of the line that something else hides.
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
    colour_distance = inked.off[railroad][keys[y[:, is_near_middle], x[:, is_near_middle]]].min(axis=1)
    return Claim(
        railroad,
        sections,
        ink_samples.mean(axis=0) if len(ink_samples) else np.full(3, _UNKNOWN_DISTANCE),
        good,
        float(np.percentile(colour_distance, _BEST_PERCENTILE)) if len(colour_distance) else _UNKNOWN_DISTANCE,
        hidden,
    )


def _sample_line(line: Floats) -> tuple[Floats, Floats]:
    """Return points a pixel apart along a line, and at each the direction across it."""
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
        inks: OKLab of each railroad.
        words: The sorts of cross-sections of each, None where there are too few.
        usual: How far its own lines are from these.
        nearest: How near its lines come to its colour at best.
    """

    inks: Floats
    words: tuple[Floats32 | None, ...]
    usual: Floats
    nearest: Floats

    def verdicts(self, claims: Sequence[Claim]) -> list[Verdict]:
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


def learned(claims: Sequence[Claim], inks: Floats) -> Vocabulary:
    """Learn the typical cross-sections of each railroad from the lines that are surely its own.

    Args:
        claims: Lines that railroads claim.
        inks: OKLab of each railroad.
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


def _measure_faintness(claims: Sequence[Claim], own: Ints, nearest: Floats) -> Floats:
    """Return the faintness of each line."""
    colour_distance = np.array([claim.off for claim in claims])
    distance_ratio = np.maximum(colour_distance, _SAME_COLOUR) / (_FAINT_RATIO * np.maximum(nearest[own], _SAME_COLOUR))
    return np.asarray(np.maximum(np.log(distance_ratio), 0.0))


def _distances_from_inks(claims: Sequence[Claim], inks: Floats) -> Floats:
    line_inks = np.array([claim.ink for claim in claims]).reshape(-1, 3)
    return np.asarray(np.linalg.norm(line_inks[:, None] - inks[None], axis=2))


def _distances_from_railroads(claims: Sequence[Claim], inks: Floats, words: Sequence[Floats32 | None]) -> Floats:
    """Return the distance of each line from the typical lines of each railroad."""
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
    """Return the distances to other railroads; the own one is replaced by a large number."""
    other_distances = far.copy()
    other_distances[np.arange(len(far)), own] = _UNKNOWN_DISTANCE
    return other_distances


def _cluster_sections(claims: Sequence[Claim]) -> Floats32 | None:
    """Cluster the sections of some lines by k-means, the likeliest lines first; None without lines."""
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
