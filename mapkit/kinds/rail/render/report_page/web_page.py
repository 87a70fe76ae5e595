"""Page to look things up at the table: map, routes with fees, payoffs, destinations by dice, deeds and rules."""

from collections.abc import Iterable
from dataclasses import dataclass

from mapkit.core.base import Frozen
from mapkit.drawing.svg_page import SvgPage
from mapkit.formats.html import read_page_part
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.network.report import Report, report
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.report_page import tables
from mapkit.kinds.rail.render.report_page.data import PageData, collect_report_data
from mapkit.kinds.rail.render.report_page.page import render_map_page
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.words import words_of

_OWN_PACKAGE = str(__package__)
_POLICY = "; manifest-src 'self'; worker-src 'self'"
"""What a page needs to be installed, where a server has it."""
_Column = tuple[int | None, ...]


class FeeData(Frozen):
    """Fees a turn, currency units; `raised` is that to another player after sell-out."""

    bank: int
    own: int
    opponent: int
    raised: int


class WebPageData(PageData):
    """Data of the page: charts have columns for odd and even by the sums 2 to 12, with cells by position.

    `city_charts` are in the order of `regions`; `own_region` if a train in the rolled region may go to any.
    """

    fees: FeeData
    region_chart: tuple[_Column, _Column]
    city_charts: tuple[tuple[_Column, _Column], ...]
    own_region: bool


@dataclass(frozen=True)
class Deed:
    """Deed of a railroad: its position in the data, its line, and the names that it lists."""

    index: int
    id: str
    short: str
    name: str
    price: str
    public: bool
    sample: str
    cities: str
    meets: str


def render_web_page(board: Board) -> str:
    """Render the page as the text of an HTML file that loads nothing; the same board gives the same text."""
    theme, words, summary = get_board_theme(board), words_of(board), report(board)
    layout = lay_out(board, theme.sizes)
    page_data = collect_report_data(layout, summary, texts=("board", "map", "web", "destinations"))
    has_charts = REGIONS in board.destinations
    region_index = {region.id: k for k, region in enumerate(board.regions)}
    city_index = {city.id: k for k, city in enumerate(board.cities)}
    empty_chart = DestinationChart(odd={}, even={})
    fees = board.rules.fees
    web_data = WebPageData(
        **dict(page_data),
        fees=FeeData(bank=fees.bank, own=fees.own, opponent=fees.opponent, raised=fees.opponent_after_sell_out),
        region_chart=_index_chart(board.destinations.get(REGIONS, empty_chart), region_index),
        city_charts=tuple(
            _index_chart(board.destinations.get(region.id, empty_chart), city_index) for region in board.regions
        ),
        own_region=board.rules.destinations.choose_region_when_in_it,
    )
    rule_sheet = make_rule_sheet(board.rules, board=board)
    line_samples = tables.draw_line_samples(SvgPage(1, 1, title="", description="", theme=theme, layers=LAYERS), board)
    section_titles = {
        "ui-roll": words("web.roll") if has_charts else "",
        "ui-deeds": words("web.deeds") if board.railroads else "",
        "ui-charts": words("report.charts") if has_charts else "",
        "ui-rules": rule_sheet.title,
    }
    return render_map_page(
        layout,
        theme,
        "web.html.jinja",
        web_data,
        style=read_page_part(_OWN_PACKAGE, "web.css"),
        scripts=((_OWN_PACKAGE, "dice.js"), (_OWN_PACKAGE, "web.js")),
        policy=_POLICY,
        packed=True,
        title=board.title,
        no_scripts=words("web.no_scripts"),
        counts="",
        sections={section: title for section, title in section_titles.items() if title},
        deeds=_make_deeds(board, summary, page_data, line_samples),
        charts=tables.make_chart_tables(board, words),
        rule_sheet=rule_sheet,
        rule_set=describe_rule_set(rule_sheet),
        left_open=list_open_matters(rule_sheet),
    )


def _index_chart(chart: DestinationChart, index: dict[str, int]) -> tuple[_Column, _Column]:
    odd, even = ([index.get(column.get(total) or "") for total in SUMS] for column in (chart.odd, chart.even))
    return tuple(odd), tuple(even)


def _make_deeds(board: Board, summary: Report, data: PageData, samples: dict[str, str]) -> list[Deed]:
    """Return the deeds by name of railroad."""
    words = words_of(board)
    cities_by_railroad = {row.railroad: row.cities for row in summary.railroads}
    city_names = {city.id: city.name for city in board.cities}

    def join_sorted(names: Iterable[str]) -> str:
        return ", ".join(sorted(names, key=words.sort_key))

    deeds = [
        Deed(
            index=k,
            id=railroad.id,
            short=railroad.short,
            name=railroad.name,
            price=words("board.public") if railroad.public else words.money(board.units.symbol, railroad.price),
            public=railroad.public,
            sample=samples[railroad.id],
            cities=join_sorted(city_names[city] for city in cities_by_railroad[railroad.id]),
            meets=join_sorted(data.railroads[other].short for other in railroad.connects),
        )
        for k, railroad in enumerate(data.railroads)
    ]
    return sorted(deeds, key=lambda deed: (words.sort_key(deed.name), deed.id))
