"""Tabletop Simulator: a save with the board, deeds, engines, dice, pawns and a notebook, and its pictures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import shapely

from mapkit.core.base import Point
from mapkit.core.jsontext import json_text
from mapkit.drawing.words.language import Words
from mapkit.exchange.card_grid import LONGEST, draw_card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.tabletop.objects import THICK, TOP, WHITE, Deck, TabletopObjects, deck_object, snap_place
from mapkit.exchange.tabletop.save import NO_ADDRESS, base_address, make_save
from mapkit.kinds.rail.exchange.board_picture import BoardPicture, board_picture, card_sheets
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets.chips import PLAYERS
from mapkit.kinds.rail.render.sheets.engines import format_engine_price
from mapkit.kinds.rail.render.sheets.payoffs import get_chart_payoff
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.render.words import words_of
from mapkit.kinds.rail.rules.rules import Engine

# Notebook of a Tabletop Simulator save: rules and charts as text with marks for bold type.

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


# Objects of a Tabletop Simulator save: the board with its snap points, decks, dice, pawns.

PAWN: Final = "pawn"
"""Tag of pieces that snap to mileposts, and of the snap points."""

APART: Final = 0.5
"""Distance of neighbouring mileposts in units, enough for a pawn of the usual size to snap to the right one."""

_MAX_HALF_SIZE: Final = (22.0, 16.0)
"""Half the width and height, in units, of the largest board that leaves room for pieces on the game's table."""
_MIN_SCALE: Final = 6.0
_PAWN_SCALES: Final = (0.3, 1.0)
_RED: Final = "#c8321f"
_GREEN: Final = "#2e7d3a"

_SIDE_ROTATIONS: Final = (
    (1, (-90, 0, 0)),
    (2, (0, 0, 0)),
    (3, (0, 0, -90)),
    (4, (0, 0, 90)),
    (5, (0, 0, 180)),
    (6, (90, 0, 0)),
)
"""Rotation of a six-sided die for each number on top; opposite sides add up to 7."""


def least_distance(spots: Sequence[Point]) -> float | None:
    """Return the least distance between two points; None for fewer than two."""
    if len(spots) < 2:  # noqa: PLR2004 - a pair
        return None
    distinct_points = shapely.points(sorted(set(spots)))
    if len(distinct_points) < len(spots):
        return 0.0
    _, distances = shapely.STRtree(distinct_points).query_nearest(distinct_points, exclusive=True, return_distance=True)
    return float(distances.min())


def board_scale(board: Board, gap: float | None, aspect: float) -> float:
    """Return the scale of the board's tile, half its height in units.

    Neighbouring mileposts are `APART` units apart, unless the board would leave no room beside it on the game's table.
    """
    wanted_scale = APART / max(gap, 1e-6) * board.page.height / 2 if gap is not None else _MIN_SCALE
    return round(min(max(wanted_scale, _MIN_SCALE), _MAX_HALF_SIZE[1], _MAX_HALF_SIZE[0] / aspect), 4)


def pawn_scale(board: Board, gap: float | None, scale: float) -> float:
    """Return the scale of pawns, smaller if mileposts are closer than `APART`."""
    milepost_gap = APART if gap is None else gap / board.page.height * 2 * scale
    return round(min(max(milepost_gap / APART, _PAWN_SCALES[0]), _PAWN_SCALES[1]), 3)


def board_tile(
    table: TabletopObjects, board: Board, picture: BoardPicture, url: str, spots: Mapping[str, Point], scale: float
) -> Any:  # noqa: ANN401
    """Return the tile of the board with its picture and a snap point for every milepost."""
    page_size, aspect = (board.page.width, board.page.height), picture.width / picture.height
    tile = table.thing(
        "Custom_Tile",
        "board",
        (0, TOP, 0),
        title=board.title,
        Locked=True,
        Tooltip=False,
        DragSelectable=False,
        CustomImage={
            "ImageURL": url,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": THICK, "Stackable": False, "Stretch": True},
        },
        AttachedSnapPoints=[
            {"Position": snap_place(*spots[milepost.id], page_size, aspect), "Tags": [PAWN]}
            for milepost in board.mileposts
        ],
    )
    tile["Transform"] |= {"scaleX": scale, "scaleY": 1, "scaleZ": scale}
    return tile


def make_dice(table: TabletopObjects, board: Board, left: float) -> list[Any]:
    """Return the dice: white ones to move, coloured ones for the bonus, and one for odd and even.

    The last die is a usual one with these names on its sides, so that pointing at it shows `odd` or `even`.
    """
    rules, words = board.rules, words_of(board)
    bonus_title = words("module.bonus_die")
    die_kinds = [(words("save.die"), WHITE)] * rules.movement.dice + [(bonus_title, _RED)] * rules.bonus.dice
    die_objects = []
    for die_number, (die_title, colour) in enumerate(die_kinds):
        die_place = (left + 1.5 * (die_number % 3), TOP + 1, 8.0 - 1.5 * (die_number // 3))
        side_values = [{"Value": side, "Rotation": _rotation(turn)} for side, turn in _SIDE_ROTATIONS]
        die_objects.append(
            table.thing(
                "Die_6", f"die/{die_number}", die_place, title=die_title, colour=colour, RotationValues=side_values
            )
        )
    parity_values = [
        {"Value": words("module.odd" if side % 2 else "module.even"), "Rotation": _rotation(turn)}
        for side, turn in _SIDE_ROTATIONS
    ]
    die_place = (left, TOP + 1, 8.0 - 1.5 * (-(-len(die_kinds) // 3)))
    die_objects.append(
        table.thing(
            "Die_6", "die/parity", die_place, title=words("module.parity"), colour=_GREEN, RotationValues=parity_values
        )
    )
    return die_objects


def _rotation(turn: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip("xyz", turn, strict=True))


def make_pawns(table: TabletopObjects, board: Board, left: float, scale: float) -> list[Any]:
    """Return a pawn, a departure and a destination marker for each player (RB-C17); they snap to mileposts."""
    words = words_of(board)
    piece_objects = []
    for player in range(board.rules.setup.max_players):
        for piece_number, (object_type, role) in enumerate(_PLAYER_PIECES):
            piece_scale = scale if object_type == "PlayerPawn" else round(scale * 0.6, 3)
            piece_place = (left + 1.5 * piece_number, TOP + 1, -1.0 - 1.5 * player)
            piece_name = words(f"save.{role}", player=player + 1)
            colour = PLAYERS[player % len(PLAYERS)]
            piece_id = f"piece/{role}/{player}"
            piece_objects.append(
                table.thing(
                    object_type, piece_id, piece_place, title=piece_name, scale=piece_scale, colour=colour, Tags=[PAWN]
                )
            )
    return piece_objects


_PLAYER_PIECES: Final = (("PlayerPawn", "pawn"), ("BlockSquare", "departure"), ("BlockTriangle", "destination"))


LOSSES: Final = (
    "segments and junctions, except in the drawing",
    "names and ids of mileposts, except in the drawing",
    "longitudes, latitudes, the projection and miles",
    "money; charts and rules are text in the notebook",
    "extensions and provenance",
)
BRACKETS: Final = "square brackets in names; the notebook has round ones"

_DECKS: Final = (("deeds", 4.0), ("engines", -4.0))


class TabletopSimulatorFormat:
    """Save of Tabletop Simulator."""

    name = "tts"
    title = "Tabletop Simulator save"
    suffixes = (".tts.json",)
    carries = (
        "the drawn board with a snap point for every milepost; deeds and engines as decks, dice with one for odd and "
        "even, pawns; rules, prices and charts in the notebook"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return `BOARD.json` and its pictures, with content hashes in their names.

        Raises:
            ExportError: `options.base_url` is not an address.
            PrintError: The board cannot be drawn.
        """
        base_url = base_address(options.base_url)
        files: dict[str, str | bytes] = {}

        def put(stem: str, png: bytes) -> str:
            hashed_file = hashed_name(stem, png)
            files[hashed_file] = png
            return base_url + hashed_file

        table_objects = TabletopObjects(board.id)
        drawn_board = board_picture(board, LONGEST)
        spot_by_id = lay_out(board).spots
        min_gap_mm = least_distance([spot_by_id[milepost.id] for milepost in board.mileposts])
        aspect = drawn_board.width / drawn_board.height
        tile_scale = board_scale(board, min_gap_mm, aspect)
        half_width = tile_scale * aspect
        save_objects = [
            board_tile(
                table_objects,
                board,
                drawn_board,
                put(f"{options.file_stem(board)}-board", drawn_board.png),
                spot_by_id,
                tile_scale,
            )
        ]
        deck_key, words = 1, words_of(board)
        for group, deck_z in _DECKS:
            group_cards = card_sheets(board, group)
            if not group_cards:
                continue
            card_pictures = draw_card_set(group_cards)
            grid_urls = [put(f"{options.file_stem(board)}-{group}", grid.png) for grid in card_pictures.grids]
            back_url = put(f"{options.file_stem(board)}-{group}-back", card_pictures.back)
            save_objects.append(
                deck_object(
                    table_objects,
                    Deck(words(f"save.{group}"), group, group_cards, card_pictures, grid_urls, back_url, deck_key),
                    (-half_width - 2.5, 1.5, deck_z),
                )
            )
            deck_key += len(grid_urls)
        save_objects += make_dice(table_objects, board, half_width + 1.5)
        save_objects += make_pawns(table_objects, board, half_width + 1.5, pawn_scale(board, min_gap_mm, tile_scale))
        files[f"{options.file_stem(board)}.json"] = json_text(_make_save(board, save_objects))
        return ExportedBoard(files, (*LOSSES, *_optional_losses(board, options)))


def _optional_losses(board: Board, options: ExportOptions) -> tuple[str, ...]:
    lost_parts: list[str] = []
    if options.base_url is None:
        lost_parts.append(NO_ADDRESS)
    all_names = (
        board.title,
        *(element.name for element_list in (board.cities, board.regions, board.railroads) for element in element_list),
    )
    if any(bracket in name for name in all_names for bracket in "[]"):
        lost_parts.append(BRACKETS)
    return tuple(lost_parts)


def _make_save(board: Board, table_objects: list[Any]) -> dict[str, Any]:
    setup_rules = board.rules.setup
    return make_save(
        board.title,
        table_objects,
        players=(setup_rules.min_players, setup_rules.max_players),
        notes=tab_states(board),
        labels=(PAWN,),
    )


FORMAT = TabletopSimulatorFormat()
