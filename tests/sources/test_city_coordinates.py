"""Tables of cities with longitude and latitude."""

from pathlib import Path

import pytest

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.sources.city_coordinates import read_city_coordinates


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cities.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("head", ["city,lon,lat,people", "Name,Longitude,Latitude,people", "name,lng,lat,people"])
def test_columns_go_by_several_names(tmp_path: Path, head: str) -> None:
    (found,) = read_city_coordinates(written(tmp_path, f"{head}\nSt. Paul,-93.1,44.95,300000\n"))
    assert (found.city.id, found.city.name, found.lon, found.lat) == ("st-paul", "St. Paul", -93.1, 44.95)


def test_an_id_goes_before_the_name(tmp_path: Path) -> None:
    (found,) = read_city_coordinates(written(tmp_path, "id,name,lon,lat\nkoeln,K\u00f6ln,6.96,50.94\n"))
    assert found.city.id == "koeln"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("city,lon\nBonn,7\n", "cities.csv:1: column 'lat' is missing"),
        ("city,lon,lat\nBonn,50.7,97.1\n", "cities.csv:2: lon 50.7, lat 97.1 is outside the world"),
        ("city,lon,lat\nNorth Pole,7,90\n", "cities.csv:2: lon 7, lat 90 is too near a pole for a board (lat -85..85)"),
        ("city,lon,lat\nBonn,seven,50\n", "cities.csv:2: lon is 'seven', which is not a number"),
        ("city,lon,lat\nBonn,7,50\nbonn,7,50\n", "cities.csv:3: 'bonn' is listed twice"),
        ("city,lon,lat\n...,7,50\n", "cities.csv:2: '...' cannot become an id"),
        ("\n\n", "cities.csv:1: the file is empty"),
        (",,\n", "cities.csv:1: only empty rows"),
    ],
)
def test_what_is_wrong_is_named_with_its_row(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SourceError) as error:
        read_city_coordinates(written(tmp_path, text), file="cities.csv")
    assert message in str(error.value)
