"""The table of the gazetteer: what is packed is found again, and the shipped file is the one whose origin is stated."""

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.core.names import fold
from mapkit.geography.gazetteer import Gazetteer, find_places, load_gazetteer
from mapkit.geography.gazetteer_table import (
    FILE,
    PER_DEGREE,
    Country,
    GazetteerPlace,
    GazetteerTable,
    pack_table,
    shipped_table,
)

NAMES = st.text("abcéÉ -'łŻÆ", min_size=1, max_size=6)
PLACES = st.builds(
    GazetteerPlace,
    name=NAMES,
    division=st.sampled_from(["", "PA", "07", "ABC"]),
    country=st.sampled_from(["US", "IE", "MX"]),
    lon=st.integers(-180 * PER_DEGREE, 180 * PER_DEGREE).map(lambda n: n / PER_DEGREE),
    lat=st.integers(-90 * PER_DEGREE, 90 * PER_DEGREE).map(lambda n: n / PER_DEGREE),
    population=st.integers(0, 30_000_000),
)
CALLED = st.dictionaries(PLACES, st.lists(NAMES, min_size=1, max_size=3).map(tuple), max_size=12)


@settings(deadline=None, max_examples=60)
@given(CALLED)
def test_what_is_packed_is_found_again(called: dict[GazetteerPlace, tuple[str, ...]]) -> None:
    table = GazetteerTable(pack_table(called, called, {}))
    rows = [row for country in table.countries for row in table.rows(country)]
    assert {table.place(row): table.called(row) for row in rows} == called
    for row in rows:
        place = table.place(row)
        assert row in set(table.named(fold(place.name)))
        assert all(row in {found for found, _ in table.also_called(fold(name))} for name in table.called(row))
        assert row in table.between(place.country, place.lat, place.lat)


@settings(deadline=None, max_examples=60)
@given(st.lists(PLACES, max_size=12), NAMES)
def test_a_name_is_found_as_among_a_list(places: list[GazetteerPlace], name: str) -> None:
    gazetteer = Gazetteer.of(places)
    for text in (name, f"{name} PA", *(place.full_name for place in places)):
        spelled = [place for place in places if text in {place.name, place.full_name}]
        folded = [place for place in places if fold(text) in {fold(place.name), fold(place.full_name)}]
        assert sorted(gazetteer.named(text)) == sorted(spelled or folded)


def test_countries_without_a_place_are_known() -> None:
    table = GazetteerTable(pack_table((), {}, {"AQ": Country("Antarctica", "ATA")}))
    assert (table.countries["AQ"], table.rows("AQ"), table.rows("ZZ")) == (
        Country("Antarctica", "ATA"),
        range(0),
        range(0),
    )


def test_the_shipped_table_is_the_one_whose_origin_is_stated() -> None:
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert f"`{digest}`" in FILE.with_name("PROVENANCE.md").read_text(encoding="utf-8")


def test_the_shipped_table_holds_the_folds_of_today() -> None:
    """Names are found by their folded form, so that the table must be made again when `fold` changes."""
    table = shipped_table()
    for row in range(0, table.rows("ZW").stop, 997):
        place = table.place(row)
        assert row in set(table.named(fold(place.name)))
        assert place in load_gazetteer((place.country,)).named(place.full_name)


def test_places_of_the_whole_world_come_the_largest_first() -> None:
    """GeoNames' places named Cork, and nothing for a name that nobody has."""
    found = find_places(["Cork", "No Such Place At All"])
    assert set(found) == {"cork"}
    assert (found["cork"][0].country, found["cork"][0].division) == ("IE", "M")
