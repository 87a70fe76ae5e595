"""Charts as data of a VASSAL module: buttons that roll a destination or look up a payoff and say it in the chat.

The charts are global properties, one for a row: `|odd 2=Boston|odd 3=...|`. The engine's expressions find an entry.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from mapkit.drawing.words.language import Words
from mapkit.exchange.vassal.pieces import joined
from mapkit.exchange.vassal.tree import Attributes, Component
from mapkit.kinds.rail.exchange.workbook.format import labels
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.render.sheets.payoffs import payoff
from mapkit.kinds.rail.render.words import words_of

_DIE: Final = range(1, 7)
_FROM: Final = "PayoffFrom"
_TO: Final = "PayoffTo"
_ASK_FROM: Final = "askPayoffFrom"
_ASK_TO: Final = "askPayoffTo"
_SAY: Final = "sayPayoff"
_SPECIAL: Final = str.maketrans({"|": "/", "=": "-", "{": "(", "}": ")", "\t": " ", "\n": " ", "\r": " "})
"""Signs that the engine's formats or the rows of the charts mean something by."""


def lookup_name(name: str) -> str:
    """Return a name as the buttons and the chat have it."""
    return name.translate(_SPECIAL).replace("\\", "/")


def chart_data(board: Board) -> list[Component]:
    """Return the global properties that hold the charts (RB-C13, RB-C14), and those that a player chooses cities by."""
    cities, regions = _names(board)
    words = words_of(board)
    rows = {
        _chart(name): _destination_row(chart, regions if name == REGIONS else cities, words)
        for name, chart in board.destinations.items()
    }
    listed = board.payoffs.cities
    for at, city in enumerate(listed):
        amounts = ((cities[other], _amount(board, at, to, words)) for to, other in enumerate(listed))
        rows[f"payoffs {cities[city]}"] = _row(amounts)
    out = [_property(name, value) for name, value in rows.items()]
    if not _pays(board):
        return out
    choices = sorted((cities[city] for city in listed), key=words.sort_key)
    asked = (
        (_FROM, words("module.begins"), choices[0], _ASK_FROM),
        (_TO, words("module.ends"), choices[-1], _ASK_TO),
    )
    return [*out, *(_chosen(name, said, first, choices, key) for name, said, first, key in asked)]


def lookup_buttons(board: Board) -> list[Component]:
    """Return the buttons: a menu that rolls a region or a city of a region, and one that looks up a payoff."""
    _, regions = _names(board)
    words = words_of(board)
    texts = {REGIONS: words("module.region")}
    texts |= {region.id: words("module.city_of", region=regions[region.id]) for region in board.regions}
    rolls = [_destination(chart, text, words) for chart, text in texts.items() if chart in board.destinations]
    items = joined([str(roll.attributes["text"]) for roll in rolls], ",")
    menu = Component(
        "module.ToolbarMenu",
        {
            "description": words("module.destinations"),
            "menuItems": items,
            "text": words("module.roll"),
            "tooltip": words("module.about_roll"),
        },
    )
    return [*rolls, *([menu] if rolls else []), *_payoff_buttons(board)]


def _names(board: Board) -> tuple[dict[str, str], dict[str, str]]:
    """Return id -> name for cities and regions, each name once."""
    cities = labels((city.id, lookup_name(city.name)) for city in board.cities)
    return cities, labels((region.id, lookup_name(region.name)) for region in board.regions)


def _chart(name: str) -> str:
    return f"destinations {name}"


def _row(entries: Iterable[tuple[str, str]]) -> str:
    return "|" + "".join(f"{key}={value}|" for key, value in entries)


def _destination_row(chart: DestinationChart, names: Mapping[str, str], words: Words) -> str:
    columns = ((words("module.odd"), chart.odd), (words("module.even"), chart.even))
    cells = ((f"{word} {total}", column[total]) for word, column in columns for total in map(str, SUMS))
    return _row((key, words("module.nothing") if cell is None else names[cell]) for key, cell in cells)


def _pays(board: Board) -> bool:
    """Whether the payoff chart has any amount."""
    return any(amount is not None for row in board.payoffs.thousands for amount in row)


def _amount(board: Board, city: int, other: int, words: Words) -> str:
    amount = payoff(board, city, other)
    if amount is None:
        return words("module.nothing")
    return lookup_name(words.money(board.units.symbol, round(amount * board.units.payoff)))


def _property(name: str, value: str) -> Component:
    return Component("module.properties.GlobalProperty", {"initialValue": value, "isNumeric": False, "name": name})


def _chosen(name: str, words: str, first: str, choices: list[str], key: str) -> Component:
    """Return a property that a player chooses from a list when its key is pressed."""
    changer = joined(["E", words, joined(choices, ",")], ",")
    return Component(
        "module.properties.GlobalProperty",
        {"initialValue": first, "isNumeric": False, "name": name},
        [
            Component(
                "module.properties.ChangePropertyButton",
                {"hotkey": _key(key), "propChanger": changer, "reportFormat": "", "text": "", "tooltip": words},
            )
        ],
    )


def _key(name: str) -> str:
    """Return a key stroke that has a name and no key."""
    return f"57348,0,{name}"


def _found(row: str, key: str) -> str:
    """Return the expression for the entry of a row; both are expressions."""
    at = f'{row}.indexOf("|" + {key} + "=")'
    return f'{row}.substring({at} + {key}.length() + 2, {row}.indexOf("|", {at} + 1))'


def _destination(chart: str, text: str, words: Words) -> Component:
    """Return three dice: the coloured one says odd or even, and the sum of the white ones is the row (RB-D01)."""
    parity = [_face(words("module.even" if n % 2 == 0 else "module.odd"), 0) for n in _DIE]
    spots = [_face(str(n), n) for n in _DIE]
    dice = (
        (words("module.parity"), parity),
        (words("module.first_die"), spots),
        (words("module.second_die"), spots),
    )
    found = _found(f'GetProperty("{_chart(chart)}")', '(result1 + " " + numericalTotal)')
    both = _expression(words("module.both_dice", one="\t", other="\t"), "result2", "result3")
    said = (
        f'{{"** " + name + ": " + result1 + " " + numericalTotal + " (" + {both} + "), "'
        f' + {found} + " *** <" + PlayerName + ">"}}'
    )
    attributes: Attributes = {
        "format": said,
        "name": text,
        "resultButton": False,
        "resultChatter": True,
        "resultWindow": False,
        "text": text,
        "tooltip": words("module.about_entry"),
    }
    return Component(
        "module.SpecialDiceButton",
        attributes,
        [Component("module.SpecialDie", {"name": name}, faces) for name, faces in dice],
    )


def _expression(text: str, *values: str) -> str:
    """Return a text as an expression of the engine; at each tab stands the value of an expression, in this order."""
    parts = text.split("\t")
    quoted = [f'"{part}"' if part else "" for part in parts]
    woven = [word for pair in zip(quoted, (*values, ""), strict=True) for word in pair if word]
    return " + ".join(woven)


def _face(text: str, value: int) -> Component:
    return Component("module.SpecialDieFace", {"icon": "", "text": text, "value": value})


def _payoff_buttons(board: Board) -> list[Component]:
    """Return the button that asks for two cities, and the step that says what the trip pays."""
    if not _pays(board):
        return []
    words = words_of(board)
    found = _found(f'GetProperty("payoffs " + {_FROM})', f"{_TO}")
    pays = words("module.pays", amount="\t", **{"from": "\t", "to": "\t"})
    said = f'{{{_expression(pays, _FROM, _TO, found)} + " *** <" + PlayerName + ">"}}'
    keys = joined([_key(name) for name in (_ASK_FROM, _ASK_TO, _SAY)], ",")
    return [
        Component(
            "module.DoActionButton",
            {
                "doHotkey": True,
                "hotkeys": keys,
                "name": words("module.look_up"),
                "text": words("module.look_up"),
                "tooltip": words("module.about_look_up"),
            },
        ),
        Component(
            "module.DoActionButton",
            {
                "doReport": True,
                "hotkey": _key(_SAY),
                "name": words("module.say_payoff"),
                "reportFormat": said,
                "text": "",
            },
        ),
    ]
