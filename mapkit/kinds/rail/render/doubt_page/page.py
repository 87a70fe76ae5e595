"""Page of doubtful cells: each with its crop of the picture, and the possible readings."""

from base64 import b64encode
from collections.abc import Sequence
from pathlib import PurePath

from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.version import __version__


def render_doubt_page(found: PayoffsRead, crops: Sequence[bytes]) -> str:
    """Render the page as the text of an HTML file; it loads nothing.

    Args:
        found: A chart that was read from a picture.
        crops: A PNG file for each of its cells in doubt.
    """
    typed_names = {match.city: match.typed for match in reversed(found.names)}
    style, script = read_page_part(__package__, "doubts.css"), read_page_part(__package__, "doubts.js")
    cell_rows = [
        {
            "key": f"{cell.a}:{cell.b}",
            "title": f"{typed_names.get(cell.a, cell.a)} - {typed_names.get(cell.b, cell.b)}",
            "where": cell.where,
            "why": cell.why,
            "candidates": cell.candidates,
            "picture": "data:image/png;base64," + b64encode(crop).decode("ascii"),
        }
        for cell, crop in zip(found.in_doubt, crops, strict=True)
    ]
    return render_html(
        __package__,
        "page.html.jinja",
        policy=f"{content_security_policy(style, script)}; img-src data:",
        style=style,
        script=script,
        file=PurePath(found.chart.file).name,
        cells=cell_rows,
        version=__version__,
    )
