"""Names of seas, lakes and rivers, with the course that each is written along.

`water_names.csv` is a table of well-known names that was typed for mapkit, not taken from any data set. The course of a
sea or lake is a curve through its middle, from left to right on a map with north above. That of a river is a point or
a few beside the stretches where its name may be; its line is the shipped river nearest to the first.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mapkit.core.base import Point


@dataclass(frozen=True)
class WaterBody:
    """A sea, lake or river with its names by language (`en`, `es`, `pt`) and its course in degrees."""

    kind: str
    names: dict[str, str]
    course: tuple[Point, ...]


@cache
def load_water_bodies() -> tuple[WaterBody, ...]:
    """Return the shipped table, in its order."""
    with (files("mapkit.geography") / "water_names.csv").open(encoding="utf-8") as file:
        return tuple(
            WaterBody(
                row["kind"],
                {"en": row["name"], "es": row["es"] or row["name"], "pt": row["pt"] or row["name"]},
                tuple((float(lon), float(lat)) for lon, lat in (pair.split() for pair in row["course"].split(";"))),
            )
            for row in csv.DictReader(file)
        )
