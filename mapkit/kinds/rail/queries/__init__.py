"""Questions that the page asks: read-only work on the board as it is, one module a topic."""

from pkgutil import iter_modules

from pydantic import ValidationError

from mapkit.core.addons import import_present
from mapkit.core.errors import did_you_mean
from mapkit.kinds.protocol import EncodedResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.queries.question import QUESTIONS, Asked, question

__all__ = ["QUESTIONS", "Asked", "answer", "question"]

for _module in iter_modules(__path__):
    import_present(f"{__name__}.{_module.name}")  # a module registers its questions


def answer(name: str, body: bytes, asked: Asked) -> EncodedResult:
    """Return the answer to a question, with the revision that it is of.

    Raises:
        QueryError: There is no such question, or its fields are wrong.
    """
    found = QUESTIONS.get(name)
    if found is None:
        raise QueryError(f"no question {name!r}{did_you_mean(name, QUESTIONS)}")
    try:
        fields = found.model.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the question"
        raise QueryError(f"{name}: {where}: {first['msg']}") from error
    return EncodedResult(asked.revision, found.answer(fields, asked))
