"""The page itself: one HTML file that fetches nothing, and runs only the script and style that it was made with."""

from dataclasses import dataclass

from mapkit.core.findings import CheckReport
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.theme.theme import FONT, Theme
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.script import words_script
from mapkit.formats.html import html_page, page_part, policy_for
from mapkit.kinds.rail.model.board import REGIONS, Board, City
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.render import page_map
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.odds import radius
from mapkit.kinds.rail.render.own_theme import theme_of
from mapkit.kinds.rail.render.page_map.data import data_json, inline_board
from mapkit.kinds.rail.render.report_page import pictures, tables
from mapkit.kinds.rail.render.report_page.data import PageData, page_data
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.embed import font_rules
from mapkit.version import __version__

_OWN = str(__package__)
SCRIPTS = ((_OWN, "routes.js"), (page_map.__name__, "map.js"), (_OWN, "tables.js"), (_OWN, "page.js"))
"""The parts of the script, in the order in which they need each other."""


def render_report_page(board: Board, report: Report, checks: CheckReport, *, theme: Theme | None = None) -> str:
    """Return the report as the text of an HTML file; the same board gives the same text.

    Args:
        board: The board.
        report: What `mapkit.report` says of it.
        checks: What `mapkit.check` says of it.
        theme: How the board is drawn; as its author chose by default.
    """
    theme = theme or theme_of(board)
    layout = lay_out(board, theme.sizes)
    document = draw_board(layout, theme=theme)
    data = page_data(layout, report, checks)
    style = "\n".join([font_rules(), page_part(page_map.__name__, "page.css"), *_colours(board, layout)])
    parts = (words_script(), *(page_part(package, part) for package, part in SCRIPTS))
    script = '"use strict";\n' + "\n".join(parts)
    words = words_of(board)
    samples = tables.line_samples(SvgPage(1, 1, title="", description="", theme=theme, layers=LAYERS), board)
    return html_page(
        __package__,
        "page.html.jinja",
        policy=policy_for(style, script),
        words=words,
        style=style,
        script=script,
        data=data_json(data),
        board=board,
        report=report,
        heading=_heading(board, words),
        counts=_counts(board, checks, words),
        sections=_sections(board, report, data, words),
        cities=_cities_by_region(board, words),
        board_svg=inline_board(document),
        radius=radius(board, 1.0),
        money=lambda amount: words.money(board.units.symbol, round(amount)),
        railroads=tables.railroad_rows(report, data, samples),
        short={r.id: r.short for r in board.railroads},
        city_rows=tables.city_rows(board, report),
        odds_svg=pictures.odds_svg(layout, report, words),
        region_rows=tables.region_rows(board, report),
        charts=tables.chart_tables(board, words),
        payoffs=_payoffs(board, data, words),
        findings=tables.finding_rows(board, checks, data),
        version=__version__,
    )


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


def _cities_by_region(board: Board, words: Words) -> list[tuple[str, list[City]]]:
    """Return the cities of each region that has some, by name."""
    cities = sorted(board.cities, key=lambda city: (words.sort_key(city.name), city.id))
    groups = [(region.name, [city for city in cities if city.region == region.id]) for region in board.regions]
    return [(name, members) for name, members in groups if members]


def _heading(board: Board, words: Words) -> str:
    if not board.variants:
        return board.title
    return words("report.varied", board=board.title, variants=", ".join(board.variants))


def _counts(board: Board, checks: CheckReport, words: Words) -> str:
    """Return how much there is of everything, in words."""
    return words(
        "report.counts",
        railroads=words.count("board.railroads", len(board.railroads)),
        cities=words.count("board.cities", len(board.cities)),
        regions=words.count("board.regions", len(board.regions)),
        mileposts=words.count("board.mileposts", len(board.mileposts)),
        segments=words.count("report.segments", len(board.segments)),
        findings=words.count("report.found", len(checks.findings)),
    )


def _sections(board: Board, report: Report, data: PageData, words: Words) -> dict[str, str]:
    """Return id and title of each section that has content."""
    contents = {
        "railroads": board.railroads,
        "together": report.pairs or report.triples,
        "cities": board.cities,
        "odds": any(row.chance for row in report.cities),
        "charts": REGIONS in board.destinations,
        "payoffs": data.payoffs,
        "findings": True,
    }
    return {f"ui-{name}": words(f"report.{name}") for name, content in contents.items() if content}


@dataclass(frozen=True)
class PayoffFigures:
    """The pictures of payoffs: the chart as a heat map, if it can be read, and how much trips pay."""

    heat: str
    key: list[tuple[str, str]]
    histogram: str
    mean: float
    known: float


def _payoffs(board: Board, data: PageData, words: Words) -> PayoffFigures | None:
    if not data.payoffs:
        return None
    unit = board.units.payoff
    most = max((v for row in data.payoffs for v in row if v is not None), default=0.0)
    found = pictures.histogram(data.payoffs, [city.chance for city in data.cities])
    return PayoffFigures(
        heat=pictures.heat_svg(board, data.payoffs, words) if len(board.cities) <= pictures.MOST_HEATED else "",
        key=pictures.heat_key(most, board.units, words),
        histogram=pictures.histogram_svg(found, board.units, words) if found.shares else "",
        mean=found.mean * unit,
        known=found.known,
    )
