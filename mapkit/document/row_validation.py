"""Validation of rows with values from other files."""

from typing import Any, TypeVar

from pydantic import ValidationError

from mapkit.core.characters import describe_character, find_in_data
from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.document.document import Row

R = TypeVar("R", bound=Row)


def validate_row(model: type[R], values: Any, where: str) -> R:  # noqa: ANN401 - data of a foreign file
    """Return a row with validated values.

    Raises:
        SourceError: A value does not fit, or holds a character that no text may hold.
    """
    if (forbidden := find_in_data(values)) is not None:
        raise SourceError(f"{where}: {forbidden[0][:40]!r} holds {describe_character(forbidden[1])}; delete it")
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first_error = error.errors()[0]
        raise SourceError(
            f"{where}: {'.'.join(str(part) for part in first_error['loc'])}: {invalid_value_message(first_error)}"
        ) from error
