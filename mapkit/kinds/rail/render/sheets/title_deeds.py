"""Title deeds (RB-C12, RB-C16): a card for every railroad."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import FLOOR, LEADING, points_to_mm, wrap_text
from mapkit.drawing.inks import ink_on
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import REGIONS, Railroad
from mapkit.kinds.rail.network.service import calculate_access, calculate_monopoly, find_connections
from mapkit.kinds.rail.render.sheets.card import (
    INNER,
    begin_card,
    draw_band,
    draw_card_back,
    draw_frame,
    draw_line_sample,
)
from mapkit.kinds.rail.render.sheets.little_map import LittleMapSource, draw_little_map, prepare_little_maps
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

_BAND_MM: Final = 10.5
_STRIP_MM: Final = 3.6
_NAME_MM: Final = 7.6
_PAD_MM: Final = 2.4
_FACTS_MM: Final = 8.2
_TEXT_SIZE: Final = points_to_mm(6.5)
_LABEL_SIZE: Final = points_to_mm(6)
_HALF_PERCENT: Final = 50
_MAP_HEIGHTS_MM: Final = (15.0, 36.0)
"""Least and greatest height of the map."""


@dataclass(frozen=True)
class _NameList:
    """List of names below a label."""

    label: str
    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        return LEADING * (_LABEL_SIZE + len(self.lines) * self.size) + 0.8


def make_deed_sheets(job: SheetJob) -> list[Sheet]:
    """Return a deed for every railroad, in alphabetical order of their names, all with the same back."""
    sorted_railroads = sorted(job.board.railroads, key=lambda r: (job.sort_key(r.name), r.id))
    if not sorted_railroads:
        return []
    deed_maps = prepare_little_maps(job.board, job.theme, (INNER[2] - INNER[0]) / _MAP_HEIGHTS_MM[0], job.layout)
    met_railroads = find_connections(job.board)
    card_back = draw_card_back(job, job.words("deed.title"))
    return [
        Sheet(
            f"deed-{railroad.id}",
            job.words("deed.titled", railroad=railroad.name),
            _draw_deed(job, deed_maps, railroad, met_railroads[railroad.id]),
            *CARD,
            "card",
            card_back,
        )
        for railroad in sorted_railroads
    ]


def is_for_sale(job: SheetJob, railroad: Railroad) -> bool:
    """Return whether a railroad can be bought (RB-C11, RB-P10)."""
    return not railroad.public or job.board.rules.purchase.public_for_sale


def _draw_deed(job: SheetJob, maps: LittleMapSource, railroad: Railroad, meets: Sequence[str]) -> str:
    card_canvas = begin_card(job, railroad.name)
    theme, style = job.theme, job.styles[railroad.id]
    left, _, right, bottom = INNER
    top = _draw_heading(job, card_canvas, railroad)
    name_lists = _make_lists(job, maps, railroad, meets, bottom - top - _NAME_MM - _MAP_HEIGHTS_MM[0] - _FACTS_MM - 2.0)
    name_type = TextStyle(points_to_mm(11), bold=True, align="middle", lines=2)
    card_canvas.words(
        (left + _PAD_MM, top, right - _PAD_MM, top + _NAME_MM), railroad.name, name_type, data={"name": railroad.id}
    )
    top += _NAME_MM + 0.4
    free_height = bottom - 1.2 - top - _FACTS_MM - sum(part.height for part in name_lists)
    map_height = min(max(free_height, _MAP_HEIGHTS_MM[0]), _MAP_HEIGHTS_MM[1])
    draw_little_map(card_canvas, maps, railroad, (left, top, right, top + map_height))
    top += map_height
    spare_height = max(0.0, free_height - map_height)
    space_above = 0.6 + spare_height * 0.25
    _draw_facts(
        card_canvas,
        _list_figures(job, railroad),
        (left + _PAD_MM, top + space_above, right - _PAD_MM, top + space_above + _FACTS_MM - 1.4),
    )
    top += _FACTS_MM + spare_height * 0.5
    for part in name_lists:
        label_type = TextStyle(_LABEL_SIZE, bold=True, fill=theme.quiet_ink)
        card_canvas.words((left + _PAD_MM, top, right - _PAD_MM, top + LEADING * _LABEL_SIZE), part.label, label_type)
        y = top + LEADING * _LABEL_SIZE
        for line in part.lines:
            line_box = (left + _PAD_MM, y, right - _PAD_MM, y + LEADING * part.size)
            card_canvas.words(line_box, line, TextStyle(part.size))
            y += LEADING * part.size
        top += part.height + spare_height * 0.12
    draw_frame(card_canvas, ink_on("#ffffff") if style.colour == "#ffffff" else style.colour)
    return card_canvas.to_text()


def _draw_heading(job: SheetJob, canvas: Canvas, railroad: Railroad) -> float:
    """Draw the band with initials and price, and the line's pattern below it; return the bottom edge."""
    railroad_style = job.styles[railroad.id]
    left, top, right, bottom = draw_band(canvas, _BAND_MM, railroad_style.colour)
    band_ink = ink_on(railroad_style.colour)
    mark_right = left + (right - left) * 0.58
    canvas.words(
        (left + _PAD_MM, top, mark_right, bottom), railroad.short, TextStyle(points_to_mm(21), bold=True, fill=band_ink)
    )
    price_text = job.money(railroad.price) if is_for_sale(job, railroad) else job.words("deed.public")
    price_type = TextStyle(points_to_mm(14), bold=True, fill=band_ink, align="end")
    canvas.words((mark_right, top, right - _PAD_MM, bottom), price_text, price_type, data={"price": railroad.id})
    draw_line_sample(canvas, railroad_style, left, right, bottom + _STRIP_MM / 2)
    return bottom + _STRIP_MM


def _list_figures(job: SheetJob, railroad: Railroad) -> list[tuple[str, str]]:
    """Return the figures of a deed, without those missing from the rules or charts."""
    board, rules, words = job.board, job.board.rules, job.words
    figure_rows = []
    if is_for_sale(job, railroad):
        # RB-A03 and RB-A05: what the bank pays, and where an auction begins, are shares of the list price
        sell_percent, bid_percent = rules.auction.sell_back_percent, rules.auction.opening_percent
        price_shares = (
            [("half_price", sell_percent)]
            if sell_percent == bid_percent == _HALF_PERCENT
            else [("bank_pays", sell_percent), ("first_bid", bid_percent)]
        )
        figure_rows += [
            (words(f"deed.{name}"), job.money(railroad.price * percent / 100)) for name, percent in price_shares
        ]
    else:
        figure_rows.append((words("deed.never_sold"), job.money(rules.fees.bank)))
    if REGIONS in board.destinations and any(calculate_access(board, [r.id]) for r in board.railroads):
        service_chance, monopoly_chance = (
            calculate_access(board, [railroad.id]),
            calculate_monopoly(board, [railroad.id]),
        )
        figure_rows.append((words("deed.destinations"), words.percent(float(service_chance) * 100, 1)))
        figure_rows.append((words("deed.alone"), words.percent(float(monopoly_chance) * 100, 1)))
    return figure_rows


def _draw_facts(canvas: Canvas, facts: Sequence[tuple[str, str]], area: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = area
    fact_width = (right - left) / len(facts)
    label_bottom = top + (bottom - top) * 0.46
    for fact_number, (label, value) in enumerate(facts):
        x0, x1 = left + fact_number * fact_width, left + (fact_number + 1) * fact_width - 0.6
        text_align = "start" if fact_number == 0 else "end" if fact_number == len(facts) - 1 else "middle"
        label_type = TextStyle(_LABEL_SIZE, fill=canvas.theme.quiet_ink, align=text_align)  # type: ignore[arg-type]
        canvas.words((x0, top + 0.4, x1 + 0.6 * (fact_number == len(facts) - 1), label_bottom), label, label_type)
        value_kind = label_type.but(size=points_to_mm(10), bold=True, fill=canvas.theme.ink)
        canvas.words((x0, label_bottom, x1 + 0.6 * (fact_number == len(facts) - 1), bottom), value, value_kind)


def _make_lists(
    job: SheetJob, maps: LittleMapSource, railroad: Railroad, meets: Sequence[str], height: float
) -> list[_NameList]:
    """Return the cities served and the railroads met, shortened to fit; a shortened list ends in a count."""
    words = job.words
    city_names, reporting_marks = job.names, {r.id: r.short for r in job.board.railroads}
    served_names = sorted((city_names[c] for c in maps.served[railroad.id]), key=job.sort_key)
    met_marks = sorted((reporting_marks[ident] for ident in meets), key=job.sort_key)
    serves_label = words.count("deed.serves", len(served_names)) if served_names else words("deed.serves_none")
    labelled_lists = [
        (serves_label, served_names),
        (words("deed.meets") if met_marks else words("deed.meets_none"), met_marks),
    ]
    for text_size in (_TEXT_SIZE, FLOOR):
        name_lists = [_make_list(words, label, items, text_size) for label, items in labelled_lists]
        if sum(name_list.height for name_list in name_lists) <= height:
            return name_lists
    list_limits = [len(served_names), len(met_marks)]
    while sum(name_list.height for name_list in name_lists) > height and max(list_limits) > 1:
        longest = 0 if name_lists[0].height >= name_lists[1].height else 1
        list_limits[longest] -= 1
        name_lists[longest] = _make_list(words, *labelled_lists[longest], FLOOR, most=list_limits[longest])
    return name_lists


def _make_list(words: Words, label: str, items: Sequence[str], size: float, *, most: int | None = None) -> _NameList:
    shown_items = list(items if most is None else items[:most])
    list_text = ", ".join(shown_items) + (
        words("deed.more", n=len(items) - len(shown_items)) if len(shown_items) < len(items) else ""
    )
    return _NameList(label, tuple(wrap_text(list_text, INNER[2] - INNER[0] - 2 * _PAD_MM - 0.1, size)), size)
