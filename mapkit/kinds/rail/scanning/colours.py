"""Colours of railroads in a picture: from the board, from a table, or picked at a pixel."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.base import Point
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.drawing.colours.colour import to_hex
from mapkit.formats.pixels import Pixels
from mapkit.formats.tables import Problems, Row, parse_number, read_table
from mapkit.kinds.rail.scanning.enlarging import scale_point
from mapkit.kinds.rail.scanning.ink_assignment import LineClaim
from mapkit.kinds.rail.scanning.inks import (
    blend_table,
    colour_blend,
    colour_table,
    distances_from_colour,
    find_grounds,
    measure_angles,
    pixels_to_keys,
)

_PICK_REACH: Final = 4
_PICKED_PIXELS: Final = 6
_MAX_PICKED_DISTANCE: Final = 0.15
"""Greatest OKLab distance of the ink from the picked pixel: a thin line is paler than its ink."""
_MAX_ASIDE: Final = 0.05
"""Greatest OKLab distance of the ink from the line through the pixel and its ground, since colours mix where a line
meets a dot."""
_INK_SHARE: Final = 0.6
"""A pixel with at least this share of the greatest difference from the grounds around it is ink itself."""
_SURE_INK: Final = 0.15
"""A pixel that differs from the grounds by this much in OKLab is ink in any case."""
_WIDE_SHARE: Final = 0.03
_GROUND_HALVES: Final = 6.0
_STROKE_HALVES: Final = 1.25
"""Reach of the ground beside a clicked line, and of the line itself, in halves of a dot."""
_GROUND_ROUNDS: Final = 3
_OTHER_STRENGTH: Final = 0.3
_OTHER_ANGLE: Final = 0.7
"""Share of a railroad's strength, and angle in radians, from which a pixel beside its line is of another line."""
_STRENGTH_FACTORS: Final = (1.0, 1.5, 2.2)
"""How much stronger than a line its ink may be."""
_INK_COST: Final = 0.08
_INK_COST_WITH_LINES: Final = 0.2
"""Cost of a further ink, radians squared, if only clicks are known, and if the lines of the picture are."""
_LINE_WEIGHT: Final = 0.05
_MAX_LINE_ANGLE: Final = 0.6
"""Weight of the squared angle of a line of the picture beside those of clicks, and greatest angle, radians."""
_CLICKED_DISTANCE: Final = 6.0
"""Greatest distance of a click from the middle of its line, pixels: a sawtooth swings about it."""
_LEAST_GAIN: Final = 1e-9
_SHARE_POWER: Final = 4
_WEIGHTS: Final = (0.5, 2.5)
"""Weight of the angles of a line that fills more of the pixels around its click than others, and its limits."""
_STRONG_SHARE: Final = 0.75
_LISTED_SHARE: Final = 0.02
_MAX_LISTED: Final = 3
_LISTED_DISTANCE: Final = 0.02
_HEX_CHARACTERS: Final = frozenset("0123456789abcdef")
_HEX_DIGITS: Final = 6
_DARK_BELOW: Final = 0.35
_LIGHT_ABOVE: Final = 0.9


class PictureInks(NamedTuple):
    """Colours of railroads in a picture, and a pixel on a line of some, by their ids."""

    colours: dict[str, str]
    clicks: dict[str, Point]


def read_colours(text: str, pixels: Pixels, *, file: str, railroads: Mapping[str, str]) -> PictureInks:
    """Read colours of railroads from a table with the columns `railroad`, then `colour`, or `x` and `y`, or all three.

    Args:
        text: The table.
        pixels: The picture, in which `x` and `y` are a pixel on a line of the railroad.
        file: The table's name, for messages.
        railroads: The colours that the board states, by id; only these may be named.

    Raises:
        SourceError: A row is wrong.
    """
    problems = Problems()
    inks = PictureInks({}, {})
    for row in read_table(
        text, file=file, required=("railroad",), optional=("colour", "x", "y", "note"), problems=problems
    ):
        try:
            ident, colour, click = _read_row(row, pixels, railroads)
            if ident in inks.colours:
                problems.add(row.at(f"railroad {ident!r} has a colour above; remove one of them"))
            inks.colours.setdefault(ident, colour)
            if click is not None:
                inks.clicks.setdefault(ident, click)
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return inks


def _read_row(row: Row, pixels: Pixels, railroads: Mapping[str, str]) -> tuple[str, str, Point | None]:
    row_cells = {"colour": "", "x": "", "y": ""} | row.cells
    railroad_id = row_cells["railroad"]
    if railroad_id not in railroads:
        raise SourceError(
            row.at(f"no railroad {railroad_id!r} in railroads.csv{did_you_mean(railroad_id, railroads)}; correct it")
        )
    colour = check_colour(row_cells["colour"], row.at) if row_cells["colour"] else ""
    if not row_cells["x"] or not row_cells["y"]:
        if not colour:
            raise SourceError(row.at("no colour; give #rrggbb, or x and y of a pixel on its line"))
        return railroad_id, colour, None
    x, y = parse_number(row, "x", like="812"), parse_number(row, "y", like="455")
    height, width = pixels.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        raise SourceError(row.at(f"pixel {x:g}, {y:g} is outside the picture of {width} by {height}; correct it"))
    return railroad_id, colour or pick_colour(pixels, int(x), int(y)), (x, y)


def check_colour(text: str, said: object = None) -> str:
    """Return a colour as `#rrggbb`.

    Raises:
        SourceError: The text is not a colour; `said`, a function, puts where it stands before the message.
    """
    colour = text.strip().lower()
    if len(colour) == _HEX_DIGITS + 1 and colour[0] == "#" and set(colour[1:]) <= _HEX_CHARACTERS:
        return colour
    message = f"colour {text!r} is not one; write it as #rrggbb, such as #aa4845"
    raise SourceError(said(message) if callable(said) else message)


def pick_colour(pixels: Pixels, x: int, y: int) -> str:
    """Return the ink at a pixel: of similar pixels around it, the mean of the few that differ most from all grounds."""
    grounds = find_grounds(pixels_to_keys(pixels), np.zeros((0, 3)), _WIDE_SHARE)
    top, left = max(0, y - _PICK_REACH), max(0, x - _PICK_REACH)
    patch_pixels = pixels[top : y + _PICK_REACH + 1, left : x + _PICK_REACH + 1].reshape(-1, 3)
    patch_colours = colour_table()[pixels_to_keys(patch_pixels)]
    ground_distance = (
        np.linalg.norm(patch_colours[:, None] - grounds[None], axis=2).min(axis=1)
        if len(grounds)
        else np.ones(len(patch_pixels))
    )
    picked_colour = colour_table()[pixels_to_keys(pixels[y, x])]
    picked_distance = np.linalg.norm(patch_colours - picked_colour, axis=1)
    if ground_distance[picked_distance.argmin()] > min(_INK_SHARE * ground_distance.max(), _SURE_INK):
        ground_distance[
            (picked_distance > _MAX_PICKED_DISTANCE)
            | (_distance_from_mix(patch_colours, picked_colour, grounds) > _MAX_ASIDE)
        ] = 0.0
    strongest_pixels = np.argsort(-ground_distance, kind="stable")[:_PICKED_PIXELS]
    return to_hex(patch_pixels[strongest_pixels].mean(axis=0) / 255)


def unite_inks(
    pixels: Pixels,
    colours: Mapping[str, str],
    clicks: Mapping[str, Point],
    dot: float,
    lines: Sequence[LineClaim] = (),
    scale: float = 1.0,
) -> dict[str, str]:
    """Return the ink of each railroad, `#rrggbb`: several are printed in one ink, and thin strokes look paler than it.

    Railroads share an ink if their lines differ from the ground in the direction of this ink. The inks are those
    proposed that minimise the weighted squared angles between both, summed over the railroads and the lines, plus a
    cost for each ink: uncapacitated facility location. Railroads without a click keep their colours, which others may
    share.

    Args:
        pixels: The picture.
        colours: The colour of each railroad in the picture, `#rrggbb`, by its id.
        clicks: A pixel on a line of some railroads.
        dot: Half the width of a dot, pixels.
        lines: Lines that were followed. One below a click shows its ink better than the pixels around the click; all of
            them show inks that no click was taken for.
        scale: That of the picture in which lines were followed.
    """
    strokes = {i: _read_stroke(pixels, colours[i], clicks[i], dot) for i in sorted(clicks) if i in colours}
    if not strokes:
        return dict(colours)
    given = sorted({colour for ident, colour in colours.items() if ident not in strokes})
    proposals = [colour_blend(colour) for colour in given]
    for ident, stroke in strokes.items():
        direction = stroke.shift / max(float(np.linalg.norm(stroke.shift)), 1e-9)
        proposals.append(colour_blend(colours[ident]))
        proposals += [stroke.ground + direction * stroke.strength * factor for factor in _STRENGTH_FACTORS]
    shares = np.array([stroke.share for stroke in strokes.values()])
    weights = np.clip((shares / max(float(np.median(shares)), 1e-9)) ** _SHARE_POWER, *_WEIGHTS)
    click_angles = np.array([stroke.measure_angles(proposals) for stroke in strokes.values()])
    line_angles = _measure_line_angles(lines, proposals)
    for number, ident in enumerate(strokes) if len(lines) else ():
        distances = [line.measure_distance(scale_point(clicks[ident], scale)) for line in lines]
        if min(distances) <= _CLICKED_DISTANCE:
            click_angles[number] = line_angles[int(np.argmin(distances))]
    costs = weights[:, None] * click_angles**2, _LINE_WEIGHT * np.minimum(line_angles, _MAX_LINE_ANGLE) ** 2
    ink_cost = _INK_COST_WITH_LINES if len(lines) else _INK_COST
    chosen = _choose_inks(np.concatenate(costs), np.where(np.arange(len(proposals)) < len(given), 0.0, ink_cost))[
        : len(strokes)
    ]
    inks = dict(colours)
    for number in sorted(set(chosen)):
        members = [ident for ident, own_number in zip(strokes, chosen, strict=True) if own_number == number]
        colour = given[number] if number < len(given) else _find_purest_colour(members, colours, strokes)
        inks |= dict.fromkeys(members, colour)
    return inks


def _measure_line_angles(lines: Sequence[LineClaim], inks: Sequence[Floats]) -> Floats:
    """Return the angle of each line from the direction of each ink, radians, of shape (lines, inks)."""
    shifts = np.array([line.shift for line in lines]).reshape(-1, 3)
    grounds = np.array([line.ground for line in lines]).reshape(-1, 3)
    return np.stack([measure_angles(shifts, grounds, ink) for ink in inks], axis=1)


class _Stroke(NamedTuple):
    """Line at a click in blend coordinates (`inks.blend_table`).

    `ground` lies beside it, `shift` is the mean difference of the pixels around the click from the ground, and
    `strength` the difference of the railroad's colour.
    """

    ground: Floats
    shift: Floats
    strength: float

    @property
    def share(self) -> float:
        """Share of the pixels around the click that the line fills."""
        return float(np.linalg.norm(self.shift)) / max(self.strength, 1e-9)

    def measure_angles(self, inks: Sequence[Floats]) -> list[float]:
        """Return the angle of the line from the direction of each ink, radians."""
        return [float(measure_angles(self.shift[None], self.ground[None], ink)[0]) for ink in inks]


def _read_stroke(pixels: Pixels, colour: str, click: Point, dot: float) -> _Stroke:
    """Read the line at a click; pixels of other lines, which differ from the ground in another direction, are left."""
    reach = math.ceil(_GROUND_HALVES * dot)
    top, left = max(0, int(click[1]) - reach), max(0, int(click[0]) - reach)
    patch_keys = pixels_to_keys(pixels[top : int(click[1]) + reach + 1, left : int(click[0]) + reach + 1])
    rows, columns = np.indices(patch_keys.shape)
    is_near = np.hypot(columns + left - click[0], rows + top - click[1]) <= _STROKE_HALVES * dot
    patch = blend_table()[patch_keys]
    beside = patch[~is_near]
    ground = np.median(beside, axis=0)
    for _ in range(_GROUND_ROUNDS):
        distances = np.linalg.norm(beside - ground, axis=1)
        ground = np.median(beside[distances <= np.median(distances)], axis=0)
    ink = colour_blend(colour)
    strength = float(np.linalg.norm(ink - ground))
    shifts = patch[is_near] - ground
    is_other = (np.linalg.norm(shifts, axis=1) > _OTHER_STRENGTH * strength) & (
        measure_angles(shifts, ground[None], ink) > _OTHER_ANGLE
    )
    own_shifts = shifts if is_other.all() else shifts[~is_other]
    return _Stroke(ground, own_shifts.mean(axis=0), strength)


def _choose_inks(costs: Floats, prices: Floats) -> list[int]:
    """Return the number of the proposed ink of each railroad.

    Local search: inks are added, dropped or exchanged, one at a time, as long as the total falls.

    Args:
        costs: Of each railroad in each ink, of shape (railroads, inks).
        prices: Of each ink that is used.
    """

    def total(inks: frozenset[int]) -> float:
        numbers = sorted(inks)
        return float(costs[:, numbers].min(axis=1).sum() + prices[numbers].sum())

    chosen, least = frozenset[int](), np.inf
    while True:
        others = sorted(set(range(len(prices))) - chosen)
        moves = [chosen | {new} for new in others]
        moves += [chosen - {old} for old in sorted(chosen) if len(chosen) > 1]
        moves += [chosen - {old} | {new} for old in sorted(chosen) for new in others]
        totals = [total(inks) for inks in moves]
        best = int(np.argmin(totals))
        if totals[best] > least - _LEAST_GAIN:
            numbers = sorted(chosen)
            return [numbers[number] for number in costs[:, numbers].argmin(axis=1).tolist()]
        chosen, least = moves[best], totals[best]


def _find_purest_colour(members: Sequence[str], colours: Mapping[str, str], strokes: Mapping[str, _Stroke]) -> str:
    """Return the colour of one of the railroads of an ink: of the strong ones, that nearest to the lines of all."""
    least_strength = _STRONG_SHARE * max(strokes[ident].strength for ident in members)
    strong = [ident for ident in members if strokes[ident].strength >= least_strength]
    return min(
        (colours[ident] for ident in strong),
        key=lambda colour: (sum(strokes[i].measure_angles([colour_blend(colour)])[0] ** 2 for i in members), colour),
    )


def _distance_from_mix(seen: Floats, here: Floats, grounds: Floats) -> Floats:
    """Return the OKLab distance of colours from the straight line through one colour and its nearest ground."""
    if not len(grounds):
        return np.zeros(len(seen))
    ink_vector = here - grounds[int(np.linalg.norm(grounds - here, axis=1).argmin())]
    ink_direction = ink_vector / max(float(np.linalg.norm(ink_vector)), 1e-9)
    colour_offsets = seen - here
    return np.asarray(
        np.linalg.norm(colour_offsets - (colour_offsets @ ink_direction)[:, None] * ink_direction, axis=1)
    )


def guess_symbol_colours(pixels: Pixels) -> tuple[str, ...]:
    """Return the likely fills of dots and squares: the most frequent very dark colour, and the lightest."""
    colour_counts = np.bincount(pixels_to_keys(pixels).ravel(), minlength=len(colour_table()))
    table = colour_table()
    symbol_fills: list[str] = []
    for is_candidate in (table[:, 0] < _DARK_BELOW, table[:, 0] > _LIGHT_ABOVE):
        candidate_counts = np.where(is_candidate, colour_counts, 0)
        best_key = int(candidate_counts.argmax())
        if candidate_counts[best_key]:
            is_similar = distances_from_colour(table[best_key]) < 0.03  # noqa: PLR2004 - what looks the same
            red, green, blue = ((np.arange(len(table)) >> shift & 63) * 4 + 2 for shift in (12, 6, 0))
            similar_shares = np.where(is_similar, colour_counts, 0) / max(int(colour_counts[is_similar].sum()), 1)
            symbol_fills.append(to_hex(np.array([float((c * similar_shares).sum()) for c in (red, green, blue)]) / 255))
    return tuple(symbol_fills)


def describe_colours(pixels: Pixels) -> str:
    """Describe the size of a picture and the colours that cover most of it."""
    keys = pixels_to_keys(pixels).ravel()
    table = colour_table()
    height, width = pixels.shape[:2]
    colour_texts = []
    for ground in find_grounds(keys, np.zeros((0, 3)), _LISTED_SHARE)[:_MAX_LISTED]:
        is_near = np.linalg.norm(table - ground, axis=1) < _LISTED_DISTANCE
        is_ground = is_near[keys]
        colour = to_hex(pixels.reshape(-1, 3)[is_ground].mean(axis=0) / 255)
        colour_texts.append(f"{is_ground.mean():.0%} {colour}")
    return f"{width} by {height} pixels, {', '.join(colour_texts) or 'no colour that covers much of it'}"
