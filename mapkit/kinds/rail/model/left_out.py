"""Names in a file that nobody knows, where such may be left out."""

from pydantic import Field

from mapkit.core.base import Frozen, Slug


class NameLeftOut(Frozen):
    """A name that the board does not have, or may be several, and was left out."""

    typed: str
    where: str
    near: tuple[Slug, ...] = Field(description="Ids of what has a name like it, the nearest first")
