"""The page itself: one HTML file that fetches nothing, and runs only the script and style that it was made with."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

from mapkit.model.board import Board
from mapkit.model.findings import CheckReport
from mapkit.network.report import Report
from mapkit.render.board import draw_board
from mapkit.render.document import Document
from mapkit.render.layout import Layout, lay_out
from mapkit.render.odds import radius
from mapkit.render.press.embed import font_rules
from mapkit.render.report_page import pictures, tables
from mapkit.render.report_page.data import PageData, data_json, page_data
from mapkit.render.theme import CLASSIC, FONT, Theme
from mapkit.version import __version__

SCRIPTS = ("routes.js", "map.js", "tables.js", "page.js")
"""The parts of the script, in the order in which they need each other."""


def render_report_page(board: Board, report: Report, checks: CheckReport, *, theme: Theme = CLASSIC) -> str:
    """Return the report as the text of an HTML file; the same board gives the same text.

    Args:
        board: The board.
        report: What `mapkit.report` says of it.
        checks: What `mapkit.check` says of it.
        theme: How the board is drawn.
    """
    layout = lay_out(board, theme.sizes)
    document = draw_board(layout, theme=theme)
    data = page_data(layout, report, checks)
    style = "\n".join([font_rules(), _resource("page.css"), *_colours(board, layout)])
    script = '"use strict";\n' + "\n".join(map(_resource, SCRIPTS))
    policy = (
        f"default-src 'none'; style-src '{content_hash(style)}'; script-src '{content_hash(script)}'; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )
    sections = _sections(board, report, checks, data, tables.line_samples(Document(1, 1, title="", description="",
                         theme=theme), board), pictures.odds_svg(layout, report))  # fmt: skip
    links = "".join(f'<a href="#{ident}">{title}</a>' for ident, title, _ in sections)
    body = "\n".join(
        f'<section id="{ident}" aria-labelledby="{ident}-title"><h2 id="{ident}-title">{title}</h2>\n{content}\n'
        "</section>"
        for ident, title, content in sections
    )
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(board.title)}: report on the board</title>",
            f"<style>{style}</style></head><body>",
            '<a class="skip" href="#ui-map">Skip to the map</a>',
            '<a class="skip" href="#ui-railroads">Skip to the tables</a>',
            _header(board, checks, links),
            "<main>",
            _map(board, _inline(document)),
            body,
            "</main>",
            _footer(board),
            f'<script type="application/json" id="ui-data">{data_json(data)}</script>',
            f"<script>{script}</script>",
            "</body></html>\n",
        ]
    )


def content_hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows one style or script element."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode("ascii")


def _resource(name: str) -> str:
    return files("mapkit.render.report_page").joinpath(name).read_text(encoding="utf-8").strip()


def _colours(board: Board, layout: Layout) -> list[str]:
    """Return rules for what differs from board to board; colours are `#rrggbb` by their model."""
    left, top, right, bottom = layout.area
    return [
        f":root {{ --font: {FONT}; --aspect: {right - left:g} / {bottom - top:g}; }}",
        *(f".heat-{k} {{ fill: {colour}; }}" for k, colour in enumerate(pictures.HEAT)),
        *(
            f".region-{k} {{ background: {region.colour}; fill: {region.colour}; }}"
            for k, region in enumerate(board.regions)
        ),
    ]


def _inline(document: Document) -> str:
    """Return the board as an element of the page; no longer one image, as its parts can be reached."""
    text = document.to_text().partition("?>\n")[2]
    start, end, rest = text.partition(">")
    return start.replace('role="img"', 'role="group" id="ui-board" focusable="false"') + end + rest.strip()


def _header(board: Board, checks: CheckReport, links: str) -> str:
    laid = f" with {escape(', '.join(board.variants))}" if board.variants else ""
    found = len(checks.findings)
    return (
        f"<header><h1>{escape(board.title)}{laid}</h1><p class='quiet'>{len(board.railroads)} railroads, "
        f"{len(board.cities)} cities in {len(board.regions)} regions, {len(board.mileposts)} mileposts, "
        f"{len(board.segments)} segments; {found} finding{'' if found == 1 else 's'}</p>"
        f'<nav aria-label="Sections"><a href="#ui-map">Map</a>{links}</nav></header>'
    )


def _map(board: Board, svg: str) -> str:
    cities = sorted(board.cities, key=lambda city: (city.name, city.id))
    groups = []
    for region in board.regions:
        options = "".join(
            f'<option value="{city.id}">{escape(city.name)}</option>' for city in cities if city.region == region.id
        )
        if options:
            groups.append(f'<optgroup label="{escape(region.name)}">{options}</optgroup>')
    choices = "".join(groups)
    route = (
        '<div class="ends"><label for="ui-from">From</label>'
        f'<select id="ui-from"><option value="">\u2013</option>{choices}</select>'
        f'<label for="ui-to">To</label><select id="ui-to"><option value="">\u2013</option>{choices}</select>'
        '<button type="button" id="ui-swap">Swap</button><button type="button" id="ui-clear">Clear</button></div>'
        if board.cities
        else ""
    )
    return f"""<section class="top" aria-labelledby="ui-map-title"><h2 id="ui-map-title" class="unseen">Map</h2>
<div class="stage"><div id="ui-map" class="map" tabindex="0" role="application" aria-roledescription="map"
 aria-label="Map of the board" aria-describedby="ui-map-help">{svg}</div>
<div class="tools" role="group" aria-label="View"><button type="button" id="ui-in" aria-label="Zoom in">+</button>
<button type="button" id="ui-out" aria-label="Zoom out">\u2212</button>
<button type="button" id="ui-fit">Whole board</button>
<button type="button" id="ui-odds-on" aria-pressed="false" data-radius="{radius(board, 1.0):.4f}">Odds</button></div>
<div id="ui-tip" class="tip" aria-hidden="true" hidden></div></div>
<aside class="panel" aria-label="What the map shows">
<div class="search"><label for="ui-find">Find a city, milepost or railroad</label><input id="ui-find" type="text"
 role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="ui-found" autocomplete="off"
 spellcheck="false"><ul id="ui-found" role="listbox" aria-label="Found" hidden></ul></div>
{route}
<div id="ui-route" class="card" hidden></div>
<div id="ui-detail" class="card" hidden></div>
<p class="quiet scripted" id="ui-map-help">Point at the map to see what is there; click to keep it. Two cities show
 their route and payoff. Drag or use the wheel, two fingers, + and \u2212. Arrow keys go from milepost to milepost, with
 Shift they move the map; Enter chooses, 0 shows the whole board, Escape clears.</p>
<noscript><p class="quiet">Without scripts the map stands still; tables and pictures are all here.</p></noscript>
<p id="ui-said" class="unseen" role="status"></p></aside></section>"""


def _sections(  # noqa: PLR0913, PLR0917 - all that the page shows
    board: Board, report: Report, checks: CheckReport, data: PageData, samples: dict[str, str], odds: str
) -> list[tuple[str, str, str]]:
    """Return id, title and content of each section; those without content are left out."""
    out = []
    if board.railroads:
        out.append(("ui-railroads", "Railroads", tables.railroad_table(board, report, data, samples)))
    together = [
        f"<div><h3>{title}</h3>{tables.combination_table(ident, title, board, rows)}</div>"
        for ident, title, rows in (
            ("ui-pairs", "Best pairs", report.pairs),
            ("ui-triples", "Best triples", report.triples),
        )
        if rows
    ]
    if together:
        out.append(("ui-together", "Owned together", f'<div class="pair">{"".join(together)}</div>'))
    if board.cities:
        out.append(("ui-cities", "Cities", tables.city_table(board, report)))
    if any(row.chance for row in report.cities):
        lost = f'<p class="quiet">Empty cells take {report.unassigned:.2f} %.</p>' if report.unassigned > 0 else ""
        content = (
            f'<div class="pair wide-left"><figure>{odds}<figcaption>The area of a circle is the chance that the city '
            f"is the next destination.</figcaption></figure><div><h3>Regions</h3>{tables.region_rows(board, report)}"
            f"{lost}</div></div>"
        )
        out.append(("ui-odds", "Odds of destinations", content))
    charts = tables.chart_tables(board)
    if charts:
        out.append(("ui-charts", "Destination charts", charts))
    if data.payoffs:
        out.append(("ui-payoffs", "Payoffs", _payoffs(board, data)))
    out.append(("ui-findings", "Findings", tables.finding_list(board, checks, data)))
    return out


def _payoffs(board: Board, data: PageData) -> str:
    symbol, unit = board.units.symbol, board.units.payoff
    most = max((v for row in data.payoffs for v in row if v is not None), default=0.0)
    found = pictures.histogram(data.payoffs, [city.chance for city in data.cities])
    parts = []
    if len(board.cities) <= pictures.MOST_HEATED:
        parts.append(
            f'<figure class="heat-figure"><div class="scroll" tabindex="0" role="region" aria-label="Payoff chart">'
            f"{pictures.heat_svg(board, data.payoffs)}</div>"
            '<p class="scripted"><span id="ui-heat-said">Point at a cell for its payoff; choose it for its route.'
            '</span> <a href="#ui-map" id="ui-heat-show" hidden>Show the route</a></p>'
            f"<figcaption>The payoff chart, cities by region.{pictures.heat_key(most, symbol, unit)}</figcaption>"
            "</figure>"
        )
    if found.shares:
        missing = f" {100 - 100 * found.known:.2f} % have no amount." if found.known < 1 else ""
        parts.append(
            f"<figure>{pictures.histogram_svg(found, symbol)}<figcaption>How much a trip pays, if both ends are drawn "
            f"by the charts and differ: {tables.money(board, found.mean * unit)} on average.{missing}"
            "</figcaption></figure>"
        )
    return f'<div class="pair wide-left">{"".join(parts)}</div>'


def _footer(board: Board) -> str:
    credits_ = "; ".join(map(escape, board.provenance.credits))
    told = f"{credits_}. " if credits_ else ""
    return (
        f'<footer><p class="quiet">{told}Board: {escape(board.provenance.licence)}. mapkit {escape(__version__)}</p>'
        "</footer>"
    )
