"""A VASSAL module: a table with decks and the track of share values, and tokens to drag."""

from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import pt
from mapkit.exchange.plan import Exported
from mapkit.exchange.vassal.module import MapTexts, Stacking, game_module, map_of, module_file, pile
from mapkit.exchange.vassal.pieces import Slots, Trait, removable, two_sided
from mapkit.exchange.vassal.tree import Component
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.table import CardDeck, decks
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen
from mapkit.kinds.cards.render.tokens import TOKEN, token_svg, token_title
from mapkit.kinds.cards.render.track import draw_line
from mapkit.press.raster import MM_PER_INCH, svg_to_png

_LOSSES: Final = ("logic: VASSAL does not check moves", "rules as data, and money")
_TABLE: Final = "table.png"
_DPI: Final = 100.0
_GAP: Final = 10.0
_HEAD: Final = 9.0
_ACROSS: Final = 5
_LINE: Final = 13.0
_TRACK: Final = 170.0


@dataclass(frozen=True)
class _Table:
    """The table as SVG, and the middle of each deck in millimetres."""

    svg: str
    spots: tuple[tuple[float, float], ...]


def card_module(job: CardJob) -> bytes:
    """Return the module of a game, a ZIP file; the same game gives the same bytes.

    Raises:
        ExportError: A name holds a character that XML forbids.
    """
    game, words = job.game, job.words
    for text in (game.title, *(one.name for one in game.holdings)):
        xml_text(text)  # what cannot be written is reported before anything is drawn
    found = decks(job)
    table = _table(job, found)
    images: dict[str, bytes] = {_TABLE: svg_to_png(table.svg, _DPI)}
    slots = Slots()
    name = words("module.table")
    piles = [_pile(job, one, at, slots, images, name) for one, at in zip(found, table.spots, strict=True)]
    tokens = _tokens(job, slots, images)
    about = words("module.counts", holdings=len(game.holdings), railroads=sum(one.count for one in game.railroads))
    moves = words("module.moves", piece="$pieceName$", **{"from": "$previousLocation$", "to": "$location$"})
    board = Component("module.map.boardPicker.Board", {"image": _TABLE, "name": name, "reversible": False})
    seats = [words("module.player", number=number) for number in range(1, game.rules.setup.players + 1)]
    parts = [
        Component("module.BasicCommandEncoder"),
        Component("module.Documentation"),
        Component("module.PlayerRoster", children=[Component("entry", text=seat) for seat in seats]),
        Component("module.GlobalOptions", {"autoReport": "Always"}),
        map_of(MapTexts(name, words("module.save_picture"), moves), board, Stacking(4, 4), button=False, inside=piles),
        Component(
            "module.PieceWindow",
            {
                "hidden": False,
                "name": words("module.tokens"),
                "text": words("module.tokens"),
                "tooltip": words("module.about_tokens"),
            },
            [Component("widget.ListWidget", {"entryName": words("module.tokens")}, tokens)],
        ),
        Component("module.Chatter"),
        Component("module.KeyNamer"),
        Component("VASSAL.i18n.Language"),
    ]
    root = game_module(game.title, about, parts, slots.next)
    return module_file(root, about, {f"images/{file}": data for file, data in images.items()})


def _pixels(length: float) -> int:
    return round(length * _DPI / MM_PER_INCH)


def _table(job: CardJob, found: list[CardDeck]) -> _Table:
    wide, high = job.size
    rows = -(-len(found) // _ACROSS)
    track = (job.words("module.track"), len(job.game.track) * _LINE)
    left = _TRACK + 2 * _GAP
    size = (
        left + _ACROSS * (wide + _GAP) + _GAP,
        max(rows * (high + _HEAD + _GAP) + _GAP, track[1] + _HEAD + 2 * _GAP),
    )
    canvas = Canvas(size, job.theme, title=job.words("module.table"), description=job.title)
    pen = CardPen(canvas, canvas.layer)
    head = Type(pt(11), bold=True, align="middle")
    pen.words((_GAP, _GAP / 2, _GAP + _TRACK, _GAP / 2 + _HEAD), track[0], head)
    foot = _GAP + _HEAD + track[1]
    for line, space in enumerate(job.game.track):
        draw_line(pen, job, space, (_GAP, foot - (line + 1) * _LINE, _GAP + _TRACK, foot - line * _LINE))
    spots = []
    for number, one in enumerate(found):
        row, column = divmod(number, _ACROSS)
        x, y = left + column * (wide + _GAP), _GAP + _HEAD + row * (high + _HEAD + _GAP)
        box: Area = (x - 2, y - 2, x + wide + 2, y + high + 2)
        pen.box(box, edge=job.theme.quiet_ink, width=0.4, radius=2.0)
        pen.words((x - 2, y - _HEAD, x + wide + 2, y - 2), one.title, head)
        spots.append((x + wide / 2, y + high / 2))
    return _Table(canvas.to_text(), tuple(spots))


def _pile(
    job: CardJob, one: CardDeck, at: tuple[float, float], slots: Slots, images: dict[str, bytes], table: str
) -> Component:
    """Return a deck, open, its first card on top; a card turns to its other side."""
    size = (_pixels(job.size[0]), _pixels(job.size[1]))
    known: dict[str, str] = {}
    cards = []
    for sheet in one.cards:
        front = known.setdefault(sheet.svg, f"{sheet.id}.png")
        traits: list[Trait] = []
        if sheet.back is not None:
            back = known.setdefault(sheet.back, f"{sheet.id}-back.png")
            traits.append(two_sided(job.words("module.turn"), back, one.title))
        cards.append(slots.slot(sheet.title, front, size, traits, card=True))
    images |= {file: svg_to_png(svg, _DPI) for svg, file in known.items()}
    return pile(one.title, table, (_pixels(at[0]), _pixels(at[1])), size, cards)


def _tokens(job: CardJob, slots: Slots, images: dict[str, bytes]) -> list[Component]:
    size = (_pixels(TOKEN), _pixels(TOKEN))
    delete = removable(job.words("module.delete"))
    out = []
    for one in job.game.tokens:
        images[f"token-{one.id}.png"] = svg_to_png(token_svg(job, one), _DPI)
        out.append(slots.slot(token_title(job, one), f"token-{one.id}.png", size, [delete]))
    return out


def _write(asked: CardExport) -> Exported:
    return Exported({f"{asked.stem}.vmod": card_module(asked.job)}, _LOSSES)


FORMAT = CardFormat(
    "vassal",
    "VASSAL module",
    (".vmod",),
    "decks whose cards turn to their other face, the track, tokens to drag",
    _LOSSES,
    _write,
)
