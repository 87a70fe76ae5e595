"""Unknown names in a file that are left out."""

from pydantic import Field

from mapkit.core.base import Frozen, Slug


class NameLeftOut(Frozen):
    """Name that is unknown or ambiguous on the board, and was left out."""

    typed: str
    where: str
    near: tuple[Slug, ...] = Field(description="Ids of what has a name like it, the nearest first")
    twins: bool = Field(default=False, description="Whether the name shortens those of both, which share a milepost")
