"""What pages ask of an open board beside changing it: questions, answered from a board that never changes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from mapkit.core.errors import MapkitError

if TYPE_CHECKING:
    from mapkit.document.session import Session

C = TypeVar("C")
"""What a kind compiles a document to."""


class QuestionError(MapkitError):
    """A question that cannot be answered; the text says why."""


@dataclass(frozen=True)
class Asked(Generic[C]):
    """The board that a question is about; it never changes.

    Args:
        revision: The session's revision.
        live: The board derived from the document.
        folder: The source package; None for a board in memory.
        document_at: Returns the document of another moment: `saved`, or the number of a step.
    """

    revision: int
    live: C
    folder: Path | None = None
    document_at: Callable[[Literal["saved"] | int], Any] | None = None


class OpenBoard(Protocol):
    """The open board as routes of a kind see it."""

    @property
    def session(self) -> "Session[Any]":
        """Return its session."""
        ...

    @property
    def watched(self) -> bool:
        """Return whether a page is open."""
        ...

    def asked(self) -> Any:  # noqa: ANN401 - what the kind makes of `Asked`
        """Return the board as it is now, which never changes."""
        ...
