"""What the tests of VASSAL modules share: hostile boards, and a reader of modules of its own."""

import io
import zipfile
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

import mapkit
from mapkit.kinds.rail.model.board import City, Railroad, Region

NAMES = (
    'O\'Fallon; "x"/y\\',
    "'quoted'",
    "tab\there",
    "$name$ (a;b,c)",
    "\\first",
    "last\\",
    "<&>|=*\u00e9\u0142",
    "a\\;b\\/c\\\td",
    "'",
    "\\",
)
"""Names with all that VASSAL's lists, formats and XML give a meaning to."""


def piece_called(name: str) -> str:
    """Return what the piece of a railroad is called: no tabs, and no backslash at the end, which the engine loses."""
    return name.replace("\t", " ") + " " * name.endswith("\\")


def hostile(board: mapkit.Board) -> mapkit.Board:
    """Return a board with such names everywhere."""

    def renamed(number: int) -> dict[str, str]:
        return {"name": NAMES[number % len(NAMES)]}

    railroads = [r.model_copy(update=renamed(k) | {"short": "a/;\\'"}) for k, r in enumerate(board.railroads)]
    extra = [
        Railroad(id=f"more-{k}", name=name, short=f"{k}", price=1000 * k, public=False, style=railroads[0].style)
        for k, name in enumerate(NAMES)
    ]
    every = sorted([*railroads, *extra], key=lambda r: r.id)
    cities: list[City] = [c.model_copy(update=renamed(k + 3)) for k, c in enumerate(board.cities)]
    regions: list[Region] = [r.model_copy(update=renamed(k + 3)) for k, r in enumerate(board.regions)]
    return board.model_copy(
        update={
            "title": 'A <board> & "more"; \\/\'$x$',
            "railroads": tuple(every),
            "cities": tuple(cities),
            "regions": tuple(regions),
        }
    )


@dataclass(frozen=True)
class Module:
    """A module, read without mapkit and without VASSAL."""

    parts: dict[str, bytes]
    tree: Element
    data: Element

    def all(self, kind: str) -> list[Element]:
        return list(self.tree.iter(f"VASSAL.build.{kind}"))


def read_module(data: bytes) -> Module:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        parts = {name: archive.read(name) for name in archive.namelist()}
    return Module(parts, fromstring(parts["buildFile.xml"]), fromstring(parts["moduledata"]))


def tokens_of(text: str, delimiter: str) -> list[str]:
    """Take a list apart, one character after the other: a delimiter ends a token unless a backslash is before it."""
    out = [""]
    for character in text:
        if character != delimiter:
            out[-1] += character
        elif out[-1].endswith("\\"):
            out[-1] = out[-1][:-1] + delimiter
        else:
            out.append("")
    return [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in out]


@dataclass(frozen=True)
class Piece:
    """What a piece's text says: traits with their states, then the basic piece."""

    traits: list[tuple[list[str], list[str]]]
    image: str
    name: str
    gpid: str


def read_piece(text: str) -> Piece:
    plus, null, kind, state = tokens_of(text, "/")
    assert (plus, null) == ("+", "null")
    traits = []
    while len(parts := tokens_of(kind, "\t")) > 1:
        (outer, kind), (value, state) = parts, tokens_of(state, "\t")
        traits.append((tokens_of(outer, ";"), tokens_of(value, ";")))
    word, clone, delete, image, name = tokens_of(parts[0], ";")
    at, x, y, gpid, properties = tokens_of(state, ";")
    assert (word, clone, delete, at, x, y, properties) == ("piece", "", "", "null", "0", "0", "0")
    return Piece(traits, image, name, gpid)
