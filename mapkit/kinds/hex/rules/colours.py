"""Colours of goods, and their letters (RW-C01, RW-C02, RW-U04)."""

from typing import Final, Literal, get_args

Goods = Literal["red", "blue", "black", "yellow", "purple"]
"""Colours of cubes (RW-C01)."""

CityColour = Literal["red", "blue", "black", "yellow", "purple", "gray"]
"""Colours of cities (RW-C02)."""

GOODS: Final[tuple[Goods, ...]] = get_args(Goods)
CITY_COLOURS: Final[tuple[CityColour, ...]] = get_args(CityColour)
GRAY: Final = "gray"
LETTERS: Final[dict[str, str]] = {"red": "R", "blue": "B", "black": "G", "yellow": "Y", "purple": "P"}
"""Colour of goods -> its letter. Black is G, for blue has B: a table, not the first letter (RW-U04, D62)."""
