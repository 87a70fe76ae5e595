"""Read-only queries of pages, answered from an immutable snapshot of the board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from pydantic import ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.core.invalid import invalid_value_message
from mapkit.kinds.protocol import EncodedResult, QueryResult

if TYPE_CHECKING:
    from mapkit.document.session import Session

C = TypeVar("C")
"""What a kind compiles a document to."""


class QueryError(MapkitError):
    """A question that cannot be answered; the text says why."""


@dataclass(frozen=True)
class BoardSnapshot(Generic[C]):
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


class PageQuestion(Frozen):
    """Body of a query, beside its name."""


Questions = Mapping[str, tuple[type[PageQuestion], Callable[[BoardSnapshot[C], Any], QueryResult]]]
"""The questions of a kind by name: what each asks, and the function that answers it."""


def answer_query(questions: Questions[C], name: str, body: bytes, asked: BoardSnapshot[C]) -> EncodedResult:
    """Return the answer to a question.

    Args:
        questions: Those of the kind.
        name: Which.
        body: Its fields as JSON.
        asked: The board.

    Raises:
        QueryError: There is no such question, or its fields are wrong.
    """
    if name not in questions:
        raise QueryError(f"no question {name!r}")
    model, find = questions[name]
    try:
        question = model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        raise QueryError(f"the question {name}: {invalid_value_message(first)}") from error
    return EncodedResult(asked.revision, find(asked, question))


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

    def write_picture(self, ident: str, file: Path) -> None:
        """Write a picture that lies under the board into a file, whole, as PNG.

        Raises:
            MapkitError: There is none of this id.
        """
        ...

    def asked(self) -> Any:  # noqa: ANN401 - what the kind makes of `Asked`
        """Return an immutable snapshot of the board."""
        ...
