"""Countries and their parts are found by the names that people use."""

import pytest

from mapkit.core.errors import UnknownNameError
from mapkit.core.names import fold
from mapkit.geography.country_names import codes_by_name, country_code, country_problem, other_names
from mapkit.geography.gazetteer_table import shipped_table
from mapkit.geography.region import parse_countries, parse_region, places_in


@pytest.mark.parametrize(
    ("name", "countries", "parts"),
    [
        ("Côte d'Ivoire", {"CI"}, {}),
        ("cote d\u2019ivoire", {"CI"}, {}),
        ("Czech Republic", {"CZ"}, {}),
        ("Great Britain", {"GB"}, {"GB": {"ENG", "SCT", "WLS"}}),
        ("Scotland", {"GB"}, {"GB": {"SCT"}}),
        ("Texas, Oklahoma, Mexico", {"US", "MX"}, {"US": {"TX", "OK"}}),
        ("Quebec", {"CA"}, {"CA": {"QC"}}),
        ("Bavaria, Österreich", {"DE", "AT"}, {"DE": {"02"}}),
        ("Georgia", {"GE"}, {}),
        ("Scotland, UK", {"GB"}, {}),
        ("The U.S.A., The Bahamas", {"US", "BS"}, {}),
        ("Bosnia-Herzegovina, Trinidad & Tobago, St. Lucia, AND", {"BA", "TT", "LC", "AD"}, {}),
        ("Trinidad, São Tomé, Antigua", {"TT", "ST", "AG"}, {}),
        ("日本, Россия, Ελλάδα", {"JP", "RU", "GR"}, {}),
        ("Benelux", {"BE", "NL", "LU"}, {}),
        ("Hokkaidō", {"JP"}, {"JP": {"12"}}),
        ("TX, BC", {"US", "CA"}, {"US": {"TX"}, "CA": {"BC"}}),
        ("IN, DE, CA", {"IN", "DE", "CA"}, {}),
        ("IE, GB-NIR", {"IE", "GB"}, {"GB": {"NIR"}}),
    ],
)
def test_names_that_people_use(name: str, countries: set[str], parts: dict[str, set[str]]) -> None:
    region = parse_region(name)
    assert set(region.countries) == countries
    assert region.parts == parts


def test_every_name_leads_to_a_country_or_division_that_exists() -> None:
    table = shipped_table()
    for codes in {*codes_by_name().values(), *other_names().values()}:
        for code in codes:
            country, _, division = code.partition("-")
            assert country in table.countries
            assert not division or division in table.divisions(country)
    folded = {fold(country.name): code for code, country in table.countries.items()}
    assert all(folded.get(fold(name), codes[0]) == codes[0] for name, codes in other_names().items())


@pytest.mark.parametrize("capitals", [{"JP": ("Hokkaido", "Sapporo"), "IN": ("Tamil Nadu", "Chennai")},
                                      {"BR": ("Bahia", "Salvador"), "MX": ("Jalisco", "Guadalajara")},
                                      {"CN": ("Sichuan", "Chengdu"), "CZ": ("Bohemia", "Prague")}])  # fmt: skip
def test_a_part_holds_its_capital(capitals: dict[str, tuple[str, str]]) -> None:
    for country, (part, capital) in capitals.items():
        largest = places_in(parse_region(part))
        assert {place.country for place in largest} == {country}
        assert capital in {place.name for place in largest[:3]}


@pytest.mark.parametrize(("name", "hint"), [("Silesia", ""), ("Jugoslavia", " (did you mean 'Yugoslavia'?)")])
def test_a_hint_is_nearly_the_same_word(name: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as error:
        parse_region(name)
    assert str(error.value).startswith(f"--region: no country is called {name!r}{hint}; ")


def test_a_name_of_several_countries_is_no_country() -> None:
    assert country_problem("Benelux") is not None
    assert country_code("Great Britain") == "GB"


def test_a_hint_knows_other_names_and_a_part_is_no_country() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Scotland'"):
        parse_region("Scotlnd")
    with pytest.raises(UnknownNameError, match="GB-SCT is a part of United Kingdom; name a whole country, such as GB"):
        parse_countries("Scotland")
