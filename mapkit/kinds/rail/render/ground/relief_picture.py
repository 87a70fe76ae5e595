"""Shaded relief of the land below the railroads: one picture, in the board's projection and moved with its ground.

The picture is black where slopes lie in shade and white where they face the light, more or less opaque, so tints of any
theme keep their colours. With elevation tints it also has the colours of a school atlas, in bands. Its pixels come from
a palette of light and height; the land clips it.
"""

import base64
import io
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image

from mapkit.core.base import Area
from mapkit.drawing.colours.colour import luminance, oklab, rgb, rgbs, to_linear
from mapkit.drawing.shapes import shape_path_data
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.theme.theme import Theme
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.geography.relief_tiles import ELEVATION, FLAT, SHADING, elevation_code
from mapkit.kinds.rail.render.colours.railroad_styles import visible_tint
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.spread.warps import Steps

_LEAST_PIXEL_MM: Final = 25.4 / 200
_METRES_PER_DEGREE: Final = 111_200
_MAX_PIXELS: Final = 4_000_000
_CELL_SHARE: Final = 0.5
"""Least size of a pixel as a part of a cell of the shading, which shows nothing finer."""
_SHARP_CELL_MM: Final = 3.0
_NODE_MM: Final = 4.0
"""Distance of the points that are projected; between them pixels are interpolated."""
_LIGHT_STEPS: Final = 12
"""Steps of light, and as many of shade."""
_MOST_SHADE: Final = 0.8
_MOST_LIGHT: Final = 0.7
"""Opacity of the darkest and the lightest slopes at strength 1."""
_FULL_SLOPE: Final = 70
"""Levels of the shading beside `FLAT` that are the darkest and the lightest."""
_BANDS_M: Final = (100, 200, 400, 700, 1000, 1500, 2000, 3000, 4000)
_TINTS: Final = (
    *("#9dbf8b", "#b9cf97", "#d6dba4", "#ebe3ac", "#ead097"),
    *("#dcb57f", "#c99a68", "#b58560", "#c9b3a3", "#f3efec"),
)
"""Colours between those heights, as in school atlases since about 1870 (E. von Sydow)."""
_TINT_OPACITY: Final = 0.7
_LUMINANCE: Final = (0.2126, 0.7152, 0.0722)
_LEAST_CONTRAST: Final = 4.6
_DARK_SHARE: Final = 0.43
_DARK_LAND: Final = 0.5
"""Lightness (OKLab) of land below which a theme is dark."""

Floats = NDArray[np.float32]


def draw_relief(document: SvgPage, layout: Layout) -> None:
    """Add the relief to the layer `regions`, if the board has any."""
    settings = layout.board.drawing
    if settings.relief == "none" or not settings.relief_strength:
        return
    land = layout.ground.backdrop.land
    visible = shapely.intersection(land, shapely.box(*layout.area))
    if visible.is_empty:
        return
    area: Area = visible.bounds
    is_tinted = settings.relief == "hypsometric"
    light, band = sample_relief(layout.board.projection, area, layout.warp, is_tinted=is_tinted)
    palette = make_palette(
        document.theme,
        [visible_tint(region, document.theme) for region in layout.board.regions],
        settings.relief_strength,
        min(1.0, (_SHARP_CELL_MM / _cell_mm(layout.board.projection)) ** 0.5),
        is_tinted=is_tinted,
    )
    picture = "data:image/png;base64," + base64.b64encode(_encode_picture(light, band, palette)).decode("ascii")
    group = document.group(
        document.layers["regions"],
        {
            "class": "relief",
            "pointer-events": "none",
            "clip-path": document.clip_to_path("relief-land", shape_path_data(visible)),
        },
    )
    document.picture(group, picture, area)


def sample_relief(
    projection: Projection, area: Area, warp: Steps, *, is_tinted: bool
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return for each pixel of an area of the page its step of light and its band of height.

    Args:
        projection: That of the page.
        area: Of the page, millimetres.
        warp: Where the ground of a point is drawn.
        is_tinted: Whether bands are wanted; else all are 0.
    """
    left, top, right, bottom = area
    columns, rows = (max(2, int((high - low) / _NODE_MM) + 2) for low, high in ((left, right), (top, bottom)))
    x, y = np.meshgrid(np.linspace(left, right, columns), np.linspace(top, bottom, rows))
    places = warp.invert(np.column_stack((x.ravel(), y.ravel())))
    lonlat = PageMap(projection).to_degrees(places)
    lon, lat = (np.where(np.isfinite(values), values, 0.0).reshape(rows, columns) for values in lonlat)
    middle_lon = lon[rows // 2, columns // 2]
    lon = middle_lon + (lon - middle_lon + 180) % 360 - 180
    pixel_mm = max(
        _LEAST_PIXEL_MM, _CELL_SHARE * _cell_mm(projection), ((right - left) * (bottom - top) / _MAX_PIXELS) ** 0.5
    )
    width, height = (max(2, round((high - low) / pixel_mm)) for low, high in ((left, right), (top, bottom)))
    pixel_lon, pixel_lat = (_enlarge(values, width, height) for values in (lon, lat))
    step_deg = pixel_mm / _cell_mm(projection) / SHADING.per_degree
    slope = (SHADING.sample(pixel_lon, pixel_lat, step_deg) - FLAT) / _FULL_SLOPE
    light = np.rint(np.clip(slope, -1, 1) * _LIGHT_STEPS + _LIGHT_STEPS).astype(np.uint8)
    if not is_tinted:
        return light, np.zeros_like(light)
    codes = ELEVATION.sample(pixel_lon, pixel_lat, step_deg)
    limits = elevation_code(np.array(_BANDS_M, np.float64))
    return light, np.searchsorted(limits, codes.ravel(), side="right").astype(np.uint8).reshape(codes.shape)


def _cell_mm(projection: Projection) -> float:
    """Return the height of a cell of the shading on the page."""
    return projection.scale_mm_per_m * _METRES_PER_DEGREE / SHADING.per_degree


def make_palette(
    theme: Theme, tints: Sequence[str], strength: float, sharpness: float, *, is_tinted: bool
) -> NDArray[np.uint8]:
    """Return the colours and opacities (RGBA) of a picture, by band of height and step of light.

    Names keep a contrast of 4.5:1 to the darkest and the lightest slope.

    Args:
        theme: On dark land, colours of heights are darker and light is weaker.
        tints: Colours of the grounds of regions.
        strength: 0 to 1.
        sharpness: 0 to 1: light and shade are weaker where their cells are large, and nothing is seen but blots.
        is_tinted: Whether heights have colours.
    """
    is_dark = float(oklab(rgb(theme.land))[0]) < _DARK_LAND
    band_opacity = _TINT_OPACITY * strength**0.5 if is_tinted else 0.0
    bands = (_DARK_SHARE if is_dark else 1.0) * rgbs(_TINTS[: len(_TINTS) if is_tinted else 1])
    grounds = rgbs([theme.land, *tints])[:, None] * (1 - band_opacity) + bands * band_opacity
    steps = np.linspace(-1, 1, 2 * _LIGHT_STEPS + 1)
    most_light = _MOST_LIGHT * (_DARK_SHARE if is_dark else 1.0)
    wanted = strength * sharpness * np.where(steps < 0, -steps * _MOST_SHADE, steps * most_light)
    limits = np.where(steps < 0, *(_limit_opacity(grounds, ink, theme.ink)[:, None] for ink in (0.0, 1.0)))
    alpha = np.minimum(wanted, limits)[..., None]
    black_or_white = (steps > 0)[None, :, None]
    opacity = 1 - (1 - alpha) * (1 - band_opacity)
    mixed = black_or_white * alpha + bands[:, None, :] * band_opacity * (1 - alpha)
    colours = np.divide(mixed, opacity, out=np.zeros_like(mixed), where=np.broadcast_to(opacity, mixed.shape) > 0)
    palette: NDArray[np.uint8] = np.rint(255 * np.concatenate((colours, opacity), axis=2)).astype(np.uint8)
    return palette.reshape(-1, 4)


def _limit_opacity(grounds: NDArray[np.float64], layer: float, text: str) -> NDArray[np.float64]:
    """Return by band the greatest opacity of a layer of black (0) or white (1) on which text is legible."""
    shares = np.linspace(0, 1, 101)
    mixed = grounds[..., None, :] * (1 - shares)[:, None] + layer * shares[:, None]
    light = to_linear(mixed) @ np.array(_LUMINANCE)
    ratios = (np.maximum(light, luminance(text)) + 0.05) / (np.minimum(light, luminance(text)) + 0.05)
    is_legible = (ratios >= _LEAST_CONTRAST).all(axis=0)
    limits: NDArray[np.float64] = shares[np.where(is_legible.all(axis=1), len(shares), is_legible.argmin(axis=1)) - 1]
    return np.where(is_legible[:, 0], limits, 0.0)


def _enlarge(values: NDArray[np.float64], width: int, height: int) -> Floats:
    """Return values at the middles of pixels, interpolated between the points of a grid from edge to edge."""
    for count, axis in ((height, 0), (width, 1)):
        last = values.shape[axis] - 1
        along = (np.arange(count) + 0.5) * last / count
        first = np.minimum(along.astype(np.int64), last - 1)
        share = (along - first).reshape((-1, 1) if axis == 0 else (1, -1))
        values = np.take(values, first, axis) * (1 - share) + np.take(values, first + 1, axis) * share
    return values.astype(np.float32)


def _encode_picture(light: NDArray[np.uint8], band: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    """Return a PNG with a palette."""
    image = Image.fromarray(band * np.uint8(2 * _LIGHT_STEPS + 1) + light)
    image.putpalette(palette[:, :3].tobytes())
    content = io.BytesIO()
    image.save(content, "PNG", transparency=palette[:, 3].tobytes(), compress_level=6)
    return content.getvalue()
