"""A variant: a named set of changes to a board or its rules, as typed operations.

An operation says what it does to what, and why. Where it has `was`, it says what it expects to find there; a base
that has something else is refused before anything is applied. Lines of the file belong to the reader
(`mapkit.variants.read`).
"""

from typing import Annotated

from pydantic import Field

from mapkit.model.base import Frozen, Slug
from mapkit.model.variant_board import (
    AddCity,
    AddJunction,
    AddLine,
    AddMilepost,
    AddPiece,
    AddRailroad,
    AddRegion,
    AddSegment,
    ChangeBoard,
    ChangeCity,
    ChangeRailroad,
    ChangeRegion,
    InsertMilepost,
    MakePublic,
    MergeRailroads,
    MoveCity,
    MoveMilepost,
    ReassignSegments,
    RemoveCity,
    RemoveJunction,
    RemoveMilepost,
    RemovePiece,
    RemoveRailroad,
    RemoveRegion,
    RemoveSegments,
    RenameMilepost,
    RestrictBoard,
    SplitRailroad,
)
from mapkit.model.variant_charts import (
    ImportPayoffs,
    RecomputePayoffs,
    ScalePayoffs,
    SetDestination,
    SetPayoff,
    SolveDestinations,
    SwapDestinations,
)
from mapkit.model.variant_rules import AcceptFinding, ChoosePreset, SetRule, SwitchOption

MAX_OPERATIONS = 100_000
"""No variant has more."""

Operation = Annotated[
    AddMilepost
    | RemoveMilepost
    | RenameMilepost
    | MoveMilepost
    | InsertMilepost
    | AddRailroad
    | RemoveRailroad
    | ChangeRailroad
    | MakePublic
    | MergeRailroads
    | SplitRailroad
    | AddSegment
    | AddLine
    | RemoveSegments
    | ReassignSegments
    | AddJunction
    | RemoveJunction
    | AddPiece
    | RemovePiece
    | AddRegion
    | ChangeRegion
    | RemoveRegion
    | AddCity
    | ChangeCity
    | MoveCity
    | RemoveCity
    | RestrictBoard
    | ChangeBoard
    | SetPayoff
    | ScalePayoffs
    | RecomputePayoffs
    | ImportPayoffs
    | SetDestination
    | SwapDestinations
    | SolveDestinations
    | SetRule
    | SwitchOption
    | ChoosePreset
    | AcceptFinding,
    Field(discriminator="op"),
]
"""Every operation there is, told apart by `op`."""


class Variant(Frozen):
    """`variants/<name>.toml`: what it is based on, and what it changes, in order."""

    name: Slug
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=5000)
    board: Slug | None = Field(default=None, description="The board that it changes; none: it changes rules alone")
    rules: str | None = Field(default=None, description="The rules preset that it starts from; it is chosen first")
    variants: tuple[Slug, ...] = Field(default=(), max_length=100, description="Variants that are applied before it")
    after: tuple[Slug, ...] = Field(
        default=(),
        max_length=1000,
        description="Variants that it knows of: they come first if used too, and it may touch what they touch",
    )
    operations: tuple[Operation, ...] = Field(default=(), max_length=MAX_OPERATIONS)

    @property
    def label(self) -> str:
        """Return the title, or the name where there is none."""
        return self.title or self.name


__all__ = [
    "MAX_OPERATIONS",
    "AcceptFinding",
    "AddCity",
    "AddJunction",
    "AddLine",
    "AddMilepost",
    "AddPiece",
    "AddRailroad",
    "AddRegion",
    "AddSegment",
    "ChangeBoard",
    "ChangeCity",
    "ChangeRailroad",
    "ChangeRegion",
    "ChoosePreset",
    "ImportPayoffs",
    "InsertMilepost",
    "MakePublic",
    "MergeRailroads",
    "MoveCity",
    "MoveMilepost",
    "Operation",
    "ReassignSegments",
    "RecomputePayoffs",
    "RemoveCity",
    "RemoveJunction",
    "RemoveMilepost",
    "RemovePiece",
    "RemoveRailroad",
    "RemoveRegion",
    "RemoveSegments",
    "RenameMilepost",
    "RestrictBoard",
    "ScalePayoffs",
    "SetDestination",
    "SetPayoff",
    "SetRule",
    "SolveDestinations",
    "SplitRailroad",
    "SwapDestinations",
    "SwitchOption",
    "Variant",
]
