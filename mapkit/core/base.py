"""Base of all models: frozen, without unknown keys."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

SLUG = r"^[a-z0-9]+(-+[a-z0-9]+)*$"
COLOUR = r"^#[0-9a-f]{6}$"

Slug = Annotated[str, Field(pattern=SLUG, max_length=200)]
"""A stable id: lower-case ASCII letters and digits, parts joined by hyphens."""

Colour = Annotated[str, Field(pattern=COLOUR)]
"""A colour as `#rrggbb`, lower case."""

Point = tuple[float, float]
"""`(lon, lat)` in degrees (EPSG:4326), or `(x, y)` in millimetres of the page, y downward."""

Area = tuple[float, float, float, float]
"""Left, top, right, bottom in millimetres of the page."""

JsonObject = dict[str, JsonValue]
"""A JSON object of which only its reader knows more."""

NAMED: Final = "x-typescript"
"""The key in a JSON Schema that names a type which the kind of a board gives to the editor's page."""


def of_kind(name: str) -> WithJsonSchema:
    """Return the mark of a field that each kind of board fills in its own way.

    Args:
        name: What the page calls its type.
    """
    return WithJsonSchema({NAMED: name})


class Frozen(BaseModel):
    """Immutable model."""

    # a program uses a few of some 300 models: each one's validator is made when it is first used
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)
