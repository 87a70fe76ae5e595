"""The board file: the contract with every client (`mapkit schema board`).

It is the board, and beside each element's true place and path (`x`, `y`, `path`: what the projection gives) where the
picture has it (`drawn_x`, `drawn_y`, `drawn_path`). `mapkit.kinds.rail.render.drawn_elements.with_drawn` makes it.
"""

from typing import Self

from pydantic import ConfigDict, Field, model_validator

from mapkit.core.base import Frozen, Slug
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import DRAWN, upgrade_board_data


class Crossing(Frozen):
    """Crossing of two drawn lines without a common end of pieces: they do not connect there (RB-C10)."""

    over: Slug = Field(description="The piece whose line lies above, on a bridge")
    under: Slug = Field(description="The piece whose line lies below")
    drawn_x: float = Field(description="Where they cross in the picture, mm from the left")
    drawn_y: float = Field(description="Where they cross in the picture, mm from the top")


class BoardFile(Board):
    """A finished board. Every list is sorted by id, except payoff cities and regions (chart order)."""

    model_config = ConfigDict(title="Board")

    crossings: tuple[Crossing, ...] = Field(
        default=(), description="Sorted; where lines of pieces without a common end cross"
    )

    @model_validator(mode="before")
    @classmethod
    def _of_any_file(cls, data: object) -> object:
        """Upgrade the data of a board file of any version; version 1 has no drawn positions."""
        return upgrade_board_data(data)

    @model_validator(mode="after")
    def _is_drawn(self) -> Self:
        """Raise if an element has no drawn position."""
        for list_name, fields in DRAWN.items():
            for number, element in enumerate(getattr(self, list_name)):
                for field in fields:
                    if getattr(element, field) is None:
                        raise ValueError(f"{list_name}.{number}.{field} is missing")
        return self
