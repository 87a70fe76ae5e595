"""Names of scanned mileposts: as mileposts of other sources are named."""

import pytest

from mapkit.core.names import fold
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.scanning.naming import find_placed_names
from mapkit.kinds.rail.scanning.symbols import Symbol
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference


@pytest.mark.parametrize(
    ("country", "place", "name"), [("PT", "Barcelos", "Barcelos"), ("US", "Altoona", "Altoona PA")]
)
def test_a_dot_has_the_division_of_its_place_where_people_write_it(country: str, place: str, name: str) -> None:
    gazetteer = load_gazetteer((country,))
    found = max(gazetteer.folding_to(fold(place)), key=lambda one: one.population)
    corners = [(0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0), (1000.0, 1000.0)]
    points = [
        ControlPoint(row=row, x=x, y=y, lon=found.lon + (x - 500) / 1000, lat=found.lat - (y - 500) / 1000)
        for row, (x, y) in enumerate(corners, start=2)
    ]
    dots = [Symbol("dot", 500.0, 500.0, 4.0, 1.0), Symbol("dot", -4000.0, -4000.0, 4.0, 1.0)]
    assert find_placed_names(dots, georeference(points, model="affine"), [], gazetteer)[0] == name
