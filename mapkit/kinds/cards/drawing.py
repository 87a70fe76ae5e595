"""The cards of a game as one SVG: a group for each card, with its id and data; two faces lie side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from mapkit.drawing.colours.colour import contrast
from mapkit.kinds.cards.game import CardGame, Effect

_WIDTH: Final = 63.5
_HEIGHT: Final = 88.9
_GAP: Final = 4.0
_COLUMNS: Final = 8
_PAPER: Final = "#fbf8ef"
_INK: Final = "#222222"
_PLAIN: Final = "#8a8272"
_WIDEST: Final = 0.6
"""Of a letter, in sizes of its type; a safe guess for sans serif."""


@dataclass(frozen=True)
class _Card:
    """A card: its id, its data, its colour, its head, and lines below."""

    id: str
    data: tuple[tuple[str, str], ...]
    colour: str
    head: str
    lines: tuple[str, ...]


def draw_cards(game: CardGame) -> str:
    """Return all different cards of a game as an SVG sheet in millimetres, poker size (63.5 by 88.9)."""
    cards = [*_holdings(game), *_certificates(game), *_railroads(game), *_investors(game), _track(game)]
    rows = -(-len(cards) // _COLUMNS)
    width = _COLUMNS * (_WIDTH + _GAP) + _GAP
    height = rows * (_HEIGHT + _GAP) + _GAP
    size = f'width="{width:.1f}mm" height="{height:.1f}mm" viewBox="0 0 {width:.1f} {height:.1f}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">']
    parts.append(f"<title>{escape(game.title)}</title>")
    for number, card in enumerate(cards):
        row, column = divmod(number, _COLUMNS)
        parts.append(_drawn(card, _GAP + column * (_WIDTH + _GAP), _GAP + row * (_HEIGHT + _GAP)))
    return "\n".join((*parts, "</svg>\n"))


def _holdings(game: CardGame) -> Iterator[_Card]:
    zones = [line for one in game.zones for line in _wrapped(f"{one.meaning}: {one.text}")]
    for one in game.holdings:
        data = (("kind", "holding"), ("operators", str(one.operators)))
        yield _Card(f"holding-{one.id}", data, one.colour, one.name, (f"{one.operators} operators", *zones))


def _certificates(game: CardGame) -> Iterator[_Card]:
    for holding in game.holdings:
        for one in holding.certificates:
            data = (("kind", "certificate"), ("holding", holding.id), ("percent", str(one.percent)))
            lines = (f"{one.percent} %", "Director" if one.director else "Share")
            yield _Card(f"certificate-{one.id}", data, holding.colour, holding.name, lines)


def _railroads(game: CardGame) -> Iterator[_Card]:
    for one in game.railroads:
        for face in one.faces:
            goes = "never obsolete" if face.gone_at is None else f"obsolete at level {face.gone_at}"
            data = (
                ("kind", "railroad"),
                ("level", face.level),
                ("cost", str(face.cost)),
                ("income", str(face.income)),
                ("count", str(one.count)),
            )
            lines = (f"level {face.level}", f"cost ${face.cost}", f"income ${face.income}", goes)
            yield _Card(f"railroad-{one.id}-{face.id}", data, _PLAIN, one.name or f"Category {one.category}", lines)


def _investors(game: CardGame) -> Iterator[_Card]:
    for one in game.investors:
        said = _wrapped(one.text) if one.text else map(_effect, one.effects)
        lines = (f"${one.value}", *said)
        data = (("kind", "investor"), ("value", str(one.value)))
        yield _Card(f"investor-{one.id}", data, _PLAIN, one.name or f"Investor ${one.value}", lines)


def _effect(effect: Effect) -> str:
    said = (effect.kind, effect.holding, effect.level, "" if effect.amount is None else str(effect.amount))
    return " ".join(part for part in said if part)


def _track(game: CardGame) -> _Card:
    values = ["?" if one.value is None else str(one.value) for one in reversed(game.track)]
    lines = tuple(" ".join(values[at : at + 4]) for at in range(0, len(values), 4))
    example = ("example values",) if game.track_is_example else ()
    return _Card("track", (("kind", "track"),), _PLAIN, "Share value", (*example, *lines))


def _wrapped(text: str, width: int = 26) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line


def _drawn(card: _Card, x: float, y: float) -> str:
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in card.data)
    ink = max((_INK, "#ffffff"), key=lambda one: contrast(one, card.colour))
    parts = [
        f'<g id="{escape(card.id)}"{data} transform="translate({x:.1f} {y:.1f})">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="3" fill="{_PAPER}" stroke="{_INK}" stroke-width="0.25"/>',
        f'<rect x="3" y="3" width="{_WIDTH - 6}" height="14" rx="1.5" fill="{card.colour}"/>',
        _text(card.head, 11.5, 5.0, ink),
    ]
    parts += [_text(line, 27 + 7 * number, 4.2, _INK) for number, line in enumerate(card.lines)]
    return "".join((*parts, "</g>"))


def _text(text: str, y: float, size: float, fill: str) -> str:
    fits = min(size, (_WIDTH - 10) / (_WIDEST * max(1, len(text))))
    middle = _WIDTH / 2
    at = f'x="{middle:.2f}" y="{y:.1f}" font-size="{fits:.2f}" text-anchor="middle" fill="{fill}"'
    return f"<text {at}>{escape(text)}</text>"
