"""Patterns of lines (dashes, ties, teeth, strokes) that distinguish railroads printed in one ink.

A line is described by the share of ink in its cross-sections: the mean and deviation at each distance from the middle,
and the autocorrelation along the line of the middle, of the edges, and of the difference between both sides. Dashes and
ties repeat in the middle, rims at the edges, teeth on one side. The pattern of a railroad is that of the line where its
user clicked, and spreads from line to line.
"""

from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints

CLICK_REACH: Final = 12.0
"""Greatest distance of a line from the click that names its railroad, in pixels of the picture for following lines."""
CLICKED_LENGTH: Final = 100
"""Length of a line to each side of a click that shows the pattern of its railroad, pixels."""
_NEIGHBOURS: Final = 6
"""Number of lines most like a line to which its railroad spreads."""
_MEETING: Final = 5.0
"""Affinity of lines of one pattern that meet at right angles; that of two lines that look the same is 1."""
_MEETING_SPREAD: Final = 1.5
"""Distance at which this affinity falls, as a multiple of the usual distance."""
_SEED_AFFINITY: Final = 2.0
_SPREADING: Final = 0.97
"""Share of a line's railroad that it has from the lines around it."""
_SHARPNESS: Final = 5
"""Power of the scores of railroads that makes them likelihoods."""
_UNKNOWN: Final = 2.0
"""Distance of a line that is too short from the lines that it meets, as a multiple of the usual distance."""
_GROUND_SAMPLES: Final = 5
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
_WEIGHTS: Final = np.concatenate((np.full(2 * (_HALF_WIDTH + 1), 1.0), np.full(2 * _LAGS, 0.5), np.full(_LAGS, 0.35)))
"""Weights of the features: means and deviations, then the three autocorrelations."""


def describe_pattern(sections: Floats, ink: Floats) -> Floats:
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
    inside = sections[:, _GROUND_SAMPLES:-_GROUND_SAMPLES]
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
    features: Floats, ends: Ints, directions: Floats, clicked: Floats, seeds: Ints
) -> tuple[Ints, Floats]:
    """Return the railroad of each line, and its likelihood.

    Railroads spread from the clicked patterns to the lines most like them and to lines that meet those at a symbol,
    straight on rather than back (Zhou et al., "Learning with local and global consistency", 2004).

    Args:
        features: Of each line, not a number where it is too short.
        ends: Numbers of the symbols at both ends of each line; railroads continue there.
        directions: Unit vectors from these ends into the line, of shape (lines, 2, 2).
        clicked: Features of the line at the click on each railroad.
        seeds: Number of that line.
    """
    line_count, railroad_count = len(features), len(clicked)
    affinities = np.zeros((line_count + railroad_count, line_count + railroad_count))
    distances, usual = _measure_distances(np.concatenate((features, clicked)))
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :_NEIGHBOURS]
    rows = np.arange(len(distances))[:, None]
    affinities[rows, nearest] = np.exp(-((distances[rows, nearest] / usual) ** 2) / 2)
    affinities = np.maximum(affinities, affinities.T)
    meets = ends[:, None, :, None] == ends[None, :, None, :]
    straightness = np.where(meets, 1 - np.einsum("aik,bjk->abij", directions, directions), 0.0).max(axis=(2, 3))
    np.fill_diagonal(straightness, 0.0)
    between_lines = distances[:line_count, :line_count]
    between_lines = np.where(np.isfinite(between_lines), between_lines, _UNKNOWN * usual)
    likeness = np.exp(-((between_lines / (_MEETING_SPREAD * usual)) ** 2) / 2)
    affinities[:line_count, :line_count] += _MEETING * straightness * likeness
    clicks = np.arange(line_count, len(distances))
    affinities[clicks, seeds] = affinities[seeds, clicks] = _SEED_AFFINITY
    degrees = np.sqrt(np.maximum(affinities.sum(axis=1), 1e-9))
    spreading = affinities / degrees[:, None] / degrees[None]
    scores = np.linalg.solve(np.eye(len(distances)) - _SPREADING * spreading, np.eye(len(distances))[:, clicks])
    scores = np.maximum(scores[:line_count], 1e-9) ** _SHARPNESS
    return scores.argmax(axis=1), np.asarray(scores.max(axis=1) / scores.sum(axis=1))


def _measure_distances(features: Floats) -> tuple[Floats, float]:
    """Return the distances between lines, infinite where one is too short or the same, and the usual one."""
    known_features = np.nan_to_num(features)
    squares = (known_features**2).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * known_features @ known_features.T, 0.0))
    is_short = np.isnan(features[:, 0])
    distances[is_short] = np.inf
    distances[:, is_short] = np.inf
    np.fill_diagonal(distances, np.inf)
    nearest = np.sort(distances, axis=1)[:, :_NEIGHBOURS]
    known = nearest[np.isfinite(nearest)]
    return distances, max(float(np.median(known)), 1e-6) if len(known) else 1.0


def find_clicked_lines(distances: Floats) -> Ints:
    """Return the line at the click on each railroad; where none was followed there, the nearest that is free.

    Args:
        distances: Of each line from the click on each railroad, of shape (lines, railroads), pixels.
    """
    seeds = np.where(distances.min(axis=0) <= CLICK_REACH, distances.argmin(axis=0), -1)
    for number in np.flatnonzero(seeds < 0).tolist():
        free_distances = distances[:, number].copy()
        free_distances[seeds[seeds >= 0]] = np.inf
        seeds[number] = int(free_distances.argmin())
    return np.asarray(seeds)
