"""Difference of two boards by meaning: elements, chart cells and rules, and its summary in steps.

Ids of what both boards have, and of what only B has, are B's; ids of what only A has are A's.
"""

from typing import Final, Literal

from pydantic import Field, JsonValue

from mapkit.core.base import Frozen, Slug
from mapkit.core.plurals import count_noun

Kind = Literal["region", "milepost", "city", "railroad", "junction", "segment"]

KINDS: Final[tuple[Kind, ...]] = ("region", "milepost", "city", "railroad", "junction", "segment")
"""The kinds of elements in the order in which differences are listed."""

How = Literal["added", "removed", "changed"]

_COUNTED_KINDS: Final[tuple[Kind, ...]] = ("segment", "milepost", "city", "railroad", "region")

StepKind = Literal[
    "region",
    "railroad added",
    "railroad removed",
    "railroads merged",
    "railroad split",
    "railroad changed",
    "milepost renamed",
    "milepost moved",
    "milepost changed",
    "milepost added",
    "milepost removed",
    "milepost inserted",
    "milepost taken out",
    "line added",
    "line removed",
    "segments reassigned",
    "segments redrawn",
    "junctions",
    "city",
    "destinations",
    "payoffs",
    "rules",
    "board",
]


class BoardName(Frozen):
    """Name of a compared board."""

    id: Slug
    title: str
    variants: tuple[str, ...] = ()


class FieldChange(Frozen):
    """Field with different values on two boards; `a` is in B's ids for elements of both boards."""

    field: str
    a: JsonValue
    b: JsonValue


class ElementChange(Frozen):
    """An element that was added (no `a`), removed (no `b`), or changed: its id in each board and the fields."""

    kind: Kind
    how: How
    a: Slug | None = None
    b: Slug | None = None
    fields: tuple[FieldChange, ...] = ()

    @property
    def id(self) -> str:
        """Return the id in B, or in A for a removed element."""
        return self.b or self.a or ""

    def changes(self, *fields: str) -> bool:
        """Return whether one of the fields differs."""
        return any(change.field in fields for change in self.fields)


class DestinationChange(Frozen):
    """Changed cell of a destination chart (RB-C14); None is an empty cell or a missing chart."""

    chart: Slug
    column: Literal["odd", "even"]
    sum: int
    a: Slug | None
    b: Slug | None


class PayoffChange(Frozen):
    """Changed cell of the payoff chart (RB-C13) in its units; None is a missing cell.

    `one_way` marks a cell whose counterpart across the diagonal is not the same.
    """

    start: Slug
    end: Slug
    a: float | None
    b: float | None
    one_way: bool = False


class ValueChange(Frozen):
    """Value that differs between two boards: a rule's dotted path, or `page.width`, `payoffs.cities` ..."""

    path: str
    a: JsonValue
    b: JsonValue


class StoryStep(Frozen):
    """One edit as a sentence, and the ids of the changes it explains (`segment:pa--a--b`)."""

    kind: StepKind
    text: str
    elements: tuple[str, ...] = ()


class BoardDiff(Frozen):
    """All differences of board B from board A.

    `elements`, `destinations`, `payoffs`, `rules` and `values` are complete; `story` says the same in the words
    of whoever changed the board.
    """

    format: Literal["mapkit/board-diff"] = "mapkit/board-diff"
    version: Literal[1] = 1
    a: BoardName
    b: BoardName
    story: tuple[StoryStep, ...] = Field(description="The steps that lead from A to B, elements first")
    elements: tuple[ElementChange, ...]
    destinations: tuple[DestinationChange, ...]
    payoffs: tuple[PayoffChange, ...]
    rules: tuple[ValueChange, ...]
    values: tuple[ValueChange, ...] = Field(description="Units, page, projection, the order of charts, declared odds")

    @property
    def same(self) -> bool:
        """Return whether the two boards mean the same."""
        return not (self.elements or self.destinations or self.payoffs or self.rules or self.values)

    def of(self, kind: Kind, how: How | None = None) -> tuple[ElementChange, ...]:
        """Return the changes of one kind of element."""
        return tuple(c for c in self.elements if c.kind == kind and how in (None, c.how))

    def title(self) -> str:
        """Return `A -> B`, told apart by variants or ids where the titles are the same."""
        if self.a.title != self.b.title:
            return f"{self.a.title} -> {self.b.title}"
        first_name, second_name = ("+".join((board.id, *board.variants)) for board in (self.a, self.b))
        return f"{first_name} -> {second_name}" if first_name != second_name else f"{self.a.title}: before -> after"

    def counts(self, how: How) -> str:
        """Return how many elements of each kind were added, removed or changed: `3 segments, 1 milepost`."""
        counts: list[tuple[int, str, str | None]]
        counts = [(len(self.of(kind, how)), kind, "cities" if kind == "city" else None) for kind in _COUNTED_KINDS]
        if how == "changed":
            changed_cells = {"payoff": self.payoffs, "destination cell": self.destinations, "rule": self.rules}
            counts += [(len(changes), noun, None) for noun, changes in changed_cells.items()]
        return ", ".join(count_noun(*row) for row in counts if row[0]) or "nothing"

    def text(self) -> str:
        """Return the steps and the totals as text for a terminal."""
        totals = (f"{how}: {self.counts(how)}" for how in ("added", "removed", "changed"))
        return "\n".join((self.title(), *(f"- {step.text}" for step in self.story), "; ".join(totals)))
