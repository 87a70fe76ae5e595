"""Temporary files for uploads from a page."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.requests import Request


@asynccontextmanager
async def uploaded(request: Request) -> AsyncIterator[Path]:
    """Write the body of a request to a temporary file, deleted at the end of the context."""
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        file = Path(folder) / "upload"
        with file.open("wb") as stream:
            async for chunk in request.stream():
                stream.write(chunk)
        yield file
