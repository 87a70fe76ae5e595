"""Control points that are proposed for a scan of a board."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.georeference import GeoreferenceReport


class ScanPlacing(Frozen):
    """Control points that `mapkit scan place` proposes."""

    format: Literal["mapkit/scan-placing"] = "mapkit/scan-placing"
    picture: str
    symbols: int = Field(description="Dots and squares found")
    names: int = Field(description="Names read beside them")
    known: int = Field(description="Names that cities.csv or the gazetteer has")
    placed: GeoreferenceReport = Field(description="The control points, and what each is off")
    written: str = Field(default="", description="The file that was written, relative to the board's folder")
