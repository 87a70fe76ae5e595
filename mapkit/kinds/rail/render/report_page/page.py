"""Report page: a self-contained HTML file; its content security policy allows only its own script and style."""

import gzip
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.findings import CheckReport
from mapkit.drawing.embedded_fonts import font_rules
from mapkit.drawing.inks import HEAT
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.theme.theme import FONT, Theme
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.script import words_script
from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.kinds.rail.model.board import REGIONS, Board, City
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.render import page_map
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.odds import odds_radius_mm
from mapkit.kinds.rail.render.page_map.data import format_inline_board, format_script_json
from mapkit.kinds.rail.render.report_page import drawings, pictures, tables
from mapkit.kinds.rail.render.report_page.data import PageData, collect_report_data
from mapkit.kinds.rail.render.report_page.drawing_pictures import draw_drawing_pictures
from mapkit.kinds.rail.render.words import words_of
from mapkit.version import __version__

_OWN_PACKAGE = str(__package__)
SCRIPTS = (
    (_OWN_PACKAGE, "routes.js"),
    (page_map.__name__, "places.js"),
    (page_map.__name__, "map.js"),
    (_OWN_PACKAGE, "tables.js"),
    (_OWN_PACKAGE, "page.js"),
)
"""Parts of the script, each after the parts that it uses."""


def render_report_page(board: Board, report: Report, checks: CheckReport, *, folder: Path | None = None) -> str:
    """Render the report as the text of an HTML file; the same board gives the same text.

    Args:
        board: The board.
        report: Result of `mapkit.report`.
        checks: Result of `mapkit.check`.
        folder: The board's source package, for pictures of findings about its drawings; None without.
    """
    theme = get_board_theme(board)
    board_layout, words = lay_out(board, theme.sizes), words_of(board)
    script_data = collect_report_data(board_layout, report, checks.findings)
    drawing_rows = drawings.make_drawing_rows(board)
    line_samples = tables.draw_line_samples(SvgPage(1, 1, title="", description="", theme=theme, layers=LAYERS), board)
    return render_map_page(
        board_layout,
        theme,
        "page.html.jinja",
        script_data,
        title=words("report.title", board=board.title),
        no_scripts=words("report.no_scripts"),
        report=report,
        counts=words(
            "report.counts",
            railroads=words.count("board.railroads", len(board.railroads)),
            cities=words.count("board.cities", len(board.cities)),
            regions=words.count("board.regions", len(board.regions)),
            mileposts=words.count("board.mileposts", len(board.mileposts)),
            segments=words.count("report.segments", len(board.segments)),
            findings=words.count("report.found", len(checks.findings)),
        ),
        sections=_list_sections(board, report, script_data, drawing_rows, words),
        railroads=tables.make_railroad_rows(report, script_data, line_samples),
        short={r.id: r.short for r in board.railroads},
        city_rows=tables.make_city_rows(board, report),
        odds_svg=pictures.draw_odds_map(board_layout, report, words),
        region_rows=tables.make_region_rows(board, report),
        charts=tables.make_chart_tables(board, words),
        payoffs=_make_payoff_figures(board, script_data, words),
        drawings=drawing_rows,
        outcomes=drawings.list_outcomes(board),
        findings=tables.make_finding_rows(board, checks, script_data),
        finding_pictures=draw_drawing_pictures(checks.findings, folder) if folder else {},
    )


def render_map_page(
    layout: Layout,
    theme: Theme,
    template: str,
    data: PageData,
    *,
    style: str = "",
    scripts: Sequence[tuple[str, str]] = (),
    policy: str = "",
    packed: bool = False,
    **values: object,
) -> str:
    """Render a page with a map of the board, its search and its routes.

    Args:
        layout: Of the board.
        theme: Theme of the drawing.
        template: Template in this package that extends `base.html.jinja`.
        data: Data of the script.
        style: Further rules.
        scripts: Package and name of further parts of the script.
        policy: Further parts of the content security policy.
        packed: Whether the drawing comes compressed, so that it is seen early where the network is slow.
        values: Names of the template.
    """
    board, words = layout.board, words_of(layout.board)
    shared_style = read_page_part(page_map.__name__, "page.css")
    page_style = "\n".join([font_rules(theme.family), shared_style, *_board_rules(board, layout), style]).rstrip()
    script_parts = (words_script(), *(read_page_part(package, part) for package, part in (*SCRIPTS, *scripts)))
    page_script = '"use strict";\n' + "\n".join(script_parts)
    board_svg = format_inline_board(draw_board(layout, theme=theme))
    unpacking = read_page_part(_OWN_PACKAGE, "unpack.js") if packed else ""
    return render_html(
        __package__,
        template,
        policy=content_security_policy(page_style, page_script, *([unpacking] if packed else [])) + policy,
        words=words,
        style=page_style,
        script=page_script,
        data=format_script_json(data),
        board=board,
        heading=(
            words("report.varied", board=board.title, variants=", ".join(board.variants))
            if board.variants
            else board.title
        ),
        cities=_group_cities(board, words),
        board_svg="" if packed else board_svg,
        packed_board=b64encode(gzip.compress(board_svg.encode(), mtime=0)).decode("ascii") if packed else "",
        unpacking=unpacking,
        radius=odds_radius_mm(board, 1.0),
        money=lambda amount: words.money(board.units.symbol, round(amount)),
        version=__version__,
        **values,
    )


def _board_rules(board: Board, layout: Layout) -> list[str]:
    """Return the CSS rules specific to a board; the model ensures that colours are `#rrggbb`."""
    left, top, right, bottom = layout.area
    return [
        f":root {{ --font: {FONT}; --aspect: {right - left:g} / {bottom - top:g}; }}",
        *(f".heat-{k} {{ fill: {colour}; }}" for k, colour in enumerate(HEAT)),
        *(
            f".region-{k} {{ background: {region.colour}; fill: {region.colour}; }}"
            for k, region in enumerate(board.regions)
        ),
    ]


def _group_cities(board: Board, words: Words) -> list[tuple[str, list[City]]]:
    """Return the name and the sorted cities of each region; regions without cities are left out."""
    sorted_cities = sorted(board.cities, key=lambda city: (words.sort_key(city.name), city.id))
    groups = [(region.name, [city for city in sorted_cities if city.region == region.id]) for region in board.regions]
    return [(region_name, region_cities) for region_name, region_cities in groups if region_cities]


def _list_sections(
    board: Board, report: Report, data: PageData, drawing_rows: Sequence[drawings.DrawingLine], words: Words
) -> dict[str, str]:
    """Return the title of each section with content, by the id of its element."""
    section_contents = {
        "railroads": board.railroads,
        "together": report.pairs or report.triples,
        "cities": board.cities,
        "odds": any(row.chance for row in report.cities),
        "charts": REGIONS in board.destinations,
        "payoffs": data.payoffs,
        "drawings": drawing_rows,
        "findings": True,
    }
    return {
        f"ui-{name}": words(f"report.{name}") for name, section_content in section_contents.items() if section_content
    }


@dataclass(frozen=True)
class PayoffFigures:
    """Pictures of payoffs: a heat map of the chart, unless it has too many cities, and a histogram of payments."""

    heat: str
    key: list[tuple[str, str]]
    histogram: str
    mean: float
    known: float


def _make_payoff_figures(board: Board, data: PageData, words: Words) -> PayoffFigures | None:
    if not data.payoffs:
        return None
    payoff_unit = board.units.payoff
    most_thousands = max((amount for row in data.payoffs for amount in row if amount is not None), default=0.0)
    payoff_histogram = pictures.count_trips_by_payoff(data.payoffs, [city.chance for city in data.cities])
    return PayoffFigures(
        heat=pictures.draw_payoff_map(board, data.payoffs, words) if len(board.cities) <= pictures.MOST_HEATED else "",
        key=pictures.list_payoff_classes(most_thousands, board.units, words),
        histogram=pictures.draw_histogram(payoff_histogram, board.units, words) if payoff_histogram.shares else "",
        mean=payoff_histogram.mean * payoff_unit,
        known=payoff_histogram.known,
    )
