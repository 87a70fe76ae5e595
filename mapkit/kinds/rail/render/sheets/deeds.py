"""Title deeds (RB-C12, RB-C16): a card for every railroad."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import FLOOR, LEADING, pt, wrap
from mapkit.drawing.inks import ink_on
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import REGIONS, Railroad
from mapkit.kinds.rail.network.service import access, connections, monopoly
from mapkit.kinds.rail.render.sheets.card import INNER, back, band, card, frame, sample
from mapkit.kinds.rail.render.sheets.job import SheetJob
from mapkit.kinds.rail.render.sheets.little_map import Maps, draw_little_map, maps_of

_BAND: Final = 10.5
_STRIP: Final = 3.6
_NAME: Final = 7.6
_PAD: Final = 2.4
_FACTS: Final = 8.2
_TEXT: Final = pt(6.5)
_LABEL: Final = pt(6)
_HALF: Final = 50
_MAP: Final = (15.0, 36.0)
"""Least and greatest height of the map."""


@dataclass(frozen=True)
class _List:
    """A list of names below a label."""

    label: str
    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        return LEADING * (_LABEL + len(self.lines) * self.size) + 0.8


def deed_sheets(job: SheetJob) -> list[Sheet]:
    """Return a deed for every railroad, in alphabetical order of their names, all with the same back."""
    railroads = sorted(job.board.railroads, key=lambda r: (job.alphabetical(r.name), r.id))
    if not railroads:
        return []
    maps = maps_of(job.board, job.theme, (INNER[2] - INNER[0]) / _MAP[0], job.layout)
    meets = connections(job.board)
    reverse = back(job, job.words("deed.title"))
    return [
        Sheet(
            f"deed-{railroad.id}",
            job.words("deed.titled", railroad=railroad.name),
            _deed(job, maps, railroad, meets[railroad.id]),
            *CARD,
            "card",
            reverse,
        )
        for railroad in railroads
    ]


def for_sale(job: SheetJob, railroad: Railroad) -> bool:
    """Say whether a railroad can be bought (RB-C11, RB-P10)."""
    return not railroad.public or job.board.rules.purchase.public_for_sale


def _deed(job: SheetJob, maps: Maps, railroad: Railroad, meets: Sequence[str]) -> str:
    canvas = card(job, railroad.name)
    theme, style = job.theme, job.styles[railroad.id]
    left, _, right, bottom = INNER
    top = _heading(job, canvas, railroad)
    lists = _lists(job, maps, railroad, meets, bottom - top - _NAME - _MAP[0] - _FACTS - 2.0)
    name = Type(pt(11), bold=True, align="middle", lines=2)
    canvas.words((left + _PAD, top, right - _PAD, top + _NAME), railroad.name, name, data={"name": railroad.id})
    top += _NAME + 0.4
    room = bottom - 1.2 - top - _FACTS - sum(part.height for part in lists)
    high = min(max(room, _MAP[0]), _MAP[1])
    draw_little_map(canvas, maps, railroad, (left, top, right, top + high))
    top += high
    spare = max(0.0, room - high)
    above = 0.6 + spare * 0.25
    _facts(canvas, _figures(job, railroad), (left + _PAD, top + above, right - _PAD, top + above + _FACTS - 1.4))
    top += _FACTS + spare * 0.5
    for part in lists:
        quiet = Type(_LABEL, bold=True, fill=theme.quiet_ink)
        canvas.words((left + _PAD, top, right - _PAD, top + LEADING * _LABEL), part.label, quiet)
        y = top + LEADING * _LABEL
        for line in part.lines:
            spot = (left + _PAD, y, right - _PAD, y + LEADING * part.size)
            canvas.words(spot, line, Type(part.size))
            y += LEADING * part.size
        top += part.height + spare * 0.12
    frame(canvas, ink_on("#ffffff") if style.colour == "#ffffff" else style.colour)
    return canvas.to_text()


def _heading(job: SheetJob, canvas: Canvas, railroad: Railroad) -> float:
    """Draw the band with initials and price, and the line's pattern below it; returns where they end."""
    style = job.styles[railroad.id]
    left, top, right, bottom = band(canvas, _BAND, style.colour)
    ink = ink_on(style.colour)
    middle = left + (right - left) * 0.58
    canvas.words((left + _PAD, top, middle, bottom), railroad.short, Type(pt(21), bold=True, fill=ink))
    price = job.money(railroad.price) if for_sale(job, railroad) else job.words("deed.public")
    kind = Type(pt(14), bold=True, fill=ink, align="end")
    canvas.words((middle, top, right - _PAD, bottom), price, kind, data={"price": railroad.id})
    sample(canvas, style, left, right, bottom + _STRIP / 2)
    return bottom + _STRIP


def _figures(job: SheetJob, railroad: Railroad) -> list[tuple[str, str]]:
    """Return what a deed says in figures; what the rules or charts do not give is left out."""
    board, rules, words = job.board, job.board.rules, job.words
    out = []
    if for_sale(job, railroad):
        # RB-A03 and RB-A05: what the bank pays, and where an auction begins, are shares of the list price
        sold, bid = rules.auction.sell_back_percent, rules.auction.opening_percent
        shares = [("half_price", sold)] if sold == bid == _HALF else [("bank_pays", sold), ("first_bid", bid)]
        out += [(words(f"deed.{name}"), job.money(railroad.price * percent / 100)) for name, percent in shares]
    else:
        out.append((words("deed.never_sold"), job.money(rules.fees.bank)))
    if REGIONS in board.destinations and any(access(board, [r.id]) for r in board.railroads):
        service, alone = access(board, [railroad.id]), monopoly(board, [railroad.id])
        out.append((words("deed.destinations"), words.percent(float(service) * 100, 1)))
        out.append((words("deed.alone"), words.percent(float(alone) * 100, 1)))
    return out


def _facts(canvas: Canvas, facts: Sequence[tuple[str, str]], area: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = area
    wide = (right - left) / len(facts)
    cut = top + (bottom - top) * 0.46
    for at, (label, value) in enumerate(facts):
        x0, x1 = left + at * wide, left + (at + 1) * wide - 0.6
        align = "start" if at == 0 else "end" if at == len(facts) - 1 else "middle"
        kind = Type(_LABEL, fill=canvas.theme.quiet_ink, align=align)  # type: ignore[arg-type]
        canvas.words((x0, top + 0.4, x1 + 0.6 * (at == len(facts) - 1), cut), label, kind)
        value_kind = kind.but(size=pt(10), bold=True, fill=canvas.theme.ink)
        canvas.words((x0, cut, x1 + 0.6 * (at == len(facts) - 1), bottom), value, value_kind)


def _lists(job: SheetJob, maps: Maps, railroad: Railroad, meets: Sequence[str], height: float) -> list[_List]:
    """Return the cities served and the railroads met, so that they fit; a list that does not ends in a count."""
    words = job.words
    names, short = job.names, {r.id: r.short for r in job.board.railroads}
    cities = sorted((names[c] for c in maps.served[railroad.id]), key=job.alphabetical)
    marks = sorted((short[ident] for ident in meets), key=job.alphabetical)
    serves = words.count("deed.serves", len(cities)) if cities else words("deed.serves_none")
    lists = [(serves, cities), (words("deed.meets") if marks else words("deed.meets_none"), marks)]
    for size in (_TEXT, FLOOR):
        out = [_list(words, label, items, size) for label, items in lists]
        if sum(part.height for part in out) <= height:
            return out
    limit = [len(cities), len(marks)]
    while sum(part.height for part in out) > height and max(limit) > 1:
        longest = 0 if out[0].height >= out[1].height else 1
        limit[longest] -= 1
        out[longest] = _list(words, *lists[longest], FLOOR, most=limit[longest])
    return out


def _list(words: Words, label: str, items: Sequence[str], size: float, *, most: int | None = None) -> _List:
    shown = list(items if most is None else items[:most])
    text = ", ".join(shown) + (words("deed.more", n=len(items) - len(shown)) if len(shown) < len(items) else "")
    return _List(label, tuple(wrap(text, INNER[2] - INNER[0] - 2 * _PAD - 0.1, size)), size)
