"""What became of a variant that was moved to a changed base."""

from typing import Literal

from pydantic import Field, SerializeAsAny

from mapkit.core.base import Frozen
from mapkit.variants.variant import Variant

Fate = Literal["fits", "adapted", "overrides", "done already", "no longer fits"]


class RebasedOperation(Frozen):
    """What became of an operation; `number` counts from 1 in the old variant."""

    number: int = Field(ge=1)
    op: str
    fate: Fate
    text: str = Field(default="", description="What was adapted, or why it does not fit")


class Rebased(Frozen):
    """The variant for the new base, and the fate of every operation."""

    variant: SerializeAsAny[Variant]
    operations: tuple[RebasedOperation, ...]

    def of(self, fate: Fate) -> tuple[RebasedOperation, ...]:
        """Return the operations of one fate."""
        return tuple(o for o in self.operations if o.fate == fate)

    def rows(self) -> list[tuple[int, str, str, str]]:
        """Return the fate of each operation as a row to print: number, operation, fate, what was adapted or why not."""
        return [(one.number, one.op, one.fate, one.text) for one in self.operations]

    @property
    def ok(self) -> bool:
        """Whether every operation still fits, as it was or adapted, or is done already."""
        return not self.of("no longer fits")
