"""What a question is: a model of its fields, and a function of them and the board."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from mapkit.editor.document import Document
from mapkit.editor.live.board import LiveBoard
from mapkit.errors import MapkitError
from mapkit.model.base import Frozen


class QuestionError(MapkitError):
    """A question that cannot be answered; the text says why."""


@dataclass(frozen=True)
class Asked:
    """The board that a question is about; it never changes.

    Args:
        revision: The session's revision.
        live: The board derived from the document.
        folder: The source package; None for a board in memory.
        document_at: Returns the document of another moment: `saved`, or the number of a step.
    """

    revision: int
    live: LiveBoard
    folder: Path | None = None
    document_at: Callable[[Literal["saved"] | int], Document] | None = None

    @property
    def document(self) -> Document:
        """Return the document."""
        return self.live.document


@dataclass(frozen=True)
class Question:
    """A registered question."""

    name: str
    model: type[Frozen]
    answer: Callable[[Any, Asked], dict[str, Any]]


QUESTIONS: dict[str, Question] = {}
"""All questions by name; the modules of `mapkit.editor.questions` fill it."""

M = TypeVar("M", bound=Frozen)
Answering = Callable[[M, Asked], dict[str, Any]]


def question(name: str, model: type[M]) -> Callable[[Answering[M]], Answering[M]]:
    """Register a question under its name; `model` reads its fields, the answer is JSON."""

    def register(function: Answering[M]) -> Answering[M]:
        QUESTIONS[name] = Question(name, model, function)
        return function

    return register
