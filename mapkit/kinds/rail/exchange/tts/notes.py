"""The notebook of a Tabletop Simulator save: rules and charts as text with marks for bold type."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.render.own_theme import theme_of
from mapkit.kinds.rail.render.rule_sheet.page import about, left_open
from mapkit.kinds.rail.render.rule_sheet.sheet import rule_sheet
from mapkit.kinds.rail.render.sheets.engines import engine_price
from mapkit.kinds.rail.render.sheets.job import SheetJob
from mapkit.kinds.rail.render.sheets.payoffs import payoff
from mapkit.kinds.rail.render.words import words_of
from mapkit.kinds.rail.rules.rules import Engine

PAGE: Final = 12_000
"""Letters of a tab at most: what the game draws of one text ends at about 16,000."""

_GREY: Final = {"r": 0.5, "g": 0.5, "b": 0.5}


def tab_states(board: Board) -> dict[str, dict[str, Any]]:
    """Return `TabStates`: tabs for the rules, prices, destinations, and payoffs region by region."""
    words = words_of(board)
    pages: list[tuple[str, str]] = []
    for title, blocks in _topics(board):
        texts = _paged(blocks)
        for number, text in enumerate(texts, 1):
            at = words("sheet.part", title=title, number=number, count=len(texts))
            pages.append((title if len(texts) == 1 else at, text))
    return {
        str(at): {"title": plain(title), "body": text, "color": "Grey", "visibleColor": _GREY, "id": at}
        for at, (title, text) in enumerate(pages)
    }


def plain(text: str) -> str:
    """Return text without square brackets, which the notebook takes as marks: round ones stand for them."""
    return text.translate({ord("["): "(", ord("]"): ")"})


def _bold(text: str) -> str:
    return f"[b]{plain(text)}[/b]"


def _topics(board: Board) -> Iterator[tuple[str, list[str]]]:
    words = words_of(board)
    yield words("rules.title"), list(_rules(board))
    yield words("notebook.prices"), list(_prices(board))
    if REGIONS in board.destinations:
        yield words("destinations.title"), list(_destinations(board))
    for region in board.regions:
        blocks = list(_payoffs(board, region.id))
        if blocks:
            yield words("notebook.payoffs", region=region.name), blocks


def _rules(board: Board) -> Iterator[str]:
    sheet = rule_sheet(board.rules, board=board)
    yield f"{_bold(sheet.title)}\n{plain(about(sheet))}"
    for section in sheet.sections:
        marks = (f"{n}." if section.numbered else "-" for n in range(1, len(section.points) + 1))
        points = [f"{mark} {plain(point)}" for mark, point in zip(marks, section.points, strict=True)]
        yield "\n".join([_bold(section.title), *points])
    yield from map(plain, left_open(sheet))


def _prices(board: Board) -> Iterator[str]:
    job = SheetJob(board, theme_of(board), "a4")
    rows = sorted(board.railroads, key=lambda r: (job.alphabetical(r.name), r.id))
    lines = [f"{plain(r.short)}, {plain(r.name)}: {plain(job.money(r.price))}" for r in rows]
    yield "\n".join([_bold(job.words("reference.railroads")), *lines])
    engines = [f"{job.engine(engine)}: {plain(engine_price(job, engine))}" for engine in _ENGINES]
    yield "\n".join([_bold(job.words("reference.engines")), *engines])


_ENGINES: Final[tuple[Engine, ...]] = ("express", "superchief")


def _destinations(board: Board) -> Iterator[str]:
    names = {r.id: r.name for r in board.regions} | {c.id: c.name for c in board.cities}
    words = words_of(board)
    yield words("notebook.how")
    titles = [(REGIONS, words("destinations.regions")), *((r.id, r.name) for r in board.regions)]
    for ident, title in titles:
        chart = board.destinations.get(ident)
        if chart is not None:
            yield "\n".join([_bold(title), *_sides(words, chart, names)])


def _sides(words: Words, chart: DestinationChart, names: dict[str, str]) -> Iterator[str]:
    for title, cells in ((words("destinations.odd"), chart.odd), (words("destinations.even"), chart.even)):
        filled = [(total, ident) for total in SUMS if (ident := cells.get(total)) is not None]
        yield f"{title}: " + ", ".join(f"{total} {plain(names.get(ident, ident))}" for total, ident in filled)


def _payoffs(board: Board, region: str) -> Iterator[str]:
    """Yield a block for each city of a region: all other cities with the payoff in thousands."""
    words, cities = words_of(board), {c.id: c for c in board.cities}
    order = board.payoffs.cities
    for at, ident in enumerate(order):
        if ident not in cities or cities[ident].region != region:
            continue
        amounts = [
            (cities[other].name if other in cities else other, amount)
            for k, other in enumerate(order)
            if k != at and (amount := payoff(board, at, k)) is not None
        ]
        amounts.sort(key=lambda pair: words.sort_key(pair[0]))
        if amounts:
            line = ", ".join(f"{plain(name)} {words.plain(amount)}" for name, amount in amounts)
            yield f"{_bold(cities[ident].name)}\n{line}"


def _paged(blocks: Sequence[str]) -> list[str]:
    """Return blocks as texts of at most `PAGE` letters; a longer block is cut at spaces."""
    pages: list[str] = []
    for block in _pieces(blocks):
        if pages and len(pages[-1]) + 2 + len(block) <= PAGE:
            pages[-1] += "\n\n" + block
        else:
            pages.append(block)
    return pages


def _pieces(blocks: Iterable[str]) -> Iterator[str]:
    for block in blocks:
        rest = block
        while len(rest) > PAGE:
            cut = max(rest.rfind(" ", 1, PAGE), rest.rfind("\n", 1, PAGE))
            cut = cut if cut > 0 else PAGE
            yield rest[:cut]
            rest = rest[cut:].lstrip()
        yield rest
