"""Scaling of degrees to millimetres of the page."""

from collections.abc import Iterable

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.geography.page_map import transformer
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Page
from mapkit.kinds.rail.model.source import PageConfig, ProjectionConfig
from mapkit.kinds.rail.sources.projections import crs_of, suitable_projection, turn_from_seam


def fit_page(projection: ProjectionConfig, page: PageConfig, points: Iterable[Point]) -> tuple[Projection, Page]:
    """Scale and centre the projected points inside the page's frame, away from the seam of the projection.

    Raises:
        SourceError: The projection is unknown or cannot show the points, or the page has no room.
    """
    shown_points = sorted(set(points))
    projection = (
        suitable_projection(shown_points) if projection.name == "auto" else turn_from_seam(projection, shown_points)
    )
    crs = crs_of(projection)
    lons, lats = zip(*shown_points, strict=True)
    try:
        east, north = transformer(crs).transform(lons, lats, errcheck=True)
    except (heavy.pyproj.exceptions.CRSError, heavy.pyproj.exceptions.ProjError) as error:
        raise SourceError(
            f"board.toml: projection {projection.name!r} ({crs!r}) cannot show this board: {error}; "
            "correct [projection]"
        ) from error
    page_frame = (page.margin, page.margin, page.width - page.margin, page.height - page.margin - page.legend)
    frame_width, frame_height = page_frame[2] - page_frame[0], page_frame[3] - page_frame[1]
    if frame_width <= 0 or frame_height <= 0:
        raise SourceError(
            f"board.toml: the margins and the legend fill the page of {page.width:g} x {page.height:g} mm"
        )
    span_east, span_north = max(east) - min(east) or 1.0, max(north) - min(north) or 1.0
    scale_mm_per_m = float(f"{min(frame_width / span_east, frame_height / span_north):.9g}")
    return (
        Projection(
            name=projection.name,
            crs=crs,
            scale_mm_per_m=scale_mm_per_m,
            offset_x_mm=round((page_frame[0] + page_frame[2]) / 2 - scale_mm_per_m * (max(east) + min(east)) / 2, 4),
            offset_y_mm=round((page_frame[1] + page_frame[3]) / 2 + scale_mm_per_m * (max(north) + min(north)) / 2, 4),
            plane=projection.land_plane,
        ),
        Page(width=page.width, height=page.height, frame=page_frame, extent=page.extent),
    )
