"""Small random boards of hexagons, many of which nobody would publish: for tests of bad input."""

from random import Random
from typing import Final

from hexagons import example_texts

from mapkit.kinds.hex.rules.colours import GOODS

_TERRAINS: Final = ("plains", "water", "mountain", "sea", "blocked")
_OFFSETS: Final = ("odd-r", "even-r", "odd-q", "even-q")
_KINDS: Final = ("ridge", "river", "impassable", "ferry")
_COUNTS: Final = ("two", "three", "four", "five", "six")
_OPTIONS: Final = ("first-to-pass", "worst-is-first", "mines", "rotors", "fewer-markers")


def random_hex_files(seed: int) -> dict[str, str]:
    """Return the files of a random board of up to 7 x 7 hexagons; the same seed gives the same board."""
    draws = Random(seed)  # noqa: S311 - no secret
    columns, rows = draws.randint(1, 7), draws.randint(1, 7)
    hexes = [f"{column}-{row}" for column in range(1, columns + 1) for row in range(1, rows + 1)]
    cities = draws.sample(hexes, min(len(hexes), draws.choice((0, 1, 2, 3, 5, 8))))
    files = {name: text for name, text in example_texts().items() if name not in ("lines.csv", "links.csv")}
    files["board.toml"] = _settings(draws, columns, rows)
    weights = draws.choice(((6, 1, 1, 1, 1), (1, 1, 1, 4, 1), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1), (0, 1, 0, 0, 0)))
    files["hexes.csv"] = "id,terrain,art\n" + "".join(
        f"{one},{draws.choices(_TERRAINS, weights)[0]},\n" for one in hexes if draws.random() < draws.choice((0.3, 1))
    )
    files["edges.csv"] = "id,kinds,cost\n" + "".join(
        f"{one}--{other},{draws.choice(_KINDS)},{draws.choice(('', 500, 9000))}\n"
        for one, other in _neighbours(hexes)
        if draws.random() < 0.2
    )
    goods = GOODS[: draws.choice((1, 3, 5))]
    files["cities.csv"] = "id,name,hex,colours,cubes,cubes_by_players,rotor,start,wheel,twins,port\n" + "".join(
        f"c{number},City {number},{one},{draws.choice(('gray', *goods))},{draws.choice((0, 0, 1, 2, 9))},,"
        f"{draws.choice(('true', 'false'))},{draws.choice(('', *goods))},,{draws.choice(('', '', 't'))},false\n"
        for number, one in enumerate(cities)
    )
    links = [
        f"l{number},c{number},{draws.choice(('', f'c{draws.randrange(len(cities))}'))},,{draws.choice((0, 5000))},"
        f"{draws.choice(('nobody', 'first-builder'))},{draws.choice(goods)}\n"
        for number in range(min(len(cities), draws.choice((0, 0, 1, 3))))
    ]
    files["links.csv"] = "id,a,b,name,cost,owner,colours\n" + "".join(links)
    return files


def _settings(draws: Random, columns: int, rows: int) -> str:
    options = draws.sample(_OPTIONS, draws.choice((0, 0, 1, 1, 2)))
    markers = "".join(f"{count} = {draws.choice((0, 1, 2, 3, 9))}\n" for count in _COUNTS if draws.random() < 0.95)
    return (
        f'title = "Random"\nkind = "hex"\nexample_track = true\n\n[grid]\noffset = "{draws.choice(_OFFSETS)}"\n'
        f'columns = {columns}\nrows = {rows}\nsize_mm = 22.0\nlabels = "A1"\n'
        f'terrain = "{draws.choice(("plains", "plains", "sea"))}"\n\n'
        f"[rules]\noptions = {options}\n\n[rules.players]\nleast = 2\nmost = {draws.choice((2, 4, 4, 6))}\n\n"
        f"[rules.track]\nmost_tiles = {draws.randint(1, 5)}\n\n"
        f"[rules.rotors]\nwheel = {draws.sample(GOODS, 5)}\n\n"
        f"[rules.end]\nmarkers_less = {draws.choice((0, 2))}\n\n[rules.end.markers]\n{markers}"
    )


def _neighbours(hexes: list[str]) -> list[tuple[str, str]]:
    """Return some pairs of hexagons that lie side by side, in a column or a row."""
    known = set(hexes)
    pairs = []
    for one in hexes:
        column, row = map(int, one.split("-"))
        pairs += [(one, other) for other in (f"{column + 1}-{row}", f"{column}-{row + 1}") if other in known]
    return pairs
