"""Bodies of requests from a page: models as JSON, and temporary files."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from starlette.requests import Request

from mapkit.core.base import Frozen
from mapkit.core.invalid import invalid_value_message
from mapkit.kinds.queries import QueryError

M = TypeVar("M", bound=Frozen)


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
async def uploaded(request: Request) -> AsyncIterator[Path]:
    """Write the body of a request to a temporary file, deleted at the end of the context."""
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        file = Path(folder) / "upload"
        with file.open("wb") as stream:
            async for chunk in request.stream():
                stream.write(chunk)
        yield file
