"""What is wrong with the text of a laid out board: names that overlap, leave the map, are too small or too faint.

Pure functions over a `Layout`, and a `Theme` where colours matter. They measure again what placing promises, from
the boxes of what is drawn, and return flaws in a fixed order; a board as shipped has none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.memo import remembered
from mapkit.drawing.colours.colour import contrast, mixed
from mapkit.drawing.colours.legibility import LEAST_CONTRAST
from mapkit.drawing.text_width import Face, missing_characters
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_colours, tint_seen
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.lines.pens import PENS
from mapkit.kinds.rail.render.page_areas import inside_frame
from mapkit.kinds.rail.render.symbols import symbol_boxes
from mapkit.kinds.rail.render.text.drawing import initials_ink, region_ink
from mapkit.kinds.rail.render.text.labels import shapes_of

LEAST_TEXT_MM: Final = 6 * 25.4 / 72
"""Six points."""
HALO_OPACITY: Final = 0.85
_TOUCH_MM: Final = 0.01
_ON_TRACK_MM2: Final = 0.4
"""The stem of a letter in the smallest names: 0.25 mm wide, 1.6 mm high. Who reads the map sees no less."""

Fault = Literal["overlap", "over-symbol", "outside", "small", "missing-glyph", "faint", "no-name", "on-track"]


@dataclass(frozen=True)
class NameFlaw:
    """Something wrong with a text.

    Args:
        fault: What kind.
        of: Keys of the texts, as in `data-of`: `c-`, `m-`, `rr-` or `region-` and an id.
        text: The text as set.
        detail: What was measured, in words.
        at: A place on the page, in millimetres.
    """

    fault: Fault
    of: tuple[str, ...]
    text: str
    detail: str
    at: tuple[float, float]


@dataclass(frozen=True)
class SetText:
    """A text on the page: its key, words, font size and face, what its ink covers, the same with its leader line."""

    key: str
    text: str
    size: float
    face: Face
    ink: BaseGeometry
    shape: BaseGeometry


def texts_of(layout: Layout) -> list[SetText]:
    """Return every text of the map: names, initials, names of regions."""
    found = [
        SetText(s.name.key, s.name.text, s.name.size, "bold" if s.name.bold else "regular", shapely.box(*s.box), shape)
        for s, shape in zip(layout.names, shapes_of(layout.names, 0.0), strict=True)
    ]
    for mark in layout.initials:
        ink = shapely.Polygon(mark.corners)
        found.append(SetText(f"rr-{mark.railroad}", mark.text, mark.size, "bold", ink, ink))
    for name in layout.region_names:
        ink = shapely.box(*name.box)
        words = " ".join(row for row, _ in name.rows)
        found.append(SetText(f"region-{name.region}", words, name.size, "regular", ink, ink))
    return found


def audit_names(layout: Layout, theme: Theme) -> tuple[NameFlaw, ...]:
    """Return all flaws of a board's text in one theme."""
    return (*(flaw for fault in _AUDITS for flaw in flaws_of(layout, fault)), *faint(layout, theme))


def flaws_of(layout: Layout, fault: Fault) -> list[NameFlaw]:
    """Return the flaws of one kind of a board's text; those of kind `faint` depend on the theme, see `faint`."""
    return _AUDITS[fault](_texts(layout), layout)


def overlapping(texts: Sequence[SetText]) -> list[NameFlaw]:
    """Return pairs of texts whose ink may overlap."""
    shapes = _shapes(texts)
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    flaws = []
    for a, b in sorted((int(a), int(b)) for a, b in zip(one, other, strict=True) if a < b):
        common = shapely.intersection(shapes[a], shapes[b])
        if common.area > _TOUCH_MM:
            detail = f"overlaps {texts[b].text!r} by {common.area:.2f} mm2"
            flaws.append(_flaw("overlap", (texts[a].key, texts[b].key), texts[a], detail))
    return flaws


def over_symbols(texts: Sequence[SetText], layout: Layout) -> list[NameFlaw]:
    """Return texts that cover a square, a dot or a junction."""
    symbols = symbol_boxes(layout.board, layout.spots, layout.squares, layout.sizes)
    if not symbols:
        return []
    inner = shapely.buffer(shapely.box(*np.array(symbols).T), -_TOUCH_MM, join_style="mitre")
    hit, symbol = shapely.STRtree(inner).query([text.ink for text in texts], predicate="intersects")
    found: dict[int, int] = {}
    for text, index in sorted(zip(hit.tolist(), symbol.tolist(), strict=True)):
        found.setdefault(text, index)
    places = {text: shapely.centroid(inner[index]) for text, index in found.items()}
    return [
        _flaw("over-symbol", (texts[t].key,), texts[t], f"covers the symbol at {p.x:.1f}, {p.y:.1f} mm")
        for t, p in places.items()
    ]


def outside(texts: Sequence[SetText], layout: Layout) -> list[NameFlaw]:
    """Return texts that leave the map or the page."""
    page = layout.board.page
    area = shapely.intersection(shapely.box(*inside_frame(layout.area)), shapely.box(0.0, 0.0, page.width, page.height))
    inside = shapely.covers(area, _shapes(texts))
    return [
        _flaw("outside", (text.key,), text, "reaches over the edge of the map, or touches its frame")
        for text, ok in zip(texts, inside.tolist(), strict=True)
        if not ok
    ]


def on_track(texts: Sequence[SetText], layout: Layout) -> list[NameFlaw]:
    """Return names, of regions too, that a line runs through or touches; initials belong there."""
    board = layout.board
    names = [text for text in texts if not text.key.startswith("rr-")]
    if not names or not board.pieces:
        return []
    body = {r.id: PENS[r.style.pattern].body * layout.sizes.line / 2 for r in board.railroads}
    lines = [shapely.LineString(layout.thin_lines[piece.id]) for piece in board.pieces]
    track = shapely.buffer(lines, [body[piece.railroad] for piece in board.pieces], cap_style="flat")
    hit, piece = shapely.STRtree(track).query([text.ink for text in names], predicate="intersects")
    shares: dict[int, float] = {}
    for at, of in zip(hit.tolist(), piece.tolist(), strict=True):
        shares[at] = shares.get(at, 0.0) + shapely.area(shapely.intersection(names[at].ink, track[of]))
    return [
        _flaw("on-track", (names[at].key,), names[at], f"a line runs over {area:.1f} mm2 of it")
        for at, area in sorted(shares.items())
        if area > _ON_TRACK_MM2
    ]


def too_small(texts: Iterable[SetText]) -> list[NameFlaw]:
    """Return texts set smaller than 6 pt at the page's size."""
    return [
        _flaw("small", (text.key,), text, f"{text.size * 72 / 25.4:.1f} pt; 6 pt is the least")
        for text in texts
        if text.size < LEAST_TEXT_MM
    ]


def missing_glyphs(texts: Iterable[SetText]) -> list[NameFlaw]:
    """Return texts with characters that the shipped fonts lack."""
    return [
        _flaw("missing-glyph", (text.key,), text, f"the shipped font has no {missing}")
        for text in texts
        if (missing := missing_characters(text.text, face=text.face))
    ]


def unnamed_cities(layout: Layout) -> list[NameFlaw]:
    """Return cities without a name on the map."""
    named = {spot.name.key for spot in layout.names}
    return [
        NameFlaw("no-name", (f"c-{c.id}",), c.name, "is not named on the map", layout.squares[c.id])
        for c in layout.board.cities
        if f"c-{c.id}" not in named
    ]


def faint(layout: Layout, theme: Theme) -> list[NameFlaw]:
    """Return texts that stand out by less than 4.5 : 1 from what is around their letters.

    Names have a halo, laid over any colour of the map; initials have a solid one; a region's name stands on its
    own tint.
    """
    board = layout.board
    regions = {r.id: r for r in board.regions}
    tints = {r.id: tint_seen(r, theme) for r in board.regions}
    colours = railroad_colours(board, theme)
    lines = sorted(colours.values())
    grounds = [theme.land, theme.water, theme.casing, *tints.values(), *lines]
    flaws: list[NameFlaw] = []
    worst = min((round(contrast(theme.ink, mixed(theme.halo, g, HALO_OPACITY)), 2) for g in grounds), default=21.0)
    if worst < LEAST_CONTRAST and layout.names:
        first = layout.names[0]
        detail = (
            f"names in {theme.ink} on their halo have a contrast of {worst:.2f}; at least {LEAST_CONTRAST} is needed"
        )
        flaws.append(NameFlaw("faint", (first.name.key,), first.name.text, detail, (first.x, first.y)))
    seen: set[str] = set()
    for mark in layout.initials:
        ratio = contrast(initials_ink(theme, colours[mark.railroad]), theme.halo)
        if ratio < LEAST_CONTRAST and mark.railroad not in seen:
            seen.add(mark.railroad)
            detail = f"the contrast to the halo is {ratio:.2f}; at least {LEAST_CONTRAST} is needed"
            flaws.append(NameFlaw("faint", (f"rr-{mark.railroad}",), mark.text, detail, (mark.x, mark.y)))
    for name in layout.region_names:
        ratio = contrast(region_ink(theme, regions[name.region]), tints[name.region])
        if ratio < LEAST_CONTRAST:
            detail = f"the contrast to the tint is {ratio:.2f}; at least {LEAST_CONTRAST} is needed"
            flaws.append(NameFlaw("faint", (f"region-{name.region}",), name.rows[0][0], detail, name.rows[0][1]))
    return flaws


def _shapes(texts: Sequence[SetText]) -> NDArray[np.object_]:
    shapes = np.empty(len(texts), dtype=object)
    shapes[:] = [text.shape for text in texts]
    return shapes


def _flaw(fault: Fault, keys: tuple[str, ...], text: SetText, detail: str) -> NameFlaw:
    middle = shapely.centroid(text.shape)
    return NameFlaw(fault, keys, text.text, detail, (round(middle.x, 2), round(middle.y, 2)))


_texts = remembered(2)(texts_of)
_AUDITS: Final[Mapping[Fault, Callable[[Sequence[SetText], Layout], list[NameFlaw]]]] = {
    "overlap": lambda texts, _: overlapping(texts),
    "over-symbol": over_symbols,
    "outside": outside,
    "on-track": on_track,
    "small": lambda texts, _: too_small(texts),
    "missing-glyph": lambda texts, _: missing_glyphs(texts),
    "no-name": lambda _, layout: unnamed_cities(layout),
}
