"""Definition of a query: a model of its fields, a model of its answer, and a function of the fields and the board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from mapkit.core.base import Frozen
from mapkit.kinds import queries as frame
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.tables import RailDocument


@dataclass(frozen=True)
class Asked(frame.BoardSnapshot[Compiled]):
    """The board that a question is about; it never changes."""

    document_at: Callable[[Literal["saved"] | int], RailDocument] | None = None

    @property
    def document(self) -> RailDocument:
        """Return the document."""
        return self.live.document


@dataclass(frozen=True)
class Question:
    """A registered question."""

    name: str
    model: type[Frozen]
    reply: type[QueryResult]
    answer: Callable[[Any, Asked], QueryResult]


QUESTIONS: dict[str, Question] = {}
"""All questions by name; the modules of `mapkit.kinds.rail.queries` fill it."""

M = TypeVar("M", bound=Frozen)
A = TypeVar("A", bound=QueryResult)
Answering = Callable[[M, Asked], A]


def question(name: str, model: type[M], reply: type[A]) -> Callable[[Answering[M, A]], Answering[M, A]]:
    """Register a question under its name.

    Args:
        name: Its name.
        model: What reads its fields.
        reply: What the answer is.
    """

    def register(function: Answering[M, A]) -> Answering[M, A]:
        QUESTIONS[name] = Question(name, model, reply, function)
        return function

    return register
