"""Base class of all models, immutable and without unknown keys, and types that models share."""

import ast
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

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
"""A JSON object without a schema; only the code that reads it knows its keys."""

NAMED: Final = "x-typescript"
"""Key in a JSON Schema for the name of a TypeScript type, declared for the editor's page by each kind of board."""


def of_kind(name: str) -> WithJsonSchema:
    """Return the annotation of a field with contents that depend on the kind of board.

    Args:
        name: Name of its type on the editor's page.
    """
    return WithJsonSchema({NAMED: name})


def docstring_of(thing: type | Callable[..., Any]) -> str | None:
    """Return the docstring of a class or function; None if it has none. With `-OO` it is read from the source."""
    if thing.__doc__ is None and sys.flags.optimize > 1:
        return _module_docstrings(thing.__module__).get(thing.__qualname__)
    return thing.__doc__


@cache
def _module_docstrings(module: str) -> dict[str, str | None]:
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not Path(file).is_file():
        return {}
    nodes = ast.parse(Path(file).read_text(encoding="utf-8")).body
    return {
        node.name: ast.get_docstring(node, clean=False)
        for node in nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }


class Frozen(BaseModel):
    """Immutable model."""

    # a program uses few of some 300 models, so validators are built on first use
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401 - as in pydantic
        """Keep the docstring, which JSON Schemas show."""
        super().__pydantic_init_subclass__(**kwargs)
        cls.__doc__ = docstring_of(cls)
