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
from mapkit.kinds.rail.checks.check import Check, Checked, listed
from mapkit.kinds.rail.model.board import Piece
from mapkit.kinds.rail.render.colours.audit import alike_in_grey, alike_railroads, faint_lines, faint_texts
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.audit import audit_lines
from mapkit.kinds.rail.render.spread.audit import close_dots
from mapkit.kinds.rail.render.text.audit import Fault, faint, flaws_of

_KINDS: Final = {"c": "city", "m": "milepost", "rr": "railroad", "region": "region"}


def _layout(checked: Checked, *, text: bool = True) -> Layout:
    return lay_out(checked.board, text=text)


def _names(fault: Fault, advice: str, explained: str) -> Callable[[Checked], Iterable[Found]]:
    """Return a check of one kind of flaw of the map's text; `explained` is its documentation."""

    def find(checked: Checked) -> Iterator[Found]:
        for flaw in flaws_of(_layout(checked), fault):
            yield Found(
                f"{flaw.text!r}: {flaw.detail}; {advice}",
                tuple(key.split("-", 1)[1] for key in flaw.of),
                _place(checked, flaw.of[0]),
                {"kinds": [_KINDS[key.split("-", 1)[0]] for key in flaw.of], "x": flaw.at[0], "y": flaw.at[1]},
            )

    find.__doc__ = explained
    return find


def _place(checked: Checked, key: str) -> Place:
    kind, ident = key.split("-", 1)
    if kind == "c":
        ident = next((c.milepost for c in checked.board.cities if c.id == ident), "")
    milepost = checked.mileposts.get(ident) if kind in {"c", "m"} else None
    return Place(lon=milepost.lon, lat=milepost.lat) if milepost else Place()


def _at(checked: Checked, ident: str) -> Place:
    milepost = checked.mileposts.get(ident)
    return Place(lon=milepost.lon, lat=milepost.lat) if milepost else Place()


_LETTERS: Final = "another font or a box will replace it; use Latin, Greek or Cyrillic letters"


def _letters(checked: Checked) -> Iterator[Found]:
    """Letters that the shipped fonts lack are drawn in another font, of unknown widths, or not at all.

    Looked at are the texts of the map, the board's title and the names of railroads, which stand in the legend. Letters
    that run from the right, join or stack, and those of East Asia, are refused when a board is made of its sources.
    """
    yield from _names("missing-glyph", _LETTERS, "")(checked)
    named: list[tuple[tuple[str, ...], str, str]] = [((), f"the title {checked.board.title!r}", checked.board.title)]
    named += [((r.id,), f"the railroad {r.name!r}", r.name) for r in checked.board.railroads]
    for ids, what, text in named:
        if missing := missing_characters(text, face="regular"):
            yield Found(
                f"{what}: the shipped font has no {missing}; {_LETTERS}",
                ids,
                Place(),
                {"kinds": ["railroad"] if ids else []},
            )


def _close(checked: Checked) -> Iterator[Found]:
    """Centres of dots are at least 4 mm apart on the printed page.

    Squares of cities keep as much room. Crowded mileposts are moved apart with the land around them; a
    finding means that this was not enough.
    """
    for pair in close_dots(_layout(checked, text=False)):
        one, other = (checked.mileposts[ident].name for ident in (pair.a, pair.b))
        yield Found(
            f"{one} and {other} are {pair.distance:.1f} mm apart on the page, with a gap of {pair.gap:.1f} mm where "
            f"{pair.least_gap:.1f} mm are needed; remove one of them, or make the page larger",
            (pair.a, pair.b),
            _at(checked, pair.a),
            {"distance_mm": pair.distance},
        )


def _strange(checked: Checked) -> Iterator[Found]:
    """A line that runs through a dot or square looks as if trains stop there.

    So a line keeps clear of all mileposts except its own, and ends on those (RB-C10, RB-M04).
    """
    pieces = {piece.id: piece for piece in checked.board.pieces}
    for fault in audit_lines(_layout(checked, text=False)):
        piece, name = pieces[fault.piece], checked.mileposts[fault.milepost].name
        mark = checked.short[piece.railroad]
        what = (
            f"overlaps {name}, which it does not serve, by {fault.mm:.1f} mm; move the milepost, or the line"
            if fault.kind == "touches"
            else f"ends {fault.mm:.1f} mm away from {name}; make the page larger, or remove a milepost near it"
        )
        yield Found(
            f"{mark} between {piece.a} and {piece.b} {what}",
            (fault.piece, fault.milepost),
            _at(checked, fault.milepost),
            {"mm": fault.mm},
        )


def _crossing(checked: Checked) -> Iterator[Found]:
    """Lines that cross away from any milepost do not connect there, and the picture has a bridge (RB-C10).

    Not a mistake, but worth a look. If trains should change there, or if the lines of one railroad should join, a
    milepost or a via is missing.
    """
    pieces = {piece.id: piece for piece in checked.board.pieces}
    seen: set[tuple[str, str]] = set()
    for crossing in _layout(checked, text=False).crossings:
        key = (crossing.over, crossing.under)
        if key in seen:
            continue
        seen.add(key)
        over, under = (pieces[ident] for ident in key)
        what, cure = (
            ("its own line", "if they should join there, name the place in both lines")
            if over.railroad == under.railroad
            else (
                f"that of {checked.short[under.railroad]}",
                "if trains should change there, make it a milepost of both",
            )
        )
        yield Found(
            f"the line of {checked.short[over.railroad]} between {_ends(checked, over)} crosses {what} between "
            f"{_ends(checked, under)} away from any milepost, on a bridge; {cure}",
            key,
            _at(checked, over.a),
            {"x": crossing.x, "y": crossing.y},
        )


def _ends(checked: Checked, piece: Piece) -> str:
    return " and ".join(checked.names.get(end, f"the junction {end}") for end in (piece.a, piece.b))


def _in_themes(found: Mapping[tuple[str, ...], list[tuple[str, str]]], advice: str) -> Iterator[Found]:
    """Merge what is found in several themes, elements -> theme and what was measured there."""
    for elements, rows in sorted(found.items()):
        yield Found(
            "; ".join(f"{text} in the theme {theme}" for theme, text in rows) + f"; {advice}",
            elements,
            data={"themes": [theme for theme, _ in rows]},
        )


def _faint(checked: Checked) -> Iterator[Found]:
    """Contrast is as in WCAG 2.2, 1.4.3, in each of the shipped themes.

    It covers names on land, water and the tint of each region, initials in the railroad's colour, and the legend.
    """
    board, layout = checked.board, _layout(checked)
    found: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for name, theme in sorted(THEMES.items()):
        for text in faint_texts(board, theme):
            found[text.text, text.ground].append((name, f"{text.text} on {text.ground} has {text.ratio:.1f} : 1"))
        for flaw in faint(layout, theme):
            ids = tuple(key.split("-", 1)[1] for key in flaw.of)
            found[ids].append((name, f"{flaw.text!r}: {flaw.detail}"))
    yield from _in_themes(found, "text needs 4.5 : 1; choose a lighter tint, or a darker colour of the railroad")


def _pale(checked: Checked) -> Iterator[Found]:
    """Contrast of graphical objects as in WCAG 2.2, 1.4.11, in each of the shipped themes."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for name, theme in sorted(THEMES.items()):
        for line in faint_lines(checked.board, theme):
            text = f"the line of {checked.short[line.railroad]} has {line.ratio:.1f} : 1 to its casing"
            found[line.railroad,].append((name, text))
    yield from _in_themes(found, "a line needs 3 : 1; choose a darker colour")


def _alike(checked: Checked) -> Iterator[Found]:
    """Railroads that meet or run side by side differ enough in colour, or in pattern (RB-C08).

    What counts is the smallest difference (CIEDE2000) under normal sight and simulated protan, deutan and tritan sight.
    """
    found: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for name, theme in sorted(THEMES.items()):
        for pair in alike_railroads(checked.board, theme):
            one, other = checked.short[pair.a], checked.short[pair.b]
            text = f"{one} and {other} touch, with one pattern and colours only {pair.smallest:.1f} apart"
            found[pair.a, pair.b].append((name, text))
    yield from _in_themes(found, "give one of them another pattern, or let mapkit colours --solve choose colours")


def _greyed(checked: Checked) -> Iterator[Found]:
    """A copy in grey keeps pattern and lightness only: railroads that meet or run side by side differ in one of them.

    What counts is the difference of CIELAB lightness of the board's own colours, which the themes `classic` and `atlas`
    draw: 10 is enough for lines. The theme `print` tells railroads apart by pattern alone.
    """
    for pair in alike_in_grey(checked.board):
        yield Found(
            f"{checked.short[pair.a]} and {checked.short[pair.b]} touch, with one pattern and a lightness only "
            f"{pair.grey:.1f} apart, which a grey copy makes alike: give one of them another pattern or another "
            "lightness, or let mapkit colours --solve choose colours",
            (pair.a, pair.b),
            data={"lightness": pair.grey},
        )


_OVERLAP: Final = """Names of cities, dots and regions and the initials of railroads do not overlap.

The elements are those that the texts belong to."""
_OVER: Final = "Names, initials and the names of regions leave every dot, square and junction free."
_OUTSIDE: Final = "A text that touches the map's frame or leaves the page is hard to read, or is cut off in print."
_ON_TRACK: Final = """No line covers more than 0.4 mm2 (a stem of a small letter) of a city's, dot's or region's name.

Names look for a free place first; on a crowded map some find none, and stand on a halo over the line."""
_SMALL: Final = (
    "Six points are 2.12 mm at the page's size in `board.toml`; nobody can read smaller print across a table."
)
_UNNAMED: Final = "Dots may go without a name where there is no room; a city may not."

CHECKS: Final = (
    listed("R01", _names("overlap", "make the page larger", _OVERLAP)),
    listed(
        "R02",
        _names("over-symbol", "shorten it", _OVER),
    ),
    listed("R03", _names("outside", "widen the page's margin", _OUTSIDE)),
    listed("R04", _names("small", "make it larger", _SMALL)),
    listed(
        "R05",
        _letters,
    ),
    listed("R06", _names("no-name", "make the page larger", _UNNAMED)),
    listed("R07", _faint),
    listed("R08", _pale),
    listed("R09", _alike),
    listed("R10", _close),
    listed("R11", _strange),
    listed("R12", _crossing),
    listed(
        "R13",
        _names("on-track", "make the page larger, or the name shorter", _ON_TRACK),
    ),
    listed("R14", _greyed),
)


def drawing_check(code: str) -> Check:
    """Return the check of a code."""
    return next(check for check in CHECKS if check.code == code)
