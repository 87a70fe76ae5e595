"""VASSAL module: a table with decks and the track of share values, and tokens to drag."""

from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.vassal.module import MapTexts, Stacking, game_module, make_map, make_pile, module_file
from mapkit.exchange.vassal.pieces import Slots, Trait, deletable_trait, flip_trait
from mapkit.exchange.vassal.tree import Component
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.table import CardDeck, make_decks
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen
from mapkit.kinds.cards.render.tokens import TOKEN, token_svg, token_title
from mapkit.kinds.cards.render.track import draw_line
from mapkit.press.raster import MM_PER_INCH, svg_to_png

_LOSSES: Final = ("logic: VASSAL does not check moves", "rules as data, and money")
_TABLE_FILE: Final = "table.png"
_DPI: Final = 100.0
_GAP_MM: Final = 10.0
_HEAD_MM: Final = 9.0
_DECKS_A_ROW: Final = 5
_LINE_MM: Final = 13.0
_TRACK_MM: Final = 170.0


@dataclass(frozen=True)
class _Table:
    """Table as SVG, and the centre of each deck in millimetres."""

    svg: str
    spots: tuple[tuple[float, float], ...]


def card_module(job: CardJob) -> bytes:
    """Return the module of a game, a ZIP file; the same game gives the same bytes.

    Raises:
        ExportError: A name holds a character that XML forbids.
    """
    game, words = job.game, job.words
    for text in (game.title, *(holding.name for holding in game.holdings)):
        xml_text(text)  # what cannot be written is reported before anything is drawn
    card_decks = make_decks(job)
    drawn_table = _draw_table(job, card_decks)
    image_by_file: dict[str, bytes] = {_TABLE_FILE: svg_to_png(drawn_table.svg, _DPI)}
    slots = Slots()
    table_name = words("module.table")
    deck_piles = [
        _make_pile(job, card_deck, deck_centre, slots, image_by_file, table_name)
        for card_deck, deck_centre in zip(card_decks, drawn_table.spots, strict=True)
    ]
    token_slots = _make_tokens(job, slots, image_by_file)
    about_text = words(
        "module.counts", holdings=len(game.holdings), railroads=sum(railroad.count for railroad in game.railroads)
    )
    moves_text = words("module.moves", piece="$pieceName$", **{"from": "$previousLocation$", "to": "$location$"})
    board_node = Component(
        "module.map.boardPicker.Board", {"image": _TABLE_FILE, "name": table_name, "reversible": False}
    )
    seat_names = [words("module.player", number=number) for number in range(1, game.rules.setup.players + 1)]
    module_parts = [
        Component("module.BasicCommandEncoder"),
        Component("module.Documentation"),
        Component("module.PlayerRoster", children=[Component("entry", text=seat) for seat in seat_names]),
        Component("module.GlobalOptions", {"autoReport": "Always"}),
        make_map(
            MapTexts(table_name, words("module.save_picture"), moves_text),
            board_node,
            Stacking(4, 4),
            button=False,
            inside=deck_piles,
        ),
        Component(
            "module.PieceWindow",
            {
                "hidden": False,
                "name": words("module.tokens"),
                "text": words("module.tokens"),
                "tooltip": words("module.about_tokens"),
            },
            [Component("widget.ListWidget", {"entryName": words("module.tokens")}, token_slots)],
        ),
        Component("module.Chatter"),
        Component("module.KeyNamer"),
        Component("VASSAL.i18n.Language"),
    ]
    game_node = game_module(game.title, about_text, module_parts, slots.next)
    return module_file(
        game_node, about_text, {f"images/{image_file}": data for image_file, data in image_by_file.items()}
    )


def _to_pixels(length: float) -> int:
    return round(length * _DPI / MM_PER_INCH)


def _draw_table(job: CardJob, found: list[CardDeck]) -> _Table:
    wide, high = job.size
    row_count = -(-len(found) // _DECKS_A_ROW)
    track_size = (job.words("module.track"), len(job.game.track) * _LINE_MM)
    left = _TRACK_MM + 2 * _GAP_MM
    table_size = (
        left + _DECKS_A_ROW * (wide + _GAP_MM) + _GAP_MM,
        max(row_count * (high + _HEAD_MM + _GAP_MM) + _GAP_MM, track_size[1] + _HEAD_MM + 2 * _GAP_MM),
    )
    canvas = Canvas(table_size, job.theme, title=job.words("module.table"), description=job.title)
    pen = CardPen(canvas, canvas.layer)
    head = TextStyle(points_to_mm(11), bold=True, align="middle")
    pen.words((_GAP_MM, _GAP_MM / 2, _GAP_MM + _TRACK_MM, _GAP_MM / 2 + _HEAD_MM), track_size[0], head)
    track_foot = _GAP_MM + _HEAD_MM + track_size[1]
    for line, space in enumerate(job.game.track):
        draw_line(
            pen,
            job,
            space,
            (_GAP_MM, track_foot - (line + 1) * _LINE_MM, _GAP_MM + _TRACK_MM, track_foot - line * _LINE_MM),
        )
    deck_centres = []
    for number, one in enumerate(found):
        row, column = divmod(number, _DECKS_A_ROW)
        x, y = left + column * (wide + _GAP_MM), _GAP_MM + _HEAD_MM + row * (high + _HEAD_MM + _GAP_MM)
        deck_box: Area = (x - 2, y - 2, x + wide + 2, y + high + 2)
        pen.box(deck_box, edge=job.theme.quiet_ink, width=0.4, radius=2.0)
        pen.words((x - 2, y - _HEAD_MM, x + wide + 2, y - 2), one.title, head)
        deck_centres.append((x + wide / 2, y + high / 2))
    return _Table(canvas.to_text(), tuple(deck_centres))


def _make_pile(
    job: CardJob, one: CardDeck, at: tuple[float, float], slots: Slots, images: dict[str, bytes], table: str
) -> Component:
    """Return an open deck, its first card on top; a card turns to its other side."""
    size_px = (_to_pixels(job.size[0]), _to_pixels(job.size[1]))
    file_by_svg: dict[str, str] = {}
    cards = []
    for sheet in one.cards:
        front_file = file_by_svg.setdefault(sheet.svg, f"{sheet.id}.png")
        traits: list[Trait] = []
        if sheet.back is not None:
            back_file = file_by_svg.setdefault(sheet.back, f"{sheet.id}-back.png")
            traits.append(flip_trait(job.words("module.turn"), back_file, one.title))
        cards.append(slots.slot(sheet.title, front_file, size_px, traits, card=True))
    images |= {file: svg_to_png(svg, _DPI) for svg, file in file_by_svg.items()}
    return make_pile(one.title, table, (_to_pixels(at[0]), _to_pixels(at[1])), size_px, cards)


def _make_tokens(job: CardJob, slots: Slots, images: dict[str, bytes]) -> list[Component]:
    size_px = (_to_pixels(TOKEN), _to_pixels(TOKEN))
    delete_trait = deletable_trait(job.words("module.delete"))
    token_slots = []
    for token in job.game.tokens:
        images[f"token-{token.id}.png"] = svg_to_png(token_svg(job, token), _DPI)
        token_slots.append(slots.slot(token_title(job, token), f"token-{token.id}.png", size_px, [delete_trait]))
    return token_slots


def _write_module(asked: CardExport) -> ExportedBoard:
    return ExportedBoard({f"{asked.stem}.vmod": card_module(asked.job)}, _LOSSES)


FORMAT = CardFormat(
    "vassal",
    "VASSAL module",
    (".vmod",),
    "decks whose cards turn to their other face, the track, tokens to drag",
    _LOSSES,
    _write_module,
)
