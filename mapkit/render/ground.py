"""Water, land, lakes, borders and region tints, projected and clipped to the map."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from pyproj import Transformer
from shapely import Geometry, MultiPoint, Point, Polygon, STRtree
from shapely.ops import unary_union
from svgwrite.container import Group

from mapkit.model.board import Board
from mapkit.render.basemap import Feature, load_layer, shared_borders
from mapkit.render.svg import area_data, group, line_data, path, rect, with_attributes

WATER = "#dfeaf1"
LAND = "#f4f1ea"
_SHORE = "#9db4c2"
_BORDER = "#b9b2a6"
_COUNTRY = "#8d857a"
_DETAIL_MM = 0.12
_SMALLEST_LAKE_MM2 = 4.0
_EDGE_DEGREES = 2.0
_EDGE_POINTS = 40


@dataclass(frozen=True)
class Frame:
    """The rectangle of the page that the map fills: left, top, right, bottom in millimetres."""

    left: float
    top: float
    right: float
    bottom: float


def map_frame(board: Board) -> Frame:
    """Return the map's rectangle: the frame of the page and most of the margin around it."""
    left, top, right, bottom = board.page.frame
    edge = 0.6 * left
    return Frame(left - edge, top - edge, right + edge, bottom + edge)


class Ground:
    """The base map of one board, in page millimetres.

    Args:
        board: Its projection and page say what is seen.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._transformer = Transformer.from_crs("EPSG:4326", board.projection.crs, always_xy=True)
        self.frame = map_frame(board)
        self._window = self._lonlat_window()
        self.land = self._area(load_layer("land"))
        self.lakes = self._area(load_layer("lakes"), least=_SMALLEST_LAKE_MM2)
        self.states = [
            (feature, area) for feature in load_layer("us-states") if not (area := self._area([feature])).is_empty
        ]

    def _lonlat_window(self) -> tuple[float, float, float, float]:
        """Return the box in degrees that holds everything the frame shows."""
        p, f = self._board.projection, self.frame
        xs = np.linspace(f.left, f.right, _EDGE_POINTS)
        ys = np.linspace(f.top, f.bottom, _EDGE_POINTS)
        grid_x, grid_y = np.meshgrid(xs, ys)
        lon, lat = self._transformer.transform(
            (grid_x.ravel() - p.offset_x_mm) / p.scale_mm_per_m,
            (p.offset_y_mm - grid_y.ravel()) / p.scale_mm_per_m,
            direction="INVERSE",
        )
        seen = np.isfinite(lon) & np.isfinite(lat)
        return (
            max(float(lon[seen].min()) - _EDGE_DEGREES, -180.0),
            max(float(lat[seen].min()) - _EDGE_DEGREES, -90.0),
            min(float(lon[seen].max()) + _EDGE_DEGREES, 180.0),
            min(float(lat[seen].max()) + _EDGE_DEGREES, 90.0),
        )

    def _to_page(self, geometry: Geometry) -> Geometry:
        """Clip in degrees, project, clip to the frame, drop detail that cannot be seen."""
        p, f = self._board.projection, self.frame
        near = shapely.clip_by_rect(shapely.make_valid(geometry), *self._window)
        if near.is_empty:
            return near

        def project(lonlat: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> np.ndarray:  # type: ignore[type-arg]
            east, north = self._transformer.transform(lonlat[:, 0], lonlat[:, 1])
            return np.column_stack((p.offset_x_mm + p.scale_mm_per_m * east, p.offset_y_mm - p.scale_mm_per_m * north))

        on_page = shapely.make_valid(shapely.transform(near, project))
        return shapely.clip_by_rect(on_page, f.left, f.top, f.right, f.bottom)

    def _area(self, features: Sequence[Feature], *, least: float = 0.0) -> Geometry:
        parts = [
            part
            for feature in features
            for polygon in feature.polygons
            for part in polygons(self._to_page(Polygon(polygon[0], polygon[1:])))
            if part.area > least
        ]
        return unary_union(parts) if len(parts) > 1 else shapely.GeometryCollection(parts)

    def border_lines(self) -> tuple[list[Geometry], list[Geometry]]:
        """Return the lines between states, and between countries where they run on land."""
        states = [self._to_page(shapely.LineString(line)) for line in shared_borders(load_layer("us-states"))]
        countries = [
            self._to_page(shapely.LineString(line))
            for feature in load_layer("countries")
            for line in feature.lines
            if not feature.over_water
        ]
        return states, countries

    def region_tints(self) -> dict[str, Geometry]:
        """Return the area of each region (id).

        A state whose cities are all of one region belongs to it; one with cities of several is divided
        among them, each point going to the nearest of its cities; one without cities goes to the region of
        the nearest city. Where there are no states, all land is divided in that way.
        """
        regions = {city.milepost: city.region for city in self._board.cities}
        spots = {m.id: (m.x, m.y) for m in self._board.mileposts if m.id in regions}
        order = sorted(spots)
        if not order:
            return {}
        tree = STRtree([Point(spots[ident]) for ident in order])
        areas = [area for _, area in self.states] or [self.land]
        out: dict[str, list[Geometry]] = defaultdict(list)
        for area in areas:
            inside = [order[i] for i in sorted(tree.query(area, predicate="dwithin", distance=1.0))]
            found = {regions[ident] for ident in inside}
            if len(found) == 1:
                out[found.pop()].append(area)
            elif not found:
                nearest = order[int(tree.nearest(area))]
                out[regions[nearest]].append(area)
            else:
                for region, part in _divided(area, [(spots[i], regions[i]) for i in inside]):
                    out[region].append(part)
        return {region: unary_union(parts) for region, parts in sorted(out.items())}


def _divided(area: Geometry, cities: Sequence[tuple[tuple[float, float], str]]) -> list[tuple[str, Geometry]]:
    """Divide an area among cities (spot, region) by nearness."""
    spots = MultiPoint([spot for spot, _ in cities])
    cells = shapely.voronoi_polygons(spots, extend_to=area.envelope).geoms
    tree = STRtree([Point(spot) for spot, _ in cities])
    out = []
    for cell in cells:
        owner = next(iter(sorted(tree.query(cell, predicate="intersects"))))
        out.append((cities[owner][1], cell.intersection(area)))
    return out


def polygons(geometry: Geometry) -> list[Polygon]:
    """Return the polygons of a geometry, whatever else it holds."""
    if isinstance(geometry, Polygon):
        return [geometry] if not geometry.is_empty else []
    return [polygon for part in getattr(geometry, "geoms", ()) for polygon in polygons(part)]


def _fill(geometry: Geometry) -> str:
    """Return the path data of an area; parts in a fixed order."""
    parts = sorted(polygons(geometry.simplify(_DETAIL_MM)), key=lambda p: (-p.area, p.bounds))
    rings = [ring for p in parts for ring in (p.exterior, *p.interiors)]
    return area_data([tuple(shapely.normalize(ring).coords) for ring in rings])


def _stroke(lines: Sequence[Geometry]) -> str:
    parts = [
        part
        for line in lines
        for part in (getattr(line, "geoms", None) or [line])
        if part.geom_type == "LineString" and not part.is_empty
    ]
    return "".join(sorted(line_data(list(part.simplify(_DETAIL_MM).coords)) for part in parts))


def draw_ground(board: Board, ground: Ground) -> list[Group]:
    """Return the layers `water`, `land`, `regions`, `lakes` and `borders`, in that order."""
    f = ground.frame
    water = group("layer-water", "layer water")
    water.add(rect(f.left, f.top, f.right - f.left, f.bottom - f.top, fill=WATER))
    land = group("layer-land", "layer land")
    if data := _fill(ground.land):
        land.add(path(data, fill=LAND, stroke=_SHORE, stroke_width=0.3, stroke_linejoin="round", fill_rule="evenodd"))
    regions = group("layer-regions", "layer regions", stroke="none")
    tints = ground.region_tints()
    for region in board.regions:
        area = tints.get(region.id)
        shape = path(_fill(area), fill=region.colour, fill_rule="evenodd") if area is not None else group()
        regions.add(
            with_attributes(
                shape,
                ident=f"region-{region.id}",
                css="region",
                title=region.name,
                data={"name": region.name, "short": region.short, "colour": region.colour},
            )
        )
    lakes = group("layer-lakes", "layer lakes")
    if data := _fill(ground.lakes):
        lakes.add(
            path(data, fill=WATER, stroke=_SHORE, stroke_width=0.25, stroke_linejoin="round", fill_rule="evenodd")
        )
    borders = group("layer-borders", "layer borders", fill="none", stroke_linejoin="round")
    states, countries = ground.border_lines()
    if data := _stroke(states):
        borders.add(path(data, stroke=_BORDER, stroke_width=0.25, stroke_dasharray="1.2,0.6"))
    if data := _stroke(countries):
        borders.add(path(data, stroke=_COUNTRY, stroke_width=0.45, stroke_dasharray="2.4,0.7,0.7,0.7"))
    return [water, land, regions, lakes, borders]
