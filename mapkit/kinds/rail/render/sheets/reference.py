"""The reference sheet: turn, movement, engines, fees, money and prices on one page, from the board's rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import FLOOR, LEADING, Fitted, pt, wrap
from mapkit.drawing.inks import paper_of
from mapkit.drawing.page import body_area, page, page_of, titled
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import text_width
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import Railroad
from mapkit.kinds.rail.render.rule_sheet.facts import SheetFacts as RuleWords
from mapkit.kinds.rail.render.rule_sheet.points import rule_points
from mapkit.kinds.rail.render.sheets.card import sample
from mapkit.kinds.rail.render.sheets.deeds import for_sale
from mapkit.kinds.rail.render.sheets.engines import bonus_when, engine_price, superchief_table
from mapkit.kinds.rail.render.sheets.job import SheetJob
from mapkit.kinds.rail.rules.rules import Engine

_GUTTER: Final = 8.0
_LEFT: Final = 0.47
_SIZES: Final = tuple(pt(quarters / 4) for quarters in range(42, 23, -1))
_HEAD: Final = 1.2
_VALUE: Final = 0.6
"""Share of the width that a value may take."""
_ROW: Final = 7.4
_COUNTED: Final = ("railroads", "cities", "regions")
_LEAST_ROW: Final = FLOOR * 1.25
_SAMPLE: Final = 11.0


@dataclass(frozen=True)
class ReferenceSection:
    """A heading and rows: what it is, and how much; a row without a value takes the whole width."""

    title: str
    rows: tuple[tuple[str, str], ...]


def reference_sheets(job: SheetJob) -> list[Sheet]:
    """Return the reference sheet: one page, and further ones only for railroads that it has no room for."""
    left, top, right, bottom = body_area(job)
    cut = left + (right - left) * _LEFT
    railroads = sorted(job.board.railroads, key=lambda r: (job.alphabetical(r.name), r.id))
    head = _HEAD * pt(10) * LEADING + 1.5
    most = int((bottom - top - head) / _LEAST_ROW)
    rest = railroads[most:]
    pages = 1 + -(-len(rest) // (2 * most))
    out = []
    for number in range(1, pages + 1):
        canvas = page(job, job.words("reference.title"), note=_note(job), foot=page_of(job, number, pages))
        if number == 1:
            _sections(job, canvas, (left, top, cut - _GUTTER / 2, bottom))
            _prices(job, canvas, railroads[:most], (cut + _GUTTER / 2, top, right, bottom))
        else:
            here = rest[(number - 2) * 2 * most : (number - 1) * 2 * most]
            middle = (left + right) / 2
            _prices(job, canvas, here[:most], (left, top, middle - _GUTTER / 2, bottom))
            if here[most:]:
                _prices(job, canvas, here[most:], (middle + _GUTTER / 2, top, right, bottom))
        where = page_of(job, number, pages)
        title = titled(job, job.words("reference.title"), where)
        ident = "reference" if number == 1 else f"reference-{number}"
        out.append(Sheet(ident, title, canvas.to_text(), canvas.width, canvas.height, "page", None))
    return out


def _note(job: SheetJob) -> str:
    return ", ".join(job.words.count(f"board.{name}", len(getattr(job.board, name))) for name in _COUNTED)


def sections(job: SheetJob) -> list[ReferenceSection]:
    """Return what the left column says, all of it from the rules."""
    board, rules = job.board, job.board.rules
    move, fees, win = rules.movement, rules.fees, rules.winning
    steps = rule_points(RuleWords(rules=rules, board=board)).of["turn"]
    words = job.words
    said = partial(_said, words)
    movement = [
        said("move", job.dice(move.dice, "white")),
        said("milepost", words.number(1)),
        said("segment", words("reference.once" if move.segment_reuse == "once-per-trip" else "reference.often")),
        said("bonus_rolls", words.number(rules.bonus.rolls_per_turn)),
        said("bonus", job.dice(rules.bonus.dice, "coloured")),
    ]
    held = words("reference.bank_public" if any(r.public for r in board.railroads) else "reference.bank")
    costs = [
        *_to_the_bank(job, held),
        said("opponent", job.money(fees.opponent)),
        said("sold_out", job.money(fees.opponent_after_sell_out)),
    ]
    start = rules.setup.starting_cash + rules.options.extra_starting_cash
    cash = [
        said("start", job.money(start)),
        said("buys_back", _percent(words, rules.auction.sell_back_percent)),
        said("first_bid", _percent(words, rules.auction.opening_percent)),
        said("bids", job.money(rules.auction.bid_step)),
        said("told", job.money(rules.information.announce_cash)),
        *([] if rules.net_worth.enabled else [said("win", job.money(win.cash))]),
        said("rover", job.money(win.rover_payment)),
    ]
    if rules.net_worth.enabled:
        players = range(rules.setup.min_players, rules.setup.max_players + 1)
        worth = [(n, rules.net_worth.target.at(n)) for n in players]
        cash += [(words.count("reference.worth", n), job.money(w)) for n, w in worth if w is not None]
    return [
        ReferenceSection(words("reference.turn"), tuple((f"{n}. {step}", "") for n, step in enumerate(steps, 1))),
        ReferenceSection(words("reference.movement"), tuple(movement)),
        ReferenceSection(words("reference.engines"), tuple(_engines(job))),
        ReferenceSection(words("reference.fees"), tuple(costs)),
        ReferenceSection(words("reference.money"), tuple(cash)),
    ]


def _said(words: Words, name: str, value: str) -> tuple[str, str]:
    return (words(f"reference.{name}"), value)


def _engines(job: SheetJob) -> list[tuple[str, str]]:
    """Return the engines with their prices, and when they earn a bonus."""
    words, table = job.words, superchief_table(job)
    kinds: tuple[Engine, ...] = ("freight", "express", "superchief")
    out = []
    for engine in kinds:
        name = job.engine(engine)
        if engine == "express" or (engine == "superchief" and not table):
            name = words("reference.engine_priced", engine=name, price=engine_price(job, engine))
        out.append((name, words("reference.bonus_when", when=bonus_when(job, engine).lower())))
    of = job.engine("superchief")
    return out + [(words.count("reference.engine_players", n, engine=of), job.money(price)) for n, price in table]


def _to_the_bank(job: SheetJob, held: str) -> list[tuple[str, str]]:
    """Return what a turn costs at the bank: one sum for its railroads and the player's own (RB-F02, RB-F03)."""
    fees, words = job.board.rules.fees, job.words
    if fees.own == fees.bank:
        return [(words("reference.turn_all", held=held), job.money(fees.bank))]
    if not fees.own:
        own = [_said(words, "own", words("reference.free"))]
    else:
        own = [
            _said(words, "own", job.money(fees.own)),
            _said(words, "larger", job.money(max(fees.own, fees.bank))),
        ]
    return [(words("reference.turn_on", held=held), job.money(fees.bank)), *own]


def _percent(words: Words, share: int) -> str:
    if share == 50:  # noqa: PLR2004 - a half
        return words("reference.half")
    return words("reference.share", percent=words.percent(share))


@dataclass(frozen=True)
class _Set:
    """A row with its text broken into lines."""

    label: tuple[str, ...]
    value: tuple[str, ...]

    @property
    def lines(self) -> int:
        return max(len(self.label), len(self.value))


def _broken(section: ReferenceSection, width: float, size: float) -> list[_Set]:
    out = []
    for label, value in section.rows:
        widest = min(text_width(value, size, bold=True), width * _VALUE) if value else 0.0
        room = width - widest - (size if value else 0.0)
        out.append(_Set(tuple(wrap(label, room, size)), tuple(wrap(value, widest + 0.05, size, bold=True))))
    return out


def _height(rows: Sequence[_Set], size: float) -> float:
    return _HEAD * size * LEADING + 1.5 + sum(row.lines * size * LEADING + 0.34 * size for row in rows)


def _sections(job: SheetJob, canvas: Canvas, area: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = area
    contents = sections(job)
    for size in _SIZES:
        rows = [_broken(section, right - left, size) for section in contents]
        needed = sum(_height(part, size) for part in rows) + (len(rows) - 1) * size
        if needed <= bottom - top:
            break
    gap = size + min(3.0, (bottom - top - needed) / max(1, len(rows) - 1)) * (needed <= bottom - top)
    y = top
    for section, part in zip(contents, rows, strict=True):
        y = _heading(canvas, section.title, (left, y, right), size)
        for (label, value), row in zip(section.rows, part, strict=True):
            high = row.lines * size * LEADING + 0.34 * size
            group = canvas.group({"class": "fact", "data-label": label, "data-value": value})
            kind = Type(size, top=True)
            box = (left, y + 0.17 * size, right, y + high)
            canvas.set(box, Fitted(row.label, size), kind, parent=group)
            if row.value:
                canvas.set(box, Fitted(row.value, size), kind.but(bold=True, align="end"), parent=group)
            y += high
            canvas.line([(left, y), (right, y)], ink=mixed(job.theme.border, paper_of(job.theme), 0.6), width=0.15)
        y += gap


def _heading(canvas: Canvas, title: str, place: tuple[float, float, float], size: float) -> float:
    left, y, right = place
    high = _HEAD * size * LEADING
    canvas.words((left, y, right, y + high + 0.2), title, Type(_HEAD * size, bold=True))
    canvas.line([(left, y + high + 0.6), (right, y + high + 0.6)], ink=canvas.theme.ink, width=0.4)
    return y + high + 1.5


def _prices(
    job: SheetJob, canvas: Canvas, railroads: Sequence[Railroad], area: tuple[float, float, float, float]
) -> None:
    """List railroads from A to Z: line, initials, name, price flush right."""
    if not railroads:
        return
    left, y, right, bottom = area
    y = _heading(canvas, job.words("reference.railroads"), (left, y, right), pt(10))
    step = min(_ROW, (bottom - y) / len(railroads))
    size = max(FLOOR, min(pt(9.5), step / 1.25))
    prices = {r.id: job.money(r.price) if for_sale(job, r) else job.words("reference.public") for r in railroads}
    wide = min(max(text_width(p, size, bold=True) for p in prices.values()), (right - left) * 0.25) + 0.1
    mark = min(max(text_width(r.short, size, bold=True) for r in railroads), (right - left) * 0.2) + 0.1
    pale = mixed(job.theme.border, paper_of(job.theme), 0.16)
    for at, railroad in enumerate(railroads):
        if at % 2 == 0:
            canvas.box((left, y, right, y + step), fill=pale)
        sample(canvas, job.styles[railroad.id], left + 0.8, left + _SAMPLE, y + step / 2)
        x = left + _SAMPLE + 2.0
        bold = Type(size, bold=True)
        canvas.words((x, y, x + mark, y + step), railroad.short, bold)
        canvas.words((x + mark + 2.0, y, right - wide - 3.0, y + step), railroad.name, Type(size))
        box = (right - wide - 1.0, y, right - 1.0, y + step)
        canvas.words(box, prices[railroad.id], bold.but(align="end"), data={"price": railroad.id})
        y += step
