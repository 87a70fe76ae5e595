"""Bodies of requests from a page: models as JSON, and temporary files."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TypeVar

from pydantic import ValidationError
from starlette.requests import Request

from mapkit.core.base import Frozen
from mapkit.core.invalid import invalid_value_message
from mapkit.kinds.queries import QueryError

M = TypeVar("M", bound=Frozen)
_NAME_BYTES: Final = 200
"""The longest name of a temporary file; file systems take 255."""


async def read_body(request: Request, model: type[M]) -> M:
    """Return the body of a request as a model, with its defaults if it is empty.

    Raises:
        QueryError: A value is wrong.
    """
    try:
        return model.model_validate_json(await request.body() or b"{}")
    except ValidationError as error:
        raise QueryError(invalid_value_message(error.errors()[0])) from error


@asynccontextmanager
async def uploaded(request: Request, name: str = "upload") -> AsyncIterator[Path]:
    """Write the body of a request to a temporary file, named so as far as it can be, deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        file = Path(folder) / (name.encode()[-_NAME_BYTES:].decode(errors="ignore").lstrip(".") or "upload")
        with file.open("wb") as stream:
            async for chunk in request.stream():
                stream.write(chunk)
        yield file
