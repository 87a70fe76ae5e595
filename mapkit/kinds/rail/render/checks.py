"""Checks of the drawing (R): names, room, lines and colours, on the laid-out board and in every theme.

A flaw that several themes share is one finding that names them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.drawing.text_width import missing_characters
from mapkit.drawing.theme.theme import THEMES
from mapkit.kinds.rail.checks.check import Check, CheckedRails, make_listed_check
from mapkit.kinds.rail.model.board import Piece
from mapkit.kinds.rail.render.colours.audit import (
    find_alike_in_grey,
    find_alike_railroads,
    find_faint_lines,
    find_faint_texts,
)
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.audit import audit_lines
from mapkit.kinds.rail.render.spread.audit import find_close_dots
from mapkit.kinds.rail.render.text.audit import Fault, find_faint_names, find_flaws

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
    named_texts: list[tuple[tuple[str, ...], str, str]] = [
        ((), f"the title {checked.board.title!r}", checked.board.title)
    ]
    named_texts += [((r.id,), f"the railroad {r.name!r}", r.name) for r in checked.board.railroads]
    for element_ids, text_kind, text in named_texts:
        if missing_letters := missing_characters(text, face="regular"):
            yield Found(
                f"{text_kind}: the shipped font has no {missing_letters}; {_LETTERS_ADVICE}",
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
)


def get_drawing_check(code: str) -> Check:
    """Return the check of a code."""
    return next(check for check in CHECKS if check.code == code)
