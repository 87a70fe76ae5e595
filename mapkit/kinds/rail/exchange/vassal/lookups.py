"""Charts as data of a VASSAL module, with buttons that roll a destination or look up a payoff in the chat.

The charts are global properties, one per row: `|odd 2=Boston|odd 3=...|`. Expressions of the engine find an entry.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from mapkit.drawing.words.language import Words
from mapkit.exchange.vassal.pieces import encode_sequence
from mapkit.exchange.vassal.tree import Attributes, Component
from mapkit.kinds.rail.exchange.workbook.format import unique_labels
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.render.sheets.payoffs import get_chart_payoff
from mapkit.kinds.rail.render.words import words_of

_DIE_SIDES: Final = range(1, 7)
_FROM_PROPERTY: Final = "PayoffFrom"
_TO_PROPERTY: Final = "PayoffTo"
_ASK_FROM_KEY: Final = "askPayoffFrom"
_ASK_TO_KEY: Final = "askPayoffTo"
_SAY_KEY: Final = "sayPayoff"
_SPECIAL_CHARACTERS: Final = str.maketrans({"|": "/", "=": "-", "{": "(", "}": ")", "\t": " ", "\n": " ", "\r": " "})
"""Replacements of characters with a meaning in formats of the engine or rows of the charts."""


def lookup_name(name: str) -> str:
    """Return a name in the form for buttons and the chat."""
    return name.translate(_SPECIAL_CHARACTERS).replace("\\", "/")


def chart_data(board: Board) -> list[Component]:
    """Return the global properties of the charts (RB-C13, RB-C14) and of the chosen cities."""
    cities, regions = _unique_names(board)
    words = words_of(board)
    row_by_property = {
        _chart_property(chart_id): _destination_row(chart, regions if chart_id == REGIONS else cities, words)
        for chart_id, chart in board.destinations.items()
    }
    city_order = board.payoffs.cities
    for city_index, city in enumerate(city_order):
        named_amounts = (
            (cities[other_city], _amount_text(board, city_index, other_index, words))
            for other_index, other_city in enumerate(city_order)
        )
        row_by_property[f"payoffs {cities[city]}"] = _row_text(named_amounts)
    properties = [
        Component(
            "module.properties.GlobalProperty", {"initialValue": row_value, "isNumeric": False, "name": property_name}
        )
        for property_name, row_value in row_by_property.items()
    ]
    if not _has_payoffs(board):
        return properties
    sorted_cities = sorted((cities[city] for city in city_order), key=words.sort_key)
    city_questions = (
        (_FROM_PROPERTY, words("module.begins"), sorted_cities[0], _ASK_FROM_KEY),
        (_TO_PROPERTY, words("module.ends"), sorted_cities[-1], _ASK_TO_KEY),
    )
    return [
        *properties,
        *(
            _choice_property(property_name, question, first_choice, sorted_cities, key_name)
            for property_name, question, first_choice, key_name in city_questions
        ),
    ]


def lookup_buttons(board: Board) -> list[Component]:
    """Return the buttons: a menu that rolls a region or a city of a region, and one that looks up a payoff."""
    _, regions = _unique_names(board)
    words = words_of(board)
    chart_texts = {REGIONS: words("module.region")}
    chart_texts |= {region.id: words("module.city_of", region=regions[region.id]) for region in board.regions}
    roll_buttons = [
        _destination_button(chart_id, button_text, words)
        for chart_id, button_text in chart_texts.items()
        if chart_id in board.destinations
    ]
    menu_items = encode_sequence([str(roll_button.attributes["text"]) for roll_button in roll_buttons], ",")
    toolbar_menu = Component(
        "module.ToolbarMenu",
        {
            "description": words("module.destinations"),
            "menuItems": menu_items,
            "text": words("module.roll"),
            "tooltip": words("module.about_roll"),
        },
    )
    return [*roll_buttons, *([toolbar_menu] if roll_buttons else []), *_payoff_buttons(board)]


def _unique_names(board: Board) -> tuple[dict[str, str], dict[str, str]]:
    """Return unique names of cities and of regions by id."""
    city_names = unique_labels((city.id, lookup_name(city.name)) for city in board.cities)
    return city_names, unique_labels((region.id, lookup_name(region.name)) for region in board.regions)


def _chart_property(name: str) -> str:
    return f"destinations {name}"


def _row_text(entries: Iterable[tuple[str, str]]) -> str:
    return "|" + "".join(f"{key}={value}|" for key, value in entries)


def _destination_row(chart: DestinationChart, names: Mapping[str, str], words: Words) -> str:
    chart_columns = ((words("module.odd"), chart.odd), (words("module.even"), chart.even))
    chart_cells = (
        (f"{column_word} {dice_sum}", column_cells[dice_sum])
        for column_word, column_cells in chart_columns
        for dice_sum in map(str, SUMS)
    )
    return _row_text(
        (cell_key, words("module.nothing") if target_id is None else names[target_id])
        for cell_key, target_id in chart_cells
    )


def _has_payoffs(board: Board) -> bool:
    """Whether the payoff chart has any amount."""
    return any(amount is not None for row in board.payoffs.thousands for amount in row)


def _amount_text(board: Board, first_city: int, second_city: int, words: Words) -> str:
    thousands = get_chart_payoff(board, first_city, second_city)
    if thousands is None:
        return words("module.nothing")
    return lookup_name(words.money(board.units.symbol, round(thousands * board.units.payoff)))


def _choice_property(name: str, words: str, first_choice: str, choices: list[str], key: str) -> Component:
    """Return a property that a player sets from a list on a key stroke."""
    property_changer = encode_sequence(["E", words, encode_sequence(choices, ",")], ",")
    return Component(
        "module.properties.GlobalProperty",
        {"initialValue": first_choice, "isNumeric": False, "name": name},
        [
            Component(
                "module.properties.ChangePropertyButton",
                {
                    "hotkey": _named_key(key),
                    "propChanger": property_changer,
                    "reportFormat": "",
                    "text": "",
                    "tooltip": words,
                },
            )
        ],
    )


def _named_key(name: str) -> str:
    """Return a named key stroke without a key."""
    return f"57348,0,{name}"


def _find_expression(row: str, key: str) -> str:
    """Return the expression for the entry of a row; row and key are expressions."""
    entry_position = f'{row}.indexOf("|" + {key} + "=")'
    return f'{row}.substring({entry_position} + {key}.length() + 2, {row}.indexOf("|", {entry_position} + 1))'


def _destination_button(chart: str, text: str, words: Words) -> Component:
    """Return three dice: the coloured one for odd or even, the sum of the white ones for the row (RB-D01)."""
    parity_faces = [_die_face(words("module.even" if n % 2 == 0 else "module.odd"), 0) for n in _DIE_SIDES]
    number_faces = [_die_face(str(n), n) for n in _DIE_SIDES]
    named_dice = (
        (words("module.parity"), parity_faces),
        (words("module.first_die"), number_faces),
        (words("module.second_die"), number_faces),
    )
    entry_expression = _find_expression(f'GetProperty("{_chart_property(chart)}")', '(result1 + " " + numericalTotal)')
    dice_expression = _text_expression(words("module.both_dice", one="\t", other="\t"), "result2", "result3")
    report_format = (
        f'{{"** " + name + ": " + result1 + " " + numericalTotal + " (" + {dice_expression} + "), "'
        f' + {entry_expression} + " *** <" + PlayerName + ">"}}'
    )
    button_attributes: Attributes = {
        "format": report_format,
        "name": text,
        "resultButton": False,
        "resultChatter": True,
        "resultWindow": False,
        "text": text,
        "tooltip": words("module.about_entry"),
    }
    return Component(
        "module.SpecialDiceButton",
        button_attributes,
        [Component("module.SpecialDie", {"name": die_name}, faces) for die_name, faces in named_dice],
    )


def _text_expression(text: str, *values: str) -> str:
    """Return a text as an expression of the engine, with the values of expressions at the tabs, in this order."""
    text_parts = text.split("\t")
    quoted_parts = [f'"{part}"' if part else "" for part in text_parts]
    alternating_terms = [term for pair in zip(quoted_parts, (*values, ""), strict=True) for term in pair if term]
    return " + ".join(alternating_terms)


def _die_face(text: str, value: int) -> Component:
    return Component("module.SpecialDieFace", {"icon": "", "text": text, "value": value})


def _payoff_buttons(board: Board) -> list[Component]:
    """Return the button that asks for two cities, and the step that announces the payoff."""
    if not _has_payoffs(board):
        return []
    words = words_of(board)
    entry_expression = _find_expression(f'GetProperty("payoffs " + {_FROM_PROPERTY})', f"{_TO_PROPERTY}")
    payoff_text = words("module.pays", amount="\t", **{"from": "\t", "to": "\t"})
    report_format = (
        f'{{{_text_expression(payoff_text, _FROM_PROPERTY, _TO_PROPERTY, entry_expression)} + " '
        f'*** <" + PlayerName + ">"}}'
    )
    key_strokes = encode_sequence([_named_key(name) for name in (_ASK_FROM_KEY, _ASK_TO_KEY, _SAY_KEY)], ",")
    return [
        Component(
            "module.DoActionButton",
            {
                "doHotkey": True,
                "hotkeys": key_strokes,
                "name": words("module.look_up"),
                "text": words("module.look_up"),
                "tooltip": words("module.about_look_up"),
            },
        ),
        Component(
            "module.DoActionButton",
            {
                "doReport": True,
                "hotkey": _named_key(_SAY_KEY),
                "name": words("module.say_payoff"),
                "reportFormat": report_format,
                "text": "",
            },
        ),
    ]
