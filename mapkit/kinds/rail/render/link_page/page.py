"""Page of doubtful links of a scan: each with its crop of the picture, and the reason for the doubt."""

from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.kinds.rail.model.board_scan import BoardScan
from mapkit.kinds.rail.render import doubt_page
from mapkit.version import __version__


def render_link_page(found: BoardScan) -> str:
    """Render the page as the text of an HTML file; it shows the crops that lie beside it and loads nothing else.

    Args:
        found: The result of a scan, with crops.
    """
    style, script = read_page_part(__package__, "links.css"), read_page_part(doubt_page.__name__, "doubts.js")
    colour_by_railroad = {railroad_found.railroad: railroad_found.colour for railroad_found in found.railroads}
    accepted_ids = {finding.id for finding in found.findings if finding.accepted is not None}
    doubtful_links = sorted(
        (link for link in found.links if link.crop and link.finding not in accepted_ids),
        key=lambda link: (link.confidence, link.crop),
    )
    link_rows = [
        {
            "id": link.crop.removesuffix(".png"),
            "railroad": link.railroad,
            "colour": colour_by_railroad[link.railroad],
            "a": link.a,
            "b": link.b,
            "crop": link.crop,
            "sure": f"{link.confidence:.0%}",
            "drawn": link.drawn,
            "why": link.why,
            "finding": link.finding,
        }
        for link in doubtful_links
    ]
    return render_html(
        __package__,
        "page.html.jinja",
        policy=f"{content_security_policy(style, script)}; img-src 'self' file:",
        style=style,
        script=script,
        railroads=sorted(colour_by_railroad),
        file=found.picture,
        links=link_rows,
        all=len(found.links),
        kept=len(accepted_ids),
        version=__version__,
    )
