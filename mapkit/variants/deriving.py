"""Derivation of the operations that lead from one document to another, each carried out at once on a draft."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from mapkit.document.command import Command, CommandError, Commands
from mapkit.document.document import D
from mapkit.document.draft import Draft
from mapkit.variants.applying import carry_out

_FREE_TABLES: Final = frozenset({"accepted"})
"""Tables that a proposed operation may change otherwise than the goal has them."""


@dataclass
class Derivation(Generic[D]):
    """Operations that lead from the base of a draft to a goal, and the inexpressible rest.

    Args:
        draft: Of the document before; it changes with each operation.
        goal: The document after.
    """

    draft: Draft[Any]
    goal: D
    operations: list[Command] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def do(self, operation: Command) -> None:
        """Add an operation; one that does not fit is noted as left over."""
        self.draft.begin()
        try:
            carry_out(self.draft, operation)
        except CommandError as error:
            self.left.append(f"{operation.kind}: {error}")
        else:
            self.operations.append(operation)

    def propose(self, operation: Command) -> bool:
        """Add an operation if it fits, and the goal has all its changes."""
        self.draft.begin()
        try:
            carry_out(self.draft, operation)
        except CommandError:
            return False
        stated_rows = [written for written in self.draft.rows_stated() if written.table not in _FREE_TABLES]
        if not stated_rows or not all(written.is_in(self.goal) for written in stated_rows):
            self.draft.take_back()
            return False
        self.operations.append(operation)
        return True

    def propose_first(self, operations: Iterable[Command]) -> bool:
        """Add the first of several operations that fits."""
        return any(self.propose(operation) for operation in operations)

    def propose_explained(self, commands: Commands, reason: str) -> None:
        """Add operations that commands derive from the difference themselves."""
        for model in commands.values():
            for operation in model.explain(self.draft.base, self.goal):
                self.propose(operation.model_copy(update={"reason": operation.reason or reason}))
