"""Base class of all models, immutable and without unknown keys, and types that models share."""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from mapkit.core.docstrings import docstring_of

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
"""A JSON object without a schema; only the code that reads it knows its keys."""

NAMED: Final = "x-typescript"
"""Key in a JSON Schema for the name of a TypeScript type, declared for the editor's page by each kind of board."""


def of_kind(name: str) -> WithJsonSchema:
    """Return the annotation of a field with contents that depend on the kind of board.

    Args:
        name: Name of its type on the editor's page.
    """
    return WithJsonSchema({NAMED: name})


class Frozen(BaseModel):
    """Immutable model."""

    # a program uses few of some 300 models, so validators are built on first use
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401 - as in pydantic
        """Keep the docstring, which JSON Schemas show."""
        super().__pydantic_init_subclass__(**kwargs)
        cls.__doc__ = docstring_of(cls)
