"""The rule sheet for VASSAL's help window, which knows HTML 3.2 and little of CSS."""

from html import escape

from mapkit.render.rule_sheet import RuleSheet
from mapkit.render.rule_sheet_page import about, left_open


def plain_html(sheet: RuleSheet) -> str:
    """Return a rule sheet as plain HTML in ASCII."""
    parts = [f"<h1>{escape(sheet.title)}</h1>", f"<p>{escape(about(sheet))}</p>"]
    for section in sheet.sections:
        kind = "ol" if section.numbered else "ul"
        points = "".join(f"<li>{escape(point)}</li>\n" for point in section.points)
        parts.append(f"<h2>{escape(section.title)}</h2>\n<{kind}>\n{points}</{kind}>")
    if sheet.open_points:
        parts.append(f"<p>{escape(left_open(sheet))}</p>")
    body = "\n".join(parts)
    page = f"<html>\n<head><title>{escape(sheet.title)}</title></head>\n<body>\n{body}\n</body>\n</html>\n"
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii")
