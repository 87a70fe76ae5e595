"""Layout of a rule sheet: Markdown, and HTML to print on a page or two (A4 or Letter)."""

import math
import re

from mapkit.formats.html import read_page_part, render_html
from mapkit.kinds.rail.render.rule_sheet.points import ASSUMED
from mapkit.kinds.rail.render.rule_sheet.sheet import RuleSheet
from mapkit.kinds.rail.render.words import words_in

# So many characters fill a Letter page at 8 points, in a font as wide as DejaVu Sans Condensed.
_FULL_PAGE_CHARACTERS, _FULL_PAGE_POINTS = 6_500, 8.0
_LARGEST_POINTS, _SMALLEST_POINTS = 9.0, 7.0
"""Sizes of type that are easy to read, points; a sheet that would need smaller type takes one more page."""


def format_markdown(sheet: RuleSheet) -> str:
    """Return a rule sheet as Markdown."""
    markdown_lines = [f"# {_escape_markdown(sheet.title)}", "", _escape_markdown(describe_rule_set(sheet))]
    for section in sheet.sections:
        list_marks = (f"{n}." if section.numbered else "-" for n in range(1, len(section.points) + 1))
        points = [f"{mark} {_escape_markdown(point)}" for mark, point in zip(list_marks, section.points, strict=True)]
        markdown_lines += ["", f"## {section.title}", "", *points]
    for note in list_open_matters(sheet):
        markdown_lines += ["", _escape_markdown(note)]
    return "\n".join(markdown_lines) + "\n"


def format_html(sheet: RuleSheet) -> str:
    """Return a rule sheet as an HTML page of its own: nothing is fetched, no script runs."""
    return render_html(
        __package__,
        "page.html.jinja",
        sheet=sheet,
        about=describe_rule_set(sheet),
        left_open=list_open_matters(sheet),
        size=_choose_type_size(sheet),
        style=read_page_part(__package__, "page.css"),
    )


def format_plain_html(sheet: RuleSheet) -> str:
    """Return a rule sheet as HTML 3.2 in ASCII, for windows that know little of CSS."""
    html_text = render_html(
        __package__, "plain.html.jinja", sheet=sheet, about=describe_rule_set(sheet), left_open=list_open_matters(sheet)
    )
    return html_text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _choose_type_size(sheet: RuleSheet) -> float:
    """Return the largest size of type, in points, that keeps the sheet on as few pages as possible."""
    character_count = len(format_markdown(sheet))
    page_count = math.ceil(character_count * (_SMALLEST_POINTS / _FULL_PAGE_POINTS) ** 2 / _FULL_PAGE_CHARACTERS)
    return min(_LARGEST_POINTS, _FULL_PAGE_POINTS * math.sqrt(_FULL_PAGE_CHARACTERS * page_count / character_count))


def describe_rule_set(sheet: RuleSheet) -> str:
    """Describe the rule set and the options chosen on top of it."""
    words = words_in(sheet.language)
    rule_set_text = words("rules.rule_set", rules=sheet.rule_set)
    return f"{rule_set_text} {words('rules.chosen', list='; '.join(sheet.options))}" if sheet.options else rule_set_text


def list_open_matters(sheet: RuleSheet) -> tuple[str, ...]:
    """Return the sentences on matters that the printed rules leave open; none if they leave nothing open."""
    open_notes, words = [], words_in(sheet.language)
    if sheet.assumed:
        open_notes.append(f"{ASSUMED} {words('rules.assumed', list='; '.join(sheet.assumed))}")
    if sheet.not_given:
        open_notes.append(words("rules.not_given", list="; ".join(sheet.not_given)))
    return tuple(open_notes)


def _escape_markdown(text: str) -> str:
    """Escape characters with a meaning in Markdown."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text)
