"""Responses of the server: models as JSON."""

from pydantic import BaseModel
from starlette.responses import Response

from mapkit.kinds.protocol import json_line


def model_response(model: BaseModel, status: int = 200) -> Response:
    """Return a model as the reply to a request.

    Args:
        model: What is replied.
        status: The status of HTTP.
    """
    return json_response(json_line(model.model_dump(mode="json")), status)


def json_response(text: str, status: int = 200) -> Response:
    """Return JSON text as the reply to a request."""
    return Response(text, status_code=status, media_type="application/json")
