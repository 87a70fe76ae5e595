"""Rows of values from other files, checked."""

from typing import Any, TypeVar

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid
from mapkit.document.document import Row

R = TypeVar("R", bound=Row)


def checked_row(model: type[R], values: Any, where: str) -> R:  # noqa: ANN401 - data of a foreign file
    """Return a row of values.

    Raises:
        SourceError: A value does not fit.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise SourceError(f"{where}: {'.'.join(str(part) for part in first['loc'])}: {invalid(first)}") from error
