"""Laying out a rule sheet: Markdown, and one printable page of HTML (A4 or Letter)."""

import math
import re
from html import escape

from mapkit.render.rule_sheet import RuleSheet, Section

# Sizes are points, so that print and screen agree. The page takes the printer's paper: two columns fit A4 and Letter.
_CSS = """
@page { margin: 10mm 11mm; }
* { box-sizing: border-box; }
html { background: #eceae4; }
body { max-width: 200mm; margin: 0 auto; padding: 10mm 11mm; background: #fff; color: #1c1b19;
  line-height: 1.29;
  font-family: "Fira Sans Condensed",
    "Source Sans 3", "Noto Sans", "DejaVu Sans Condensed", "Liberation Sans", Arial, sans-serif; }
header { border-bottom: 1.2pt solid #1c1b19; margin: 0 0 5pt; padding: 0 0 3pt; }
h1 { font-size: 1.9em; line-height: 1.1; margin: 0; }
header p { margin: 1.5pt 0 0; color: #45423c; }
main { columns: 2; column-gap: 6mm; }
h2 { font-size: 1.18em; line-height: 1.15; margin: .55em 0 .15em; color: #8a2f1d; break-after: avoid; }
main section:first-child h2 { margin-top: 0; }
ul, ol { margin: 0; padding: 0 0 0 9pt; }
ol { padding-left: 11pt; }
li { margin: 0 0 .2em; orphans: 2; widows: 2; }
li::marker { color: #8a2f1d; }
footer { border-top: .6pt solid #aaa59a; margin: 5pt 0 0; padding: 2.5pt 0 0; color: #45423c; font-size: .88em; }
@media (max-width: 640px) { body { padding: 14px; font-size: 15px !important; } main { columns: 1; }
  }
@media print { html { background: none; } body { max-width: none; padding: 0; } }
"""


# So many characters fill a Letter page at 8 points, in a font as wide as DejaVu Sans Condensed.
_FULL, _AT, _LARGEST, _SMALLEST = 6_500, 8.0, 9.0, 6.0


def sheet_markdown(sheet: RuleSheet) -> str:
    """Return a rule sheet as Markdown."""
    parts = [f"# {_marked(sheet.title)}", "", _marked(about(sheet))]
    for section in sheet.sections:
        marks = (f"{n}." if section.numbered else "-" for n in range(1, len(section.points) + 1))
        points = [f"{mark} {_marked(point)}" for mark, point in zip(marks, section.points, strict=True)]
        parts += ["", f"## {section.title}", "", *points]
    if sheet.open_points:
        parts += ["", _marked(left_open(sheet))]
    return "\n".join(parts) + "\n"


def sheet_html(sheet: RuleSheet) -> str:
    """Return a rule sheet as an HTML page of its own: nothing is fetched, no script runs."""
    footer = f"<footer>{escape(left_open(sheet))}</footer>\n" if sheet.open_points else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(sheet.title)}</title>\n<style>{_CSS}</style>\n</head>\n"
        f'<body style="font-size: {_size(sheet):.1f}pt">\n'
        f"<header>\n<h1>{escape(sheet.title)}</h1>\n<p>{escape(about(sheet))}</p>\n</header>\n"
        f"<main>\n{''.join(map(_section, sheet.sections))}</main>\n{footer}</body>\n</html>\n"
    )


def _size(sheet: RuleSheet) -> float:
    """Return the size of type, in points, at which a sheet fills one page and no more."""
    length = len(sheet_markdown(sheet))
    return min(_LARGEST, max(_SMALLEST, _AT * math.sqrt(_FULL / length)))


def _section(section: Section) -> str:
    kind = "ol" if section.numbered else "ul"
    points = "".join(f"<li>{escape(point)}</li>\n" for point in section.points)
    return f"<section>\n<h2>{escape(section.title)}</h2>\n<{kind}>\n{points}</{kind}>\n</section>\n"


def about(sheet: RuleSheet) -> str:
    """Return what is played: the rule set and what was chosen on top of it."""
    options = f" Chosen: {'; '.join(sheet.options)}." if sheet.options else ""
    return f"Rule set: {sheet.rule_set}.{options}"


def left_open(sheet: RuleSheet) -> str:
    """Return the sentence on what the printed rules leave open."""
    return f"Left open by the printed rules, so assumed here: {', '.join(sheet.open_points).lower()}."


def _marked(text: str) -> str:
    """Return text with the characters escaped that Markdown would take as marks."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text)
