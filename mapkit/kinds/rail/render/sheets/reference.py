"""Reference sheet: turn, movement, engines, fees, money and prices on one page, from the board's rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import FLOOR, LEADING, Fitted, points_to_mm, wrap_text
from mapkit.drawing.inks import paper_of
from mapkit.drawing.page import begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import Family, text_width
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import Railroad
from mapkit.kinds.rail.render.rule_sheet.points import SheetFacts as RuleWords
from mapkit.kinds.rail.render.rule_sheet.points import make_rule_points
from mapkit.kinds.rail.render.sheets.card import draw_line_sample
from mapkit.kinds.rail.render.sheets.engines import (
    describe_bonus_condition,
    format_engine_price,
    list_superchief_prices,
)
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.render.sheets.title_deeds import is_for_sale
from mapkit.kinds.rail.rules.rules import Engine

_GUTTER_MM: Final = 8.0
_NARROW_MM: Final = 150.0
"""Narrower pages, as those of booklets, have the railroads on a page of their own."""
_LEFT_SHARE: Final = 0.47
_TEXT_SIZES: Final = tuple(points_to_mm(quarters / 4) for quarters in range(42, 23, -1))
_HEAD_FACTOR: Final = 1.2
_VALUE_SHARE: Final = 0.6
"""Share of the width that a value may take."""
_MOST_ROW_MM: Final = 7.4
_COUNTED_KINDS: Final = ("railroads", "cities", "regions")
_LEAST_ROW_MM: Final = FLOOR * 1.25
_SAMPLE_MM: Final = 11.0


@dataclass(frozen=True)
class ReferenceSection:
    """Heading with rows of a name and an amount; a row without a value takes the whole width."""

    title: str
    rows: tuple[tuple[str, str], ...]


def make_reference_sheets(job: SheetJob) -> list[Sheet]:
    """Return the reference sheet: one page, and further ones only for railroads without room on it."""
    left, top, right, bottom = body_area(job)
    column_edge = left + (right - left) * _LEFT_SHARE
    sorted_railroads = sorted(job.board.railroads, key=lambda r: (job.sort_key(r.name), r.id))
    head_height = _HEAD_FACTOR * points_to_mm(10) * LEADING + 1.5
    most_rows = int((bottom - top - head_height) / _LEAST_ROW_MM)
    is_narrow = right - left < _NARROW_MM
    other_railroads = sorted_railroads[0 if is_narrow else most_rows :]
    per_page = most_rows if is_narrow else 2 * most_rows
    page_count = 1 + -(-len(other_railroads) // per_page)
    count_note = ", ".join(job.words.count(f"board.{name}", len(getattr(job.board, name))) for name in _COUNTED_KINDS)
    reference_pages = []
    for number in range(1, page_count + 1):
        canvas = begin_page(
            job, job.words("reference.title"), note=count_note, foot=page_number_text(job, number, page_count)
        )
        if number == 1 and is_narrow:
            _draw_sections(job, canvas, (left, top, right, bottom))
        elif number == 1:
            _draw_sections(job, canvas, (left, top, column_edge - _GUTTER_MM / 2, bottom))
            _draw_prices(job, canvas, sorted_railroads[:most_rows], (column_edge + _GUTTER_MM / 2, top, right, bottom))
        else:
            page_railroads = other_railroads[(number - 2) * per_page : (number - 1) * per_page]
            middle = right + _GUTTER_MM / 2 if is_narrow else (left + right) / 2
            _draw_prices(job, canvas, page_railroads[:most_rows], (left, top, middle - _GUTTER_MM / 2, bottom))
            if page_railroads[most_rows:]:
                _draw_prices(job, canvas, page_railroads[most_rows:], (middle + _GUTTER_MM / 2, top, right, bottom))
        page_text = page_number_text(job, number, page_count)
        sheet_title = title_with_page(job, job.words("reference.title"), page_text)
        ident = "reference" if number == 1 else f"reference-{number}"
        reference_pages.append(page_sheet(ident, sheet_title, canvas))
    return reference_pages


def list_reference_sections(job: SheetJob) -> list[ReferenceSection]:
    """Return the sections of the left column, all of them from the rules."""
    board, rules = job.board, job.board.rules
    movement_rules, fees, winning_rules = rules.movement, rules.fees, rules.winning
    turn_points = make_rule_points(RuleWords(rules=rules, board=board)).of["turn"]
    words = job.words
    make_row = partial(_make_row, words)
    movement_rows = [
        make_row("move", job.dice(movement_rules.dice, "white")),
        make_row("milepost", words.number(1)),
        make_row(
            "segment", words("reference.once" if movement_rules.segment_reuse == "once-per-trip" else "reference.often")
        ),
        make_row("bonus_rolls", words.number(rules.bonus.rolls_per_turn)),
        make_row("bonus", job.dice(rules.bonus.dice, "coloured")),
    ]
    bank_key = words("reference.bank_public" if any(r.public for r in board.railroads) else "reference.bank")
    fee_rows = [
        *_list_bank_fees(job, bank_key),
        make_row("opponent", job.money(fees.opponent)),
        make_row("sold_out", job.money(fees.opponent_after_sell_out)),
    ]
    starting_cash = rules.setup.starting_cash + rules.options.extra_starting_cash
    cash_rows = [
        make_row("start", job.money(starting_cash)),
        make_row("buys_back", _format_percent(words, rules.auction.sell_back_percent)),
        make_row("first_bid", _format_percent(words, rules.auction.opening_percent)),
        make_row("bids", job.money(rules.auction.bid_step)),
        make_row("told", job.money(rules.information.announce_cash)),
        *([] if rules.net_worth.enabled else [make_row("win", job.money(winning_rules.cash))]),
        make_row("rover", job.money(winning_rules.rover_payment)),
    ]
    if rules.net_worth.enabled:
        player_counts = range(rules.setup.min_players, rules.setup.max_players + 1)
        worth_targets = [(n, rules.net_worth.target.at(n)) for n in player_counts]
        cash_rows += [
            (words.count("reference.worth", n), job.money(target)) for n, target in worth_targets if target is not None
        ]
    return [
        ReferenceSection(words("reference.turn"), tuple((f"{n}. {step}", "") for n, step in enumerate(turn_points, 1))),
        ReferenceSection(words("reference.movement"), tuple(movement_rows)),
        ReferenceSection(words("reference.engines"), tuple(_list_engines(job))),
        ReferenceSection(words("reference.fees"), tuple(fee_rows)),
        ReferenceSection(words("reference.money"), tuple(cash_rows)),
    ]


def _make_row(words: Words, name: str, value: str) -> tuple[str, str]:
    return (words(f"reference.{name}"), value)


def _list_engines(job: SheetJob) -> list[tuple[str, str]]:
    """Return the engines with their prices, and the conditions of their bonus."""
    words, table = job.words, list_superchief_prices(job)
    engine_kinds: tuple[Engine, ...] = ("freight", "express", "superchief")
    engine_rows = []
    for engine in engine_kinds:
        engine_text = job.engine(engine)
        if engine == "express" or (engine == "superchief" and not table):
            engine_text = words("reference.engine_priced", engine=engine_text, price=format_engine_price(job, engine))
        engine_rows.append(
            (engine_text, words("reference.bonus_when", when=describe_bonus_condition(job, engine).lower()))
        )
    superchief_name = job.engine("superchief")
    return engine_rows + [
        (words.count("reference.engine_players", n, engine=superchief_name), job.money(price)) for n, price in table
    ]


def _list_bank_fees(job: SheetJob, held: str) -> list[tuple[str, str]]:
    """Return the cost of a turn at the bank: one sum for its railroads and the player's own (RB-F02, RB-F03)."""
    fees, words = job.board.rules.fees, job.words
    if fees.own == fees.bank:
        return [(words("reference.turn_all", held=held), job.money(fees.bank))]
    if not fees.own:
        own_rows = [_make_row(words, "own", words("reference.free"))]
    else:
        own_rows = [
            _make_row(words, "own", job.money(fees.own)),
            _make_row(words, "larger", job.money(max(fees.own, fees.bank))),
        ]
    return [(words("reference.turn_on", held=held), job.money(fees.bank)), *own_rows]


def _format_percent(words: Words, share: int) -> str:
    if share == 50:  # noqa: PLR2004 - a half
        return words("reference.half")
    return words("reference.share", percent=words.percent(share))


@dataclass(frozen=True)
class _WrappedRow:
    """Row with its text broken into lines."""

    label: tuple[str, ...]
    value: tuple[str, ...]

    @property
    def lines(self) -> int:
        return max(len(self.label), len(self.value))


def _wrap_section(section: ReferenceSection, width: float, size: float, family: Family) -> list[_WrappedRow]:
    wrapped_rows = []
    for label, value in section.rows:
        value_width = min(text_width(value, size, bold=True, family=family), width * _VALUE_SHARE) if value else 0.0
        label_width = width - value_width - (size if value else 0.0)
        wrapped_rows.append(
            _WrappedRow(
                tuple(wrap_text(label, label_width, size, family=family)),
                tuple(wrap_text(value, value_width + 0.05, size, bold=True, family=family)),
            )
        )
    return wrapped_rows


def _measure_height(rows: Sequence[_WrappedRow], size: float) -> float:
    return _HEAD_FACTOR * size * LEADING + 1.5 + sum(row.lines * size * LEADING + 0.34 * size for row in rows)


def _draw_sections(job: SheetJob, canvas: Canvas, area: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = area
    reference_sections = list_reference_sections(job)
    for text_size in _TEXT_SIZES:
        rows = [_wrap_section(section, right - left, text_size, job.theme.family) for section in reference_sections]
        needed_height = sum(_measure_height(part, text_size) for part in rows) + (len(rows) - 1) * text_size
        if needed_height <= bottom - top:
            break
    gap = text_size + min(3.0, (bottom - top - needed_height) / max(1, len(rows) - 1)) * (needed_height <= bottom - top)
    y = top
    for section, part in zip(reference_sections, rows, strict=True):
        y = _draw_heading(canvas, section.title, (left, y, right), text_size)
        for (label, value), row in zip(section.rows, part, strict=True):
            row_height = row.lines * text_size * LEADING + 0.34 * text_size
            fact_group = canvas.group({"class": "fact", "data-label": label, "data-value": value})
            label_type = TextStyle(text_size, top=True)
            box = (left, y + 0.17 * text_size, right, y + row_height)
            canvas.set(box, Fitted(row.label, text_size), label_type, parent=fact_group)
            if row.value:
                canvas.set(box, Fitted(row.value, text_size), label_type.but(bold=True, align="end"), parent=fact_group)
            y += row_height
            canvas.line(
                [(left, y), (right, y)], ink=mix_colours(job.theme.border, paper_of(job.theme), 0.6), width=0.15
            )
        y += gap


def _draw_heading(canvas: Canvas, title: str, place: tuple[float, float, float], size: float) -> float:
    left, y, right = place
    head_height = _HEAD_FACTOR * size * LEADING
    canvas.words((left, y, right, y + head_height + 0.2), title, TextStyle(_HEAD_FACTOR * size, bold=True))
    canvas.line([(left, y + head_height + 0.6), (right, y + head_height + 0.6)], ink=canvas.theme.ink, width=0.4)
    return y + head_height + 1.5


def _draw_prices(
    job: SheetJob, canvas: Canvas, railroads: Sequence[Railroad], area: tuple[float, float, float, float]
) -> None:
    """List railroads from A to Z: line, initials, name, price flush right."""
    if not railroads:
        return
    left, y, right, bottom = area
    y = _draw_heading(canvas, job.words("reference.railroads"), (left, y, right), points_to_mm(10))
    row_height = min(_MOST_ROW_MM, (bottom - y) / len(railroads))
    text_size = max(FLOOR, min(points_to_mm(9.5), row_height / 1.25))
    price_texts = {
        r.id: job.money(r.price) if is_for_sale(job, r) else job.words("reference.public") for r in railroads
    }
    wide = (
        min(
            max(text_width(p, text_size, bold=True, family=job.theme.family) for p in price_texts.values()),
            (right - left) * 0.25,
        )
        + 0.1
    )
    mark_width = (
        min(
            max(text_width(r.short, text_size, bold=True, family=job.theme.family) for r in railroads),
            (right - left) * 0.2,
        )
        + 0.1
    )
    stripe_colour = mix_colours(job.theme.border, paper_of(job.theme), 0.16)
    for row_number, railroad in enumerate(railroads):
        if row_number % 2 == 0:
            canvas.box((left, y, right, y + row_height), fill=stripe_colour)
        draw_line_sample(canvas, job.styles[railroad.id], left + 0.8, left + _SAMPLE_MM, y + row_height / 2)
        x = left + _SAMPLE_MM + 2.0
        bold_type = TextStyle(text_size, bold=True)
        canvas.words((x, y, x + mark_width, y + row_height), railroad.short, bold_type)
        canvas.words((x + mark_width + 2.0, y, right - wide - 3.0, y + row_height), railroad.name, TextStyle(text_size))
        price_box = (right - wide - 1.0, y, right - 1.0, y + row_height)
        canvas.words(price_box, price_texts[railroad.id], bold_type.but(align="end"), data={"price": railroad.id})
        y += row_height
