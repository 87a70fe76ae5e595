"""Boxes of a board's page: title, legend, charts, deeds, insets, pictures and texts."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mapkit.core.base import Frozen, Point, Slug

Extent = tuple[float, float, float, float]
"""West, south, east, north in degrees (EPSG:4326)."""


def check_extent(extent: Extent) -> Extent:
    """Return an extent.

    Raises:
        ValueError: It is empty or off the earth.
    """
    west, south, east, north = extent
    is_on_earth = min(west, east) >= -180 and max(west, east) <= 180 and -90 <= south < north <= 90  # noqa: PLR2004
    if not is_on_earth or 0 <= west - east < 180:  # noqa: PLR2004 - half the earth
        raise ValueError(
            "write [west, south, east, north] in degrees, south below north, and west above east only across "
            "longitude 180"
        )
    return extent


CheckedExtent = Annotated[Extent, AfterValidator(check_extent)]
BoxKind = Literal["title", "legend", "destinations", "payoffs", "deeds", "inset", "picture", "text"]
"""Content of a box."""
_Side = Annotated[float, Field(ge=15, le=5000)]
_FIELDS: Final[Mapping[BoxKind, tuple[str, ...]]] = {
    "destinations": ("only",),
    "deeds": ("only",),
    "inset": ("around", "zoom", "extent"),
    "picture": ("file",),
    "text": ("text",),
}
"""Kind of a box -> its fields, besides those of every kind."""


class PageBox(Frozen):
    """`[page.boxes.NAME]`: a box on the page, in millimetres."""

    kind: BoxKind
    at: Point | Literal["auto"] = Field(
        default="auto",
        description="Left and top edge, mm; `auto` is where the map is emptiest, over water first, clear of track, "
        "symbols and names",
    )
    size: tuple[_Side, _Side] = Field(description="Width and height, mm")
    text: str = Field(default="", max_length=5000, description="Text of a text box; a line break begins a paragraph")
    file: str | None = Field(
        default=None,
        pattern=r"^pictures/[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,190}\.(png|jpg|jpeg|svg)$",
        description="PNG, JPEG or SVG file of the package, in `pictures/`",
    )
    around: Slug | None = Field(default=None, description="City (id) in the middle of an inset")
    zoom: float = Field(default=2.0, gt=1, le=20, description="Enlargement of an inset around a city")
    extent: CheckedExtent | None = Field(
        default=None, description="Degrees that an inset shows: west, south, east, north"
    )
    only: tuple[Slug, ...] = Field(
        default=(), description="Destination charts (ids; `regions`) or railroads (ids) to show; all by default"
    )

    @model_validator(mode="after")
    def _has_content(self) -> Self:
        """Raise if a box lacks its content, or has that of another kind."""
        others = {name for fields in _FIELDS.values() for name in fields} - {*_FIELDS.get(self.kind, ())}
        if strange := sorted(name for name in others if getattr(self, name) != PageBox.model_fields[name].default):
            raise ValueError(f"a box of kind {self.kind!r} has no {', '.join(strange)}; delete that")
        if self.kind == "text" and not self.text.strip():
            raise ValueError('a box of kind "text" needs a text')
        if self.kind == "picture" and self.file is None:
            raise ValueError('a box of kind "picture" needs a file, such as file = "pictures/arms.svg"')
        if self.kind == "inset" and (self.around is None) == (self.extent is None):
            raise ValueError('a box of kind "inset" needs around (the id of a city) or extent, and not both')
        return self


class BoardBox(PageBox):
    """A box of a board, which carries its picture."""

    content: str | None = Field(
        default=None, exclude_if=lambda content: content is None, description="Its picture's file, in base64"
    )


PageBoxes = dict[Slug, PageBox]


def refuse_repeated_kinds(boxes: PageBoxes) -> PageBoxes:
    """Return boxes.

    Raises:
        ValueError: Two are titles, or legends.
    """
    counts = Counter(box.kind for box in boxes.values())
    for kind in ("title", "legend"):
        if counts[kind] > 1:
            raise ValueError(f"{counts[kind]} boxes are of kind {kind!r}; a page has one, so delete the others")
    return boxes
