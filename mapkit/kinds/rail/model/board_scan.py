"""Results of scanning a picture of a board: dots and squares, and links with their confidence."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.core.findings import Finding
from mapkit.kinds.rail.model.import_report import ImportReport


class ScannedMilepost(Frozen):
    """A dot or a square, in pixels of the picture."""

    name: str = Field(description="From cities.csv or the gazetteer if control points place the picture, else a number")
    kind: Literal["dot", "square"]
    x: float
    y: float
    confidence: float
    railroads: tuple[Slug, ...] = ()


class LinkFound(Frozen):
    """A link between two mileposts."""

    railroad: Slug
    a: str
    b: str
    confidence: float
    why: str = Field(default="", description="What makes it doubtful; empty where nothing does")
    crop: str = Field(default="", description="The picture of it, in the folder of crops")
    finding: str = Field(default="", description="The id of its finding; empty where nothing makes it doubtful")
    drawn: bool = Field(description="Whether it is in the drawing")


class SymbolFound(Frozen):
    """A dot or a square: its middle and its width in pixels."""

    kind: Literal["dot", "square"]
    x: float
    y: float
    width: float
    confidence: float


class SymbolsFound(Frozen):
    """Symbols that `mapkit scan dots` found in a picture, from top to bottom."""

    format: Literal["mapkit/board-dots"] = "mapkit/board-dots"
    picture: str
    width: int
    height: int
    colour: Colour = Field(description="What dots and squares are filled with")
    dot_width: float = Field(description="Of a dot, in pixels; 0 if there are none")
    square_width: float
    symbols: tuple[SymbolFound, ...]
    warnings: tuple[str, ...] = Field(default=(), description="Why much of it is in doubt; none if it is not")


class RailroadFound(Frozen):
    """Scan result of a railroad."""

    railroad: Slug
    colour: Colour
    links: int
    doubtful: int


class BoardScan(Frozen):
    """Result of `mapkit scan trace` on a picture."""

    format: Literal["mapkit/board-scan"] = "mapkit/board-scan"
    picture: str
    width: int
    height: int
    dot_width: float = Field(description="Of a dot, in pixels; 0 if there are none")
    square_width: float
    placed: bool = Field(description="Whether control points place the picture, so that mileposts have names")
    mileposts: tuple[ScannedMilepost, ...]
    stray: tuple[ScannedMilepost, ...] = Field(description="Dots and squares that no railroad serves")
    railroads: tuple[RailroadFound, ...]
    links: tuple[LinkFound, ...]
    findings: tuple[Finding, ...] = Field(description="T01 for each doubtful link, the least sure first")
    warnings: tuple[str, ...] = Field(default=(), description="Why much of it is in doubt; none if it is not")
    imported: ImportReport | None = None
