"""Checks of the drawing (R): names, room, lines and colours, on the laid-out board and in every theme.

A flaw that several themes share is one finding that names them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Colour, Frozen
from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.memo import memoize_by_identity
from mapkit.drawing.colours.colour import contrast, mix_colours
from mapkit.drawing.colours.legibility import LEAST_CONTRAST
from mapkit.drawing.text_width import Face, Family, missing_characters
from mapkit.drawing.theme.theme import THEMES, Theme
from mapkit.kinds.rail.checks.check import Check, CheckedRails, make_listed_check
from mapkit.kinds.rail.model.board import Board, Piece
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.boxes.checks import CHECKS as BOX_CHECKS
from mapkit.kinds.rail.render.colours.distances import GREY_LIMIT, LIMIT, ColourPair, measure_railroad_distances
from mapkit.kinds.rail.render.colours.railroad_styles import LINE_CONTRAST, choose_railroad_colours, visible_tint
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.audit import audit_lines
from mapkit.kinds.rail.render.lines.line_patterns import PENS
from mapkit.kinds.rail.render.page_areas import shrink_to_frame
from mapkit.kinds.rail.render.spread.audit import find_close_dots
from mapkit.kinds.rail.render.symbols import list_symbol_boxes
from mapkit.kinds.rail.render.text.labels import cover_names
from mapkit.kinds.rail.render.text.name_layer import choose_initials_ink, choose_region_ink

# Audit of the text of a laid out board: names that overlap, leave the map, are too small or too faint.
#
# Pure functions over a `Layout`, and a `Theme` where colours matter. They verify the placement from the boxes of the
# drawn texts, and return flaws in a fixed order; shipped boards have none.

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
    """Text on the page: its key, words, font, the area of its ink, and the same with its leader line."""

    key: str
    text: str
    size: float
    face: Face
    family: Family
    ink: BaseGeometry
    shape: BaseGeometry


def list_placed_texts(layout: Layout) -> list[PlacedText]:
    """List every text of the map: names, initials, names of regions."""
    family = layout.sizes.family
    set_texts = [
        PlacedText(
            spot.name.key,
            spot.name.text,
            spot.name.size,
            "bold" if spot.name.bold else "regular",
            family,
            shapely.box(*spot.box),
            shape,
        )
        for spot, shape in zip(layout.names, cover_names(layout.names, 0.0), strict=True)
    ]
    for mark in layout.initials:
        ink = shapely.Polygon(mark.corners)
        set_texts.append(PlacedText(f"rr-{mark.railroad}", mark.text, mark.size, "bold", family, ink, ink))
    for region_name in layout.region_names:
        ink = shapely.box(*region_name.box)
        name_text = " ".join(row for row, _ in region_name.rows)
        set_texts.append(
            PlacedText(f"region-{region_name.region}", name_text, region_name.size, "regular", family, ink, ink)
        )
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
    """Find texts with characters that the theme's font lacks."""
    return [
        _make_flaw("missing-glyph", (text.key,), text, f"the font {text.family} has no {missing_text}")
        for text in texts
        if (missing_text := missing_characters(text.text, face=text.face, family=text.family))
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


# Audit of the colours of a board in a theme.

LEAST_TEXT_CONTRAST: Final = 4.5
"""WCAG 2.2, 1.4.3, for text of any size."""


class TextContrast(Frozen):
    """Contrast of a kind of text on a kind of ground."""

    text: str
    ground: str
    """Where: `legend`, `land`, `water`, or the id of a region."""
    ink: Colour
    behind: Colour
    ratio: float


class LineContrast(Frozen):
    """Contrast of a railroad's line to its casing."""

    railroad: str
    ink: Colour
    behind: Colour
    ratio: float


def measure_text_contrasts(board: Board, theme: Theme) -> tuple[TextContrast, ...]:
    """Return the contrast of every kind of text on every possible ground, the least first.

    Names on the map are held against the bare ground, as if they had no halo: a halo is thinner than a letter's gap.
    """
    ground_colours = [("land", theme.land), ("water", theme.water), ("halo", theme.halo)]
    ground_colours += [(region.id, visible_tint(region, theme)) for region in board.regions]
    contrast_rows = [("name", ground_name, theme.ink, behind) for ground_name, behind in ground_colours]
    contrast_rows += [("legend", "legend", theme.ink, theme.panel), ("credits", "legend", theme.quiet_ink, theme.panel)]
    all_contrasts = (
        TextContrast(text=text, ground=ground_name, ink=ink, behind=behind, ratio=contrast(ink, behind))
        for text, ground_name, ink, behind in contrast_rows
    )
    return tuple(sorted(all_contrasts, key=lambda t: (t.ratio, t.text, t.ground)))


def find_faint_texts(board: Board, theme: Theme) -> tuple[TextContrast, ...]:
    """Return kinds of text with a contrast under 4.5:1."""
    return tuple(t for t in measure_text_contrasts(board, theme) if t.ratio < LEAST_TEXT_CONTRAST)


def find_faint_lines(board: Board, theme: Theme) -> tuple[LineContrast, ...]:
    """Return railroads with a line contrast under 3:1 (WCAG 2.2, 1.4.11) to the casing beside it."""
    line_contrasts = (
        LineContrast(railroad=railroad_id, ink=colour, behind=theme.casing, ratio=contrast(colour, theme.casing))
        for railroad_id, colour in choose_railroad_colours(board, theme).items()
    )
    return tuple(
        sorted(
            (line_contrast for line_contrast in line_contrasts if line_contrast.ratio < LINE_CONTRAST),
            key=lambda f: (f.ratio, f.railroad),
        )
    )


def find_alike_railroads(board: Board, theme: Theme) -> tuple[ColourPair, ...]:
    """Return railroads that touch, of the same pattern, with colours under the limit under any of four visions."""
    return tuple(p for p in measure_railroad_distances(board, theme) if p.smallest < LIMIT and not p.patterns_differ)


def find_alike_in_grey(board: Board) -> tuple[ColourPair, ...]:
    """Return railroads that touch, of the same pattern, that a grey copy of the board's own colours makes alike.

    The colours are those of light grounds (themes `classic` and `atlas`): `dark` is for screens, and `print` tells
    railroads apart by pattern alone.
    """
    return tuple(p for p in measure_railroad_distances(board) if p.grey < GREY_LIMIT and not p.patterns_differ)


_KIND_BY_PREFIX: Final = {"c": "city", "m": "milepost", "rr": "railroad", "region": "region"}


def _lay_out_board(checked: CheckedRails, *, text: bool = True) -> Layout:
    return lay_out(checked.board, text=text)


def _make_text_check(fault: Fault, advice: str, explained: str) -> Callable[[CheckedRails], Iterable[Found]]:
    """Make a check of one kind of flaw of the map's text; `explained` is its documentation."""

    def find(checked: CheckedRails) -> Iterator[Found]:
        for flaw in find_flaws(_lay_out_board(checked), fault):
            prefix, element_id = flaw.of[0].split("-", 1)
            milepost_id = element_id if prefix == "m" else ""
            if prefix == "c":
                milepost_id = next((c.milepost for c in checked.board.cities if c.id == element_id), "")
            yield Found(
                f"{flaw.text!r}: {flaw.detail}; {advice}",
                tuple(key.split("-", 1)[1] for key in flaw.of),
                _milepost_place(checked, milepost_id),
                {"kinds": [_KIND_BY_PREFIX[key.split("-", 1)[0]] for key in flaw.of], "x": flaw.at[0], "y": flaw.at[1]},
            )

    find.__doc__ = explained
    return find


def _milepost_place(checked: CheckedRails, ident: str) -> Place:
    milepost = checked.mileposts.get(ident)
    return Place(lon=milepost.lon, lat=milepost.lat) if milepost else Place()


_LETTERS_ADVICE: Final = "another font or a box will replace it; use Latin, Greek or Cyrillic letters"


def _find_missing_letter(checked: CheckedRails) -> Iterator[Found]:
    """Letters that the shipped fonts lack are drawn in another font, of unknown widths, or not at all.

    Looked at are the texts of the map, the board's title and the names of railroads, which stand in the legend. Letters
    that run from the right, join or stack, and those of East Asia, are refused when a board is made of its sources.
    """
    yield from _make_text_check("missing-glyph", _LETTERS_ADVICE, "")(checked)
    family = get_board_theme(checked.board).family
    named_texts: list[tuple[tuple[str, ...], str, str]] = [
        ((), f"the title {checked.board.title!r}", checked.board.title)
    ]
    named_texts += [((r.id,), f"the railroad {r.name!r}", r.name) for r in checked.board.railroads]
    for element_ids, text_kind, text in named_texts:
        if missing_letters := missing_characters(text, family=family):
            yield Found(
                f"{text_kind}: the font {family} has no {missing_letters}; {_LETTERS_ADVICE}",
                element_ids,
                Place(),
                {"kinds": ["railroad"] if element_ids else []},
            )


def _find_crowded_mileposts(checked: CheckedRails) -> Iterator[Found]:
    """Centres of dots are at least 4 mm apart on the printed page.

    Squares of cities keep as much room. Crowded mileposts are moved apart with the land around them; a
    finding means that this was not enough.
    """
    for close_pair in find_close_dots(_lay_out_board(checked, text=False)):
        first_name, second_name = (checked.mileposts[ident].name for ident in (close_pair.a, close_pair.b))
        yield Found(
            f"{first_name} and {second_name} are {close_pair.distance:.1f} mm apart on the page, with a gap of "
            f"{close_pair.gap:.1f} mm where {close_pair.least_gap:.1f} mm are needed; remove one of them, or make the "
            "page larger",
            (close_pair.a, close_pair.b),
            _milepost_place(checked, close_pair.a),
            {"distance_mm": close_pair.distance},
        )


def _find_line_close_to_milepost(checked: CheckedRails) -> Iterator[Found]:
    """A line through a dot or square looks as if trains stop there.

    So a line keeps clear of all mileposts except its own, and ends on those (RB-C10, RB-M04).
    """
    piece_by_id = {piece.id: piece for piece in checked.board.pieces}
    for fault in audit_lines(_lay_out_board(checked, text=False)):
        piece, milepost_name = piece_by_id[fault.piece], checked.mileposts[fault.milepost].name
        reporting_mark = checked.short[piece.railroad]
        fault_text = (
            f"overlaps {milepost_name}, which it does not serve, by {fault.mm:.1f} mm; move the milepost, or the line"
            if fault.kind == "touches"
            else f"ends {fault.mm:.1f} mm away from {milepost_name}; make the page larger, or remove a milepost near it"
        )
        yield Found(
            f"{reporting_mark} between {piece.a} and {piece.b} {fault_text}",
            (fault.piece, fault.milepost),
            _milepost_place(checked, fault.milepost),
            {"mm": fault.mm},
        )


def _find_crossing_lines(checked: CheckedRails) -> Iterator[Found]:
    """Lines that cross away from any milepost do not connect there, and the picture has a bridge (RB-C10).

    Not a mistake, but worth a look. If trains should change there, or if the lines of one railroad should join, a
    milepost or a via is missing.
    """
    piece_by_id = {piece.id: piece for piece in checked.board.pieces}
    reported_pairs: set[tuple[str, str]] = set()
    for crossing in _lay_out_board(checked, text=False).crossings:
        piece_pair = (crossing.over, crossing.under)
        if piece_pair in reported_pairs:
            continue
        reported_pairs.add(piece_pair)
        upper_piece, lower_piece = (piece_by_id[ident] for ident in piece_pair)
        other_line, cure_text = (
            ("its own line", "if they should join there, name the place in both lines")
            if upper_piece.railroad == lower_piece.railroad
            else (
                f"that of {checked.short[lower_piece.railroad]}",
                "if trains should change there, make it a milepost of both",
            )
        )
        yield Found(
            f"the line of {checked.short[upper_piece.railroad]} between {_join_end_names(checked, upper_piece)} "
            f"crosses {other_line} between {_join_end_names(checked, lower_piece)} away from any milepost, on a "
            f"bridge; {cure_text}",
            piece_pair,
            _milepost_place(checked, upper_piece.a),
            {"x": crossing.x, "y": crossing.y},
        )


def _join_end_names(checked: CheckedRails, piece: Piece) -> str:
    return " and ".join(checked.names.get(end, f"the junction {end}") for end in (piece.a, piece.b))


def _merge_themes(found: Mapping[tuple[str, ...], list[tuple[str, str]]], advice: str) -> Iterator[Found]:
    """Merge findings of several themes, elements -> theme and measurement there."""
    for elements, theme_rows in sorted(found.items()):
        yield Found(
            "; ".join(f"{text} in the theme {theme}" for theme, text in theme_rows) + f"; {advice}",
            elements,
            data={"themes": [theme for theme, _ in theme_rows]},
        )


def _find_low_text_contrast(checked: CheckedRails) -> Iterator[Found]:
    """Contrast is as in WCAG 2.2, 1.4.3, in each of the shipped themes.

    It covers names on land, water and the tint of each region, initials in the railroad's colour, and the legend.
    """
    board, layout = checked.board, _lay_out_board(checked)
    texts_by_theme: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for theme_name, theme in sorted(THEMES.items()):
        for faint_text in find_faint_texts(board, theme):
            texts_by_theme[faint_text.text, faint_text.ground].append(
                (theme_name, f"{faint_text.text} on {faint_text.ground} has {faint_text.ratio:.1f} : 1")
            )
        for flaw in find_faint_names(layout, theme):
            element_ids = tuple(key.split("-", 1)[1] for key in flaw.of)
            texts_by_theme[element_ids].append((theme_name, f"{flaw.text!r}: {flaw.detail}"))
    yield from _merge_themes(
        texts_by_theme, "text needs 4.5 : 1; choose a lighter tint, or a darker colour of the railroad"
    )


def _find_low_line_contrast(checked: CheckedRails) -> Iterator[Found]:
    """Contrast of graphical objects as in WCAG 2.2, 1.4.11, in each of the shipped themes."""
    texts_by_theme: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for theme_name, theme in sorted(THEMES.items()):
        for faint_line in find_faint_lines(checked.board, theme):
            line_text = f"the line of {checked.short[faint_line.railroad]} has {faint_line.ratio:.1f} : 1 to its casing"
            texts_by_theme[faint_line.railroad,].append((theme_name, line_text))
    yield from _merge_themes(texts_by_theme, "a line needs 3 : 1; choose a darker colour")


def _find_confusable_colours(checked: CheckedRails) -> Iterator[Found]:
    """Railroads that meet or run side by side differ enough in colour, or in pattern (RB-C08).

    What counts is the smallest difference (CIEDE2000) under normal sight and simulated protan, deutan and tritan sight.
    """
    texts_by_theme: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for theme_name, theme in sorted(THEMES.items()):
        for alike_pair in find_alike_railroads(checked.board, theme):
            first_mark, second_mark = checked.short[alike_pair.a], checked.short[alike_pair.b]
            distance = alike_pair.smallest
            pair_text = f"{first_mark} and {second_mark} touch, with one pattern and colours only {distance:.1f} apart"
            texts_by_theme[alike_pair.a, alike_pair.b].append((theme_name, pair_text))
    yield from _merge_themes(
        texts_by_theme, "give one of them another pattern, or let mapkit colours --solve choose colours"
    )


def _find_confusable_greys(checked: CheckedRails) -> Iterator[Found]:
    """A copy in grey keeps pattern and lightness only: railroads that meet or run side by side differ in one of them.

    What counts is the difference of CIELAB lightness of the board's own colours, which the themes `classic` and `atlas`
    draw: 10 is enough for lines. The theme `print` tells railroads apart by pattern alone.
    """
    for alike_pair in find_alike_in_grey(checked.board):
        yield Found(
            f"{checked.short[alike_pair.a]} and {checked.short[alike_pair.b]} touch, with one pattern and a lightness "
            f"only {alike_pair.grey:.1f} apart, which a grey copy makes alike: give one of them another pattern or "
            "another lightness, or let mapkit colours --solve choose colours",
            (alike_pair.a, alike_pair.b),
            data={"lightness": alike_pair.grey},
        )


_OVERLAP_TEXT: Final = """Names of cities, dots and regions and the initials of railroads do not overlap.

The elements are those that the texts belong to."""
_OVER_SYMBOL_TEXT: Final = "Names, initials and the names of regions leave every dot, square and junction free."
_OUTSIDE_TEXT: Final = "A text that touches the map's frame or leaves the page is hard to read, or is cut off in print."
_TRACK_TEXT: Final = """No line covers more than 0.4 mm2 (a stem of a small letter) of a city's, dot's or region's name.

Names look for a free place first; on a crowded map some find none, and stand on a halo over the line."""
_SMALL_TEXT: Final = (
    "Six points are 2.12 mm at the page's size in `board.toml`; nobody can read smaller print across a table."
)
_UNNAMED_TEXT: Final = "Dots may go without a name where there is no room; a city may not."

CHECKS: Final = (
    make_listed_check("R01", _make_text_check("overlap", "make the page larger", _OVERLAP_TEXT)),
    make_listed_check(
        "R02",
        _make_text_check("over-symbol", "shorten it", _OVER_SYMBOL_TEXT),
    ),
    make_listed_check("R03", _make_text_check("outside", "widen the page's margin", _OUTSIDE_TEXT)),
    make_listed_check("R04", _make_text_check("small", "make it larger", _SMALL_TEXT)),
    make_listed_check(
        "R05",
        _find_missing_letter,
    ),
    make_listed_check("R06", _make_text_check("no-name", "make the page larger", _UNNAMED_TEXT)),
    make_listed_check("R07", _find_low_text_contrast),
    make_listed_check("R08", _find_low_line_contrast),
    make_listed_check("R09", _find_confusable_colours),
    make_listed_check("R10", _find_crowded_mileposts),
    make_listed_check("R11", _find_line_close_to_milepost),
    make_listed_check("R12", _find_crossing_lines),
    make_listed_check(
        "R13",
        _make_text_check("on-track", "make the page larger, or the name shorter", _TRACK_TEXT),
    ),
    make_listed_check("R14", _find_confusable_greys),
    *BOX_CHECKS,
)


def get_drawing_check(code: str) -> Check:
    """Return the check of a code."""
    return next(check for check in CHECKS if check.code == code)
