"""Frame of a VASSAL module: root, maps and piles of pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.exchange.vassal.tree import HEAD, Component, tree_text
from mapkit.formats.xml_text import xml_text
from mapkit.formats.zipped import zip_bytes

ENGINE: Final = "3.6.0"
"""The oldest VASSAL that opens the module."""
VERSION: Final = "1.0"


@dataclass(frozen=True)
class Stacking:
    """Offset of stacked pieces, in pixels."""

    x: int
    y: int


@dataclass(frozen=True)
class MapTexts:
    """Texts of a map.

    Args:
        name: Of the map.
        save_picture: The tooltip that saves it as a picture.
        moves: The report of a move.
    """

    name: str
    save_picture: str
    moves: str


def make_map(
    texts: MapTexts, board: Component, stacking: Stacking, *, button: bool, inside: Sequence[Component] = ()
) -> Component:
    """Return a map with all components for moving, stacking, zooming and viewing pieces.

    Args:
        texts: What it says.
        board: The picture on it, with its grid.
        stacking: Of pieces.
        button: Whether it is a window of its own, opened by a button.
        inside: Piles and pieces that lie on it at the start.
    """
    map_name = texts.name
    board_picker = Component(
        "module.map.BoardPicker",
        children=[Component("setup", text=f"{map_name}BoardPicker\t{board.attributes['name']}\t0\t0"), board],
    )
    map_tools = [
        Component(
            "module.map.StackMetrics",
            {"exSepX": 30, "exSepY": 30, "unexSepX": stacking.x, "unexSepY": stacking.y},
        ),
        *(Component(f"module.map.{kind}") for kind in ("ForwardToKeyBuffer", "Scroller", "ForwardToChatter")),
        *(Component(f"module.map.{kind}") for kind in ("MenuDisplayer", "MapCenterer", "StackExpander", "PieceMover")),
        Component("module.map.KeyBufferer"),
        Component(
            "module.map.Zoomer", {"zoomLevels": "0.25,0.35,0.5,0.7,1.0,1.4,2.0", "zoomStart": 4 if not button else 5}
        ),
        Component("module.map.ImageSaver", {"buttonText": "", "tooltip": texts.save_picture}),
        Component("module.map.CounterDetailViewer", {"delay": 600, "showDeck": True, "version": 4}),
    ]
    return Component(
        "module.Map",
        {
            "allowMultiple": False,
            "buttonName": map_name if button else "",
            "launch": button,
            "mapName": map_name,
            "markMoved": "Never",
            "moveToFormat": texts.moves,
            "moveWithinFormat": texts.moves,
        },
        [board_picker, *map_tools, *inside],
    )


def make_pile(
    name: str,
    board: str,
    at: tuple[int, int],
    size: tuple[int, int],
    cards: Sequence[Component],
    *,
    hidden: bool = False,
) -> Component:
    """Return a pile of pieces.

    Args:
        name: Of the pile.
        board: The picture on which it lies.
        at: Its middle in pixels.
        size: Of a piece, pixels.
        cards: Their slots.
        hidden: Whether it lies face down and is shuffled, so that a player draws blindly.
    """
    return Component(
        "module.map.DrawPile",
        {
            "allowMultiple": True,
            "allowSelect": not hidden,
            "color": "255,51,51",
            "draw": True,
            "drawFaceUp": True,
            "faceDown": "Always" if hidden else "Never",
            "height": size[1],
            "name": name,
            "owningBoard": board,
            "reshufflable": False,
            "reversible": False,
            "shuffle": "Always" if hidden else "Never",
            "width": size[0],
            "x": at[0],
            "y": at[1],
        },
        cards,
    )


def game_module(title: str, about: str, parts: Sequence[Component], next_slot: int) -> Component:
    """Return the root of a module.

    Args:
        title: Of the game.
        about: What it is, for the list of modules.
        parts: What it holds; `module.BasicCommandEncoder` must be first, or no piece is read.
        next_slot: The number of the next slot.
    """
    return Component(
        "GameModule",
        {
            "VassalVersion": ENGINE,
            "description": about,
            "name": title,
            "nextPieceSlotId": next_slot,
            "version": VERSION,
        },
        parts,
    )


def module_file(root: Component, about: str, files: Mapping[str, str | bytes]) -> bytes:
    """Return a module as a ZIP file, without a date, so that its bytes are reproducible.

    Args:
        root: From `game_module`.
        about: What VASSAL's list of modules shows.
        files: Other files by path; pictures lie in `images/`.

    Raises:
        ExportError: A text holds a character that XML forbids.
    """
    module_name = xml_text(root.attributes["name"])
    module_data = (
        f'{HEAD}<data version="1">\n <version>{VERSION}</version>\n <extra1/>\n <extra2/>\n'
        f" <VassalVersion>{ENGINE}</VassalVersion>\n <dateSaved>0</dateSaved>\n"
        f" <description>{xml_text(about)}</description>\n <name>{module_name}</name>\n</data>\n"
    )
    return zip_bytes({**files, "buildFile.xml": tree_text(root), "moduledata": module_data})
