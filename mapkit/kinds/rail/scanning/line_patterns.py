"""Patterns of lines (dashes, ties, teeth, strokes) that distinguish railroads printed in one ink.

A line is described by the share of ink in its cross-sections: the mean and deviation at each distance from the middle,
and the autocorrelation along the line of the middle, of the edges, and of the difference between both sides. Dashes and
ties repeat in the middle, rims at the edges, teeth on one side. The pattern of a railroad starts as that of the line
where its user clicked, and is learned from the lines nearest to it.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.scanning.arrays import Floats32

CLICK_REACH: Final = 4.0
"""Greatest distance of a line from the click that names its railroad, in pixels of the picture for following lines."""
_CLICKED_LINES: Final = 2
"""Number of lines at a click that show the pattern: some pass through a dot beside it."""
_SPREAD: Final = 0.12
"""Difference of distances that makes one railroad e times as likely as another."""
_GROUND_SAMPLES: Final = 3
"""Samples at each end of a cross-section that show the ground beside the line."""
_HALF_WIDTH: Final = 4
PATTERN_OFFSETS: Final = np.arange(-_HALF_WIDTH - _GROUND_SAMPLES, _HALF_WIDTH + _GROUND_SAMPLES + 1.0)
"""Places of the samples of a cross-section, pixels from the middle of the line."""
_SHARE_LIMITS: Final = (-0.2, 1.2)
"""Least and greatest share of ink in a pixel; noise goes beyond 0 and 1."""
_LAGS: Final = 15
"""Greatest lag of the autocorrelation, pixels: the longest period of most printed patterns."""
_MIN_STEPS: Final = 6
_MIN_OVERLAP: Final = 5
_ROUNDS: Final = 3
_TAUGHT_SHARE: Final = 0.6
_MIN_TAUGHT: Final = 3
_MIN_GOOD: Final = 0.8
_SEED_WEIGHT: Final = 3
_CLICKED_SHARE: Final = 0.4
"""Share of the clicked line in the pattern of a railroad; the rest is learned."""
_CONTINUING: Final = 0.2
"""How much nearer a line is to the pattern of a railroad for each of its ends at which that railroad has a line."""
_MIN_CONTINUING: Final = 0.3
"""Least confidence of such a line."""
_UNKNOWN: Final = 0.5
"""Distance of a line that is too short from every pattern."""
_FAR: Final = 99.0
"""Feature, and distance, of a pattern that is not known."""
_WEIGHTS: Final = np.concatenate((np.full(2 * (_HALF_WIDTH + 1), 1.0), np.full(2 * _LAGS, 0.5), np.full(_LAGS, 0.35)))
"""Weights of the features: means and deviations, then the three autocorrelations."""


def describe_pattern(sections: Floats32, ink: Floats) -> Floats:
    """Return the features of a line; they are not a number if the line is too short.

    Args:
        sections: OKLab across the line at `PATTERN_OFFSETS`, of shape (steps, offsets, 3).
        ink: OKLab of the ink.
    """
    if len(sections) < _MIN_STEPS:
        return np.full(len(_WEIGHTS), np.nan)
    outside = np.concatenate((sections[:, :_GROUND_SAMPLES], sections[:, -_GROUND_SAMPLES:]), axis=1)
    ground = np.median(outside.reshape(-1, 3), axis=0)
    stretch = ink - ground
    inside = sections[:, _GROUND_SAMPLES:-_GROUND_SAMPLES].astype(np.float64)
    shares = np.clip((inside - ground) @ stretch / max(float(stretch @ stretch), 1e-6), *_SHARE_LIMITS)
    middle = shares.shape[1] // 2
    by_offset = (shares + shares[:, ::-1])[:, middle:] / 2
    one_sided = shares[:, middle + 1 :].mean(axis=1) - shares[:, :middle].mean(axis=1)
    series = (shares[:, middle - 1 : middle + 2].mean(axis=1), by_offset[:, 2:].mean(axis=1), one_sided)
    parts = (by_offset.mean(axis=0), by_offset.std(axis=0), *(_autocorrelate(values) for values in series))
    return np.asarray(np.concatenate(parts) * _WEIGHTS)


def _autocorrelate(values: Floats) -> Floats:
    """Return the autocovariance at each lag as a deviation: its root, with its sign."""
    centred = values - values.mean()
    covariance = np.zeros(_LAGS)
    for lag in range(1, min(_LAGS + 1, len(values) - _MIN_OVERLAP + 1)):
        covariance[lag - 1] = (centred[:-lag] * centred[lag:]).mean()
    return np.asarray(np.sign(covariance) * np.sqrt(np.abs(covariance)))


def assign_railroads(
    features: Floats, lengths: Ints, good: Floats, ends: Ints, click_distances: Floats
) -> tuple[Ints, Floats]:
    """Return the railroad of each line of one ink, and its likelihood.

    Args:
        features: Of each line.
        lengths: Of each line, pixels.
        good: Confidence of each line.
        ends: Numbers of the symbols at both ends of each line; railroads continue there.
        click_distances: Of each line from the click on each railroad, of shape (lines, railroads), pixels.
    """
    is_described = ~np.isnan(features[:, 0])
    seeds = _find_clicked_lines(np.where(is_described[:, None], click_distances, np.inf))
    clicked = np.array(
        [
            np.average(features[lines], axis=0, weights=lengths[lines])
            if len(lines)
            else np.full(features.shape[1], _FAR)
            for lines in seeds
        ]
    )
    patterns = clicked.copy()
    described = np.nan_to_num(features)
    neighbours = [np.flatnonzero(np.isin(ends, pair).any(axis=1) & (good > _MIN_CONTINUING)) for pair in ends]
    for learning_round in range(_ROUNDS + 1):
        distances = np.stack([np.linalg.norm(described - pattern, axis=1) for pattern in patterns], axis=1)
        distances[~is_described] = _UNKNOWN
        lead = _measure_lead(distances)
        distances = _favour_continuing(distances, ends, neighbours)
        nearest = distances.argmin(axis=1)
        for number, seed_lines in enumerate(seeds if learning_round < _ROUNDS else ()):
            own_lines = np.flatnonzero((nearest == number) & is_described & (good > _MIN_GOOD))
            taught_count = max(_MIN_TAUGHT, int(len(own_lines) * _TAUGHT_SHARE))
            own_lines = own_lines[np.argsort(-lead[own_lines], kind="stable")][:taught_count]
            lines = np.concatenate((own_lines, np.repeat(seed_lines, _SEED_WEIGHT)))
            if len(seed_lines):
                learned = np.average(features[lines], axis=0, weights=lengths[lines])
                patterns[number] = _CLICKED_SHARE * clicked[number] + (1 - _CLICKED_SHARE) * learned
    likelihoods = np.exp((distances.min(axis=1, keepdims=True) - distances) / _SPREAD)
    return nearest, np.asarray(likelihoods.max(axis=1) / likelihoods.sum(axis=1))


def _find_clicked_lines(distances: Floats) -> list[Ints]:
    """Return the lines under the click on each railroad; where none was followed there, the nearest that is free."""
    by_distance = np.argsort(distances, axis=0, kind="stable").T
    seeds = [
        lines[:_CLICKED_LINES][own_distances[lines[:_CLICKED_LINES]] <= CLICK_REACH]
        for lines, own_distances in zip(by_distance, distances.T, strict=True)
    ]
    taken = {line for lines in seeds for line in lines.tolist()}
    for number, lines in enumerate(by_distance):
        if not len(seeds[number]):
            free_lines = [line for line in lines.tolist() if line not in taken and np.isfinite(distances[line, number])]
            seeds[number] = np.array(free_lines[:1], dtype=np.int64)
            taken.update(free_lines[:1])
    return seeds


def _favour_continuing(distances: Floats, ends: Ints, neighbours: Sequence[Ints]) -> Floats:
    """Return distances that are smaller for railroads whose lines meet a line at its ends."""
    favoured = distances
    for _ in range(_ROUNDS):
        nearest = favoured.argmin(axis=1)
        favoured = distances.copy()
        for line, near_lines in enumerate(neighbours):
            for end in ends[line]:
                is_there = (ends[near_lines] == end).any(axis=1) & (near_lines != line)
                favoured[line, np.unique(nearest[near_lines[is_there]])] -= _CONTINUING
    return favoured


def _measure_lead(distances: Floats) -> Floats:
    """Return by how much the nearest railroad leads the second."""
    two = np.partition(np.minimum(distances, _FAR), 1, axis=1)[:, :2]
    return np.asarray(two[:, 1] - two[:, 0])
