"""Typed models of the files that mapkit writes: `from mapkit.schema import Board`.

`Board.model_validate_json(text)` reads a `board.json` of railroads, `HexBoard` one of hexagons, `CardGame` one of
cards. The module is also the function `mapkit.schema` of the same name, which returns JSON Schemas.
"""

import sys
from types import ModuleType

from mapkit.core.lazy import late_names
from mapkit.kinds.rail.api import schemas


class _CallableModule(ModuleType):
    """Module that can be called as the function whose name it has."""

    def __call__(self, name: str = "board") -> dict[str, object]:
        """Return a JSON Schema, as `mapkit.schema` does before this module is imported."""
        return schemas.schema(name)


sys.modules[__name__].__class__ = _CallableModule
__getattr__, __dir__, __all__ = late_names(__name__, __file__)
