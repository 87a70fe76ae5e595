"""Audit of the text of a laid out board: names that overlap, leave the map, are too small or too faint.

Pure functions over a `Layout`, and a `Theme` where colours matter. They verify the placement from
the boxes of the drawn texts, and return flaws in a fixed order; shipped boards have none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.memo import memoize_by_identity
from mapkit.drawing.colours.colour import contrast, mix_colours
from mapkit.drawing.colours.legibility import LEAST_CONTRAST
from mapkit.drawing.text_width import Face, missing_characters
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_colours, visible_tint
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.lines.line_patterns import PENS
from mapkit.kinds.rail.render.page_areas import shrink_to_frame
from mapkit.kinds.rail.render.symbols import list_symbol_boxes
from mapkit.kinds.rail.render.text.labels import cover_names
from mapkit.kinds.rail.render.text.name_layer import choose_initials_ink, choose_region_ink

LEAST_TEXT_MM: Final = 6 * 25.4 / 72
"""Six points."""
HALO_OPACITY: Final = 0.85
_TOUCH_MM: Final = 0.01
_ON_TRACK_MM2: Final = 0.4
"""The stem of a letter in the smallest names: 0.25 mm wide, 1.6 mm high. Less is invisible to readers."""

Fault = Literal["overlap", "over-symbol", "outside", "small", "missing-glyph", "faint", "no-name", "on-track"]


@dataclass(frozen=True)
class NameFlaw:
    """Flaw of a text on the map.

    Args:
        fault: Kind of the flaw.
        of: Keys of the texts, as in `data-of`: `c-`, `m-`, `rr-` or `region-` and an id.
        text: The text as set.
        detail: The measurement in words.
        at: A place on the page, in millimetres.
    """

    fault: Fault
    of: tuple[str, ...]
    text: str
    detail: str
    at: tuple[float, float]


@dataclass(frozen=True)
class PlacedText:
    """Text on the page: its key, words, font size and face, the area of its ink, and the same with its leader line."""

    key: str
    text: str
    size: float
    face: Face
    ink: BaseGeometry
    shape: BaseGeometry


def list_placed_texts(layout: Layout) -> list[PlacedText]:
    """List every text of the map: names, initials, names of regions."""
    set_texts = [
        PlacedText(
            spot.name.key,
            spot.name.text,
            spot.name.size,
            "bold" if spot.name.bold else "regular",
            shapely.box(*spot.box),
            shape,
        )
        for spot, shape in zip(layout.names, cover_names(layout.names, 0.0), strict=True)
    ]
    for mark in layout.initials:
        ink = shapely.Polygon(mark.corners)
        set_texts.append(PlacedText(f"rr-{mark.railroad}", mark.text, mark.size, "bold", ink, ink))
    for region_name in layout.region_names:
        ink = shapely.box(*region_name.box)
        name_text = " ".join(row for row, _ in region_name.rows)
        set_texts.append(PlacedText(f"region-{region_name.region}", name_text, region_name.size, "regular", ink, ink))
    return set_texts


def find_flaws(layout: Layout, fault: Fault) -> list[NameFlaw]:
    """Return the flaws of one kind of a board's text; those of kind `faint` depend on the theme, see `faint`."""
    return _AUDITS[fault](_cached_texts(layout), layout)


def find_overlapping_texts(texts: Sequence[PlacedText]) -> list[NameFlaw]:
    """Find pairs of texts with ink that may overlap."""
    text_shapes = _list_shapes(texts)
    first_texts, second_texts = shapely.STRtree(text_shapes).query(text_shapes, predicate="intersects")
    name_flaws = []
    for a, b in sorted((int(a), int(b)) for a, b in zip(first_texts, second_texts, strict=True) if a < b):
        common_shape = shapely.intersection(text_shapes[a], text_shapes[b])
        if common_shape.area > _TOUCH_MM:
            overlap_text = f"overlaps {texts[b].text!r} by {common_shape.area:.2f} mm2"
            name_flaws.append(_make_flaw("overlap", (texts[a].key, texts[b].key), texts[a], overlap_text))
    return name_flaws


def find_texts_over_symbols(texts: Sequence[PlacedText], layout: Layout) -> list[NameFlaw]:
    """Find texts that cover a square, a dot or a junction."""
    boxes = list_symbol_boxes(layout.board, layout.spots, layout.squares, layout.sizes)
    if not boxes:
        return []
    symbol_insides = shapely.buffer(shapely.box(*np.array(boxes).T), -_TOUCH_MM, join_style="mitre")
    hit_texts, hit_symbols = shapely.STRtree(symbol_insides).query([text.ink for text in texts], predicate="intersects")
    symbol_of_text: dict[int, int] = {}
    for text, symbol_number in sorted(zip(hit_texts.tolist(), hit_symbols.tolist(), strict=True)):
        symbol_of_text.setdefault(text, symbol_number)
    places = {text: shapely.centroid(symbol_insides[symbol_number]) for text, symbol_number in symbol_of_text.items()}
    return [
        _make_flaw("over-symbol", (texts[t].key,), texts[t], f"covers the symbol at {p.x:.1f}, {p.y:.1f} mm")
        for t, p in places.items()
    ]


def find_texts_outside(texts: Sequence[PlacedText], layout: Layout) -> list[NameFlaw]:
    """Find texts that leave the map or the page."""
    page = layout.board.page
    area = shapely.intersection(
        shapely.box(*shrink_to_frame(layout.area)), shapely.box(0.0, 0.0, page.width, page.height)
    )
    is_inside = shapely.covers(area, _list_shapes(texts))
    return [
        _make_flaw("outside", (text.key,), text, "reaches over the edge of the map, or touches its frame")
        for text, stays_inside in zip(texts, is_inside.tolist(), strict=True)
        if not stays_inside
    ]


def find_texts_on_track(texts: Sequence[PlacedText], layout: Layout) -> list[NameFlaw]:
    """Find names, also of regions, on or against a line; initials belong there."""
    board = layout.board
    name_texts = [text for text in texts if not text.key.startswith("rr-")]
    if not name_texts or not board.pieces:
        return []
    half_widths = {r.id: PENS[r.style.pattern].body * layout.sizes.line / 2 for r in board.railroads}
    track_lines = [shapely.LineString(layout.thin_lines[piece.id]) for piece in board.pieces]
    track = shapely.buffer(track_lines, [half_widths[piece.railroad] for piece in board.pieces], cap_style="flat")
    hit_names, piece = shapely.STRtree(track).query([text.ink for text in name_texts], predicate="intersects")
    covered_areas: dict[int, float] = {}
    for name_number, piece_number in zip(hit_names.tolist(), piece.tolist(), strict=True):
        covered_areas[name_number] = covered_areas.get(name_number, 0.0) + shapely.area(
            shapely.intersection(name_texts[name_number].ink, track[piece_number])
        )
    return [
        _make_flaw(
            "on-track",
            (name_texts[name_number].key,),
            name_texts[name_number],
            f"a line runs over {covered_area:.1f} mm2 of it",
        )
        for name_number, covered_area in sorted(covered_areas.items())
        if covered_area > _ON_TRACK_MM2
    ]


def find_small_texts(texts: Iterable[PlacedText]) -> list[NameFlaw]:
    """Find texts set smaller than 6 pt at the page's size."""
    return [
        _make_flaw("small", (text.key,), text, f"{text.size * 72 / 25.4:.1f} pt; 6 pt is the least")
        for text in texts
        if text.size < LEAST_TEXT_MM
    ]


def find_missing_glyphs(texts: Iterable[PlacedText]) -> list[NameFlaw]:
    """Find texts with characters that the shipped fonts lack."""
    return [
        _make_flaw("missing-glyph", (text.key,), text, f"the shipped font has no {missing_text}")
        for text in texts
        if (missing_text := missing_characters(text.text, face=text.face))
    ]


def find_unnamed_cities(layout: Layout) -> list[NameFlaw]:
    """Find cities without a name on the map."""
    named_keys = {spot.name.key for spot in layout.names}
    return [
        NameFlaw("no-name", (f"c-{c.id}",), c.name, "is not named on the map", layout.squares[c.id])
        for c in layout.board.cities
        if f"c-{c.id}" not in named_keys
    ]


def find_faint_names(layout: Layout, theme: Theme) -> list[NameFlaw]:
    """Find texts with a contrast of less than 4.5 : 1 to the colours around their letters.

    Names have a halo, laid over any colour of the map; initials have an opaque one; a region's name lies on its
    own tint.
    """
    board = layout.board
    region_by_id = {r.id: r for r in board.regions}
    seen_tints = {r.id: visible_tint(r, theme) for r in board.regions}
    line_colours = choose_railroad_colours(board, theme)
    sorted_colours = sorted(line_colours.values())
    ground_colours = [theme.land, theme.water, theme.casing, *seen_tints.values(), *sorted_colours]
    name_flaws: list[NameFlaw] = []
    worst = min(
        (
            round(contrast(theme.ink, mix_colours(theme.halo, ground_colour, HALO_OPACITY)), 2)
            for ground_colour in ground_colours
        ),
        default=21.0,
    )
    if worst < LEAST_CONTRAST and layout.names:
        first = layout.names[0]
        flaw_detail = (
            f"names in {theme.ink} on their halo have a contrast of {worst:.2f}; at least {LEAST_CONTRAST} is needed"
        )
        name_flaws.append(NameFlaw("faint", (first.name.key,), first.name.text, flaw_detail, (first.x, first.y)))
    reported_railroads: set[str] = set()
    for initials_mark in layout.initials:
        text_contrast = contrast(choose_initials_ink(theme, line_colours[initials_mark.railroad]), theme.halo)
        if text_contrast < LEAST_CONTRAST and initials_mark.railroad not in reported_railroads:
            reported_railroads.add(initials_mark.railroad)
            flaw_detail = f"the contrast to the halo is {text_contrast:.2f}; at least {LEAST_CONTRAST} is needed"
            name_flaws.append(
                NameFlaw(
                    "faint",
                    (f"rr-{initials_mark.railroad}",),
                    initials_mark.text,
                    flaw_detail,
                    (initials_mark.x, initials_mark.y),
                )
            )
    for region_name in layout.region_names:
        text_contrast = contrast(
            choose_region_ink(theme, region_by_id[region_name.region]), seen_tints[region_name.region]
        )
        if text_contrast < LEAST_CONTRAST:
            flaw_detail = f"the contrast to the tint is {text_contrast:.2f}; at least {LEAST_CONTRAST} is needed"
            name_flaws.append(
                NameFlaw(
                    "faint",
                    (f"region-{region_name.region}",),
                    region_name.rows[0][0],
                    flaw_detail,
                    region_name.rows[0][1],
                )
            )
    return name_flaws


def _list_shapes(texts: Sequence[PlacedText]) -> NDArray[np.object_]:
    text_shapes = np.empty(len(texts), dtype=object)
    text_shapes[:] = [text.shape for text in texts]
    return text_shapes


def _make_flaw(fault: Fault, keys: tuple[str, ...], text: PlacedText, detail: str) -> NameFlaw:
    text_middle = shapely.centroid(text.shape)
    return NameFlaw(fault, keys, text.text, detail, (round(text_middle.x, 2), round(text_middle.y, 2)))


_cached_texts = memoize_by_identity(2)(list_placed_texts)
_AUDITS: Final[Mapping[Fault, Callable[[Sequence[PlacedText], Layout], list[NameFlaw]]]] = {
    "overlap": lambda texts, _: find_overlapping_texts(texts),
    "over-symbol": find_texts_over_symbols,
    "outside": find_texts_outside,
    "on-track": find_texts_on_track,
    "small": lambda texts, _: find_small_texts(texts),
    "missing-glyph": lambda texts, _: find_missing_glyphs(texts),
    "no-name": lambda _, layout: find_unnamed_cities(layout),
}
