"""Laying out a rule sheet: Markdown, and HTML to print on a page or two (A4 or Letter)."""

import math
import re

from mapkit.formats.html import html_page, page_part
from mapkit.kinds.rail.render.rule_sheet.points import ASSUMED
from mapkit.kinds.rail.render.rule_sheet.sheet import RuleSheet
from mapkit.kinds.rail.render.words import words_in

# So many characters fill a Letter page at 8 points, in a font as wide as DejaVu Sans Condensed.
_FULL, _AT = 6_500, 8.0
_LARGEST, _SMALLEST = 9.0, 7.0
"""Sizes of type that are easy to read, points; a sheet that would need smaller type takes one more page."""


def sheet_markdown(sheet: RuleSheet) -> str:
    """Return a rule sheet as Markdown."""
    parts = [f"# {_marked(sheet.title)}", "", _marked(about(sheet))]
    for section in sheet.sections:
        marks = (f"{n}." if section.numbered else "-" for n in range(1, len(section.points) + 1))
        points = [f"{mark} {_marked(point)}" for mark, point in zip(marks, section.points, strict=True)]
        parts += ["", f"## {section.title}", "", *points]
    for note in left_open(sheet):
        parts += ["", _marked(note)]
    return "\n".join(parts) + "\n"


def sheet_html(sheet: RuleSheet) -> str:
    """Return a rule sheet as an HTML page of its own: nothing is fetched, no script runs."""
    return html_page(
        __package__,
        "page.html.jinja",
        sheet=sheet,
        about=about(sheet),
        left_open=left_open(sheet),
        size=_size(sheet),
        style=page_part(__package__, "page.css"),
    )


def plain_html(sheet: RuleSheet) -> str:
    """Return a rule sheet as HTML 3.2 in ASCII, for windows that know little of CSS."""
    page = html_page(__package__, "plain.html.jinja", sheet=sheet, about=about(sheet), left_open=left_open(sheet))
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _size(sheet: RuleSheet) -> float:
    """Return the largest size of type, in points, at which a sheet fills as few pages as it can."""
    length = len(sheet_markdown(sheet))
    pages = math.ceil(length * (_SMALLEST / _AT) ** 2 / _FULL)
    return min(_LARGEST, _AT * math.sqrt(_FULL * pages / length))


def about(sheet: RuleSheet) -> str:
    """Return what is played: the rule set and what was chosen on top of it."""
    words = words_in(sheet.language)
    said = words("rules.rule_set", rules=sheet.rule_set)
    return f"{said} {words('rules.chosen', list='; '.join(sheet.options))}" if sheet.options else said


def left_open(sheet: RuleSheet) -> tuple[str, ...]:
    """Return the sentences on what the printed rules leave open; none if they leave nothing open."""
    notes, words = [], words_in(sheet.language)
    if sheet.assumed:
        notes.append(f"{ASSUMED} {words('rules.assumed', list='; '.join(sheet.assumed))}")
    if sheet.not_given:
        notes.append(words("rules.not_given", list="; ".join(sheet.not_given)))
    return tuple(notes)


def _marked(text: str) -> str:
    """Return text with the characters escaped that Markdown would take as marks."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text)
