"""The settings of a document as the text of `board.toml` has them."""

from typing import Any

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.document.document import sort_rows
from mapkit.document.toml_file import accepted_data, settings_data
from mapkit.geography.land_plane import LandPlane
from mapkit.kinds.rail.model.source import BoardConfig, ProjectionConfig
from mapkit.kinds.rail.tables import RailDocument


def config_data(document: RailDocument) -> dict[str, Any]:
    """Return `board.toml` as plain data: settings, regions, accepted findings."""
    out = settings_data(document)
    out["regions"] = [
        {"id": ident, "name": r.name, "short": r.short, "colour": r.colour} for ident, r in sort_rows(document.regions)
    ]
    return out | accepted_data(document)


def config_of(document: RailDocument) -> BoardConfig:
    """Return the configuration of a document.

    Raises:
        SourceError: A setting is wrong or missing.
    """
    try:
        return BoardConfig.model_validate(config_data(document))
    except ValidationError as error:
        raise SourceError([f"{invalid_value_message(item)}" for item in error.errors()[:10]]) from error


def land_plane_of(document: RailDocument) -> LandPlane | None:
    """Return the plane of an invented land; None for a map of the earth, or if its settings are wrong."""
    rows = {key: row for key, row in document.settings.items() if key.startswith("projection.")}
    try:
        projection = ProjectionConfig.model_validate(settings_data(RailDocument({"settings": rows})).get("projection"))
    except ValidationError:
        return None
    return projection.land_plane
