"""The page of links of a scan that are in doubt: each as the picture shows it, with why."""

from mapkit.formats.html import html_page, page_part, policy_for
from mapkit.kinds.rail.model.board_scan import BoardScan
from mapkit.version import __version__


def link_page(found: BoardScan) -> str:
    """Return the page as the text of an HTML file; it shows the crops that lie beside it and loads nothing else.

    Args:
        found: What a picture shows, with crops.
    """
    style = page_part(__package__, "links.css")
    colours = {one.railroad: one.colour for one in found.railroads}
    kept = {finding.id for finding in found.findings if finding.accepted is not None}
    doubtful = sorted(
        (link for link in found.links if link.crop and link.finding not in kept),
        key=lambda link: (link.confidence, link.crop),
    )
    links = [
        {
            "id": link.crop.removesuffix(".png"),
            "railroad": link.railroad,
            "colour": colours[link.railroad],
            "a": link.a,
            "b": link.b,
            "crop": link.crop,
            "sure": f"{link.confidence:.0%}",
            "drawn": link.drawn,
            "why": link.why,
            "finding": link.finding,
        }
        for link in doubtful
    ]
    return html_page(
        __package__,
        "page.html.jinja",
        policy=f"{policy_for(style, '')}; img-src 'self' file:",
        style=style,
        file=found.picture,
        links=links,
        all=len(found.links),
        kept=len(kept),
        version=__version__,
    )
