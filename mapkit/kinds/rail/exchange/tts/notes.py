"""Notebook of a Tabletop Simulator save: rules and charts as text with marks for bold type."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets.engines import format_engine_price
from mapkit.kinds.rail.render.sheets.payoffs import get_chart_payoff
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.render.words import words_of
from mapkit.kinds.rail.rules.rules import Engine

PAGE: Final = 12_000
"""Largest number of letters of a tab; the game draws about 16,000 letters of one text."""

_GREY_COLOUR: Final = {"r": 0.5, "g": 0.5, "b": 0.5}


def tab_states(board: Board) -> dict[str, dict[str, Any]]:
    """Return `TabStates`: tabs for the rules, prices, destinations, and payoffs region by region."""
    words = words_of(board)
    tab_pages: list[tuple[str, str]] = []
    for title, blocks in _list_topics(board):
        page_texts = _fill_pages(blocks)
        for page_number, text in enumerate(page_texts, 1):
            numbered_title = words("sheet.part", title=title, number=page_number, count=len(page_texts))
            tab_pages.append((title if len(page_texts) == 1 else numbered_title, text))
    return {
        str(tab_index): {
            "title": replace_brackets(title),
            "body": text,
            "color": "Grey",
            "visibleColor": _GREY_COLOUR,
            "id": tab_index,
        }
        for tab_index, (title, text) in enumerate(tab_pages)
    }


def replace_brackets(text: str) -> str:
    """Return text with round instead of square brackets, because the notebook reads square ones as marks."""
    return text.translate({ord("["): "(", ord("]"): ")"})


def _bold(text: str) -> str:
    return f"[b]{replace_brackets(text)}[/b]"


def _list_topics(board: Board) -> Iterator[tuple[str, list[str]]]:
    words = words_of(board)
    yield words("rules.title"), list(_rule_blocks(board))
    yield words("notebook.prices"), list(_price_blocks(board))
    if REGIONS in board.destinations:
        yield words("destinations.title"), list(_destination_blocks(board))
    for region in board.regions:
        payoff_blocks = list(_payoff_blocks(board, region.id))
        if payoff_blocks:
            yield words("notebook.payoffs", region=region.name), payoff_blocks


def _rule_blocks(board: Board) -> Iterator[str]:
    printed_rules = make_rule_sheet(board.rules, board=board)
    yield f"{_bold(printed_rules.title)}\n{replace_brackets(describe_rule_set(printed_rules))}"
    for section in printed_rules.sections:
        point_marks = (f"{n}." if section.numbered else "-" for n in range(1, len(section.points) + 1))
        point_lines = [
            f"{mark} {replace_brackets(point)}" for mark, point in zip(point_marks, section.points, strict=True)
        ]
        yield "\n".join([_bold(section.title), *point_lines])
    yield from map(replace_brackets, list_open_matters(printed_rules))


def _price_blocks(board: Board) -> Iterator[str]:
    sheet_job = SheetJob(board, get_board_theme(board), "a4")
    sorted_railroads = sorted(board.railroads, key=lambda r: (sheet_job.sort_key(r.name), r.id))
    price_lines = [
        f"{replace_brackets(r.short)}, {replace_brackets(r.name)}: {replace_brackets(sheet_job.money(r.price))}"
        for r in sorted_railroads
    ]
    yield "\n".join([_bold(sheet_job.words("reference.railroads")), *price_lines])
    engine_lines = [
        f"{sheet_job.engine(engine)}: {replace_brackets(format_engine_price(sheet_job, engine))}" for engine in _ENGINES
    ]
    yield "\n".join([_bold(sheet_job.words("reference.engines")), *engine_lines])


_ENGINES: Final[tuple[Engine, ...]] = ("express", "superchief")


def _destination_blocks(board: Board) -> Iterator[str]:
    name_by_id = {r.id: r.name for r in board.regions} | {c.id: c.name for c in board.cities}
    words = words_of(board)
    yield words("notebook.how")
    chart_titles = [(REGIONS, words("destinations.regions")), *((r.id, r.name) for r in board.regions)]
    for chart_id, title in chart_titles:
        destination_chart = board.destinations.get(chart_id)
        if destination_chart is not None:
            yield "\n".join([_bold(title), *_side_lines(words, destination_chart, name_by_id)])


def _side_lines(words: Words, chart: DestinationChart, names: dict[str, str]) -> Iterator[str]:
    for side_title, side_cells in ((words("destinations.odd"), chart.odd), (words("destinations.even"), chart.even)):
        filled_cells = [
            (dice_sum, target_id) for dice_sum in SUMS if (target_id := side_cells.get(dice_sum)) is not None
        ]
        yield f"{side_title}: " + ", ".join(
            f"{dice_sum} {replace_brackets(names.get(target_id, target_id))}" for dice_sum, target_id in filled_cells
        )


def _payoff_blocks(board: Board, region: str) -> Iterator[str]:
    """Yield a block for each city of a region: all other cities with their payoffs in thousands."""
    words, city_by_id = words_of(board), {c.id: c for c in board.cities}
    city_order = board.payoffs.cities
    for city_index, city_id in enumerate(city_order):
        if city_id not in city_by_id or city_by_id[city_id].region != region:
            continue
        named_amounts = [
            (city_by_id[other_id].name if other_id in city_by_id else other_id, amount)
            for k, other_id in enumerate(city_order)
            if k != city_index and (amount := get_chart_payoff(board, city_index, k)) is not None
        ]
        named_amounts.sort(key=lambda pair: words.sort_key(pair[0]))
        if named_amounts:
            amount_line = ", ".join(
                f"{replace_brackets(other_name)} {words.plain(amount)}" for other_name, amount in named_amounts
            )
            yield f"{_bold(city_by_id[city_id].name)}\n{amount_line}"


def _fill_pages(blocks: Sequence[str]) -> list[str]:
    """Return blocks as texts of at most `PAGE` letters; longer blocks are split at spaces."""
    pages: list[str] = []
    for block in _split_long_blocks(blocks):
        if pages and len(pages[-1]) + 2 + len(block) <= PAGE:
            pages[-1] += "\n\n" + block
        else:
            pages.append(block)
    return pages


def _split_long_blocks(blocks: Iterable[str]) -> Iterator[str]:
    for block in blocks:
        remaining_text = block
        while len(remaining_text) > PAGE:
            split_index = max(remaining_text.rfind(" ", 1, PAGE), remaining_text.rfind("\n", 1, PAGE))
            split_index = split_index if split_index > 0 else PAGE
            yield remaining_text[:split_index]
            remaining_text = remaining_text[split_index:].lstrip()
        yield remaining_text
