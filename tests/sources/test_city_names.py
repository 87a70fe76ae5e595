"""City names as people type them: what is matched, by which rule, and what never is."""

import pytest
from conftest import REPOSITORY
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import ChoiceError
from mapkit.core.names import edit_distance, near_names
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.city_names import CityNames, How, KnownCity, Match, split_state

USA = CityNames("United States", board_cities(open_workspace(REPOSITORY), "usa").cities)

MATCHED: dict[str, tuple[str, How]] = {
    "Albany": ("albany", "exact"),
    "des-moines": ("des-moines", "exact"),
    "DES MOINES": ("des-moines", "spelling"),
    "St Louis": ("st-louis", "spelling"),
    "Saint Louis": ("st-louis", "abbreviation"),
    "Saint-Paul": ("st-paul", "abbreviation"),
    "Ft. Worth": ("fort-worth", "abbreviation"),
    "Ft Worth, Tex.": ("fort-worth", "state left out"),
    "Portland, Ore.": ("portland-or", "state"),
    "Portland (Maine)": ("portland-me", "state"),
    "Portland Oregon": ("portland-or", "state"),
    "Washington": ("washington-dc", "state added"),
    "Washington, D.C.": ("washington-dc", "spelling"),
    "Albany, N.Y.": ("albany", "state left out"),
    "New York, New York": ("new-york", "state left out"),
    "Kansas City MO": ("kansas-city", "state left out"),
    "Charlotte, N. C.": ("charlotte", "state left out"),
    "Jacksonvîlle": ("jacksonville", "spelling"),
}


@pytest.mark.parametrize("typed", sorted(MATCHED))
def test_matched(typed: str) -> None:
    assert USA.find(typed) == Match(*MATCHED[typed])


REFUSED = {
    "Portland": r"'Portland' may be Portland ME (portland-me) and Portland OR (portland-or); write it out",
    "Minneapolis/St. Paul": "may be Minneapolis (minneapolis) and St. Paul (st-paul)",
    "Pitsburgh": "'Pitsburgh' is not a city of United States; similar names: Pittsburgh (distance 1); if it is, give "
    "--accept 'Pitsburgh=pittsburgh'",
    "Phila": "similar names: Philadelphia (distance 7)",
    "Portland, Wash.": "not a city of United States; similar names: Portland ME (distance 0), Portland OR (distance 0)",
    "Timbuktu": "'Timbuktu' is not a city of United States; correct it",
    "New York City": "is not a city of United States",
    "": "is not a city",
    "Al" * 500: "is not a city",
}


@pytest.mark.parametrize("typed", sorted(REFUSED))
def test_refused(typed: str) -> None:
    found = USA.find(typed)
    assert isinstance(found, str)
    assert REFUSED[typed] in found


WRONG_STATES = {
    "Charlotte_TN": r"'Charlotte_TN' may be Charlotte (charlotte), but that is in NC, not in TN; correct it, or say "
    "that it is: --accept 'Charlotte_TN=charlotte'",
    "Little_Rock_AK": "may be Little Rock (little-rock), but that is in AR, not in AK",
    "Memphis, Miss.": "may be Memphis (memphis), but that is in TN, not in MS",
}


@pytest.mark.parametrize("typed", sorted(WRONG_STATES))
def test_a_state_that_the_city_is_not_in_is_a_doubt(typed: str) -> None:
    found = USA.find(typed)
    assert isinstance(found, str)
    assert WRONG_STATES[typed] in found


def test_a_city_that_the_gazetteer_lacks_is_taken_in_any_state() -> None:
    names = CityNames("Nowhere", [KnownCity("umbra", "Umbra", "", (-100.0, 40.0)), KnownCity("kc", "Kansas City")])
    assert names.find("Umbra, Neb.") == Match("umbra", "state left out")
    assert names.find("Kansas City, N. Y.") == Match("kc", "state left out")


def test_a_name_for_twins_is_both_where_both_may_be_meant() -> None:
    twins = CityNames("United States", USA.cities, twins=True)
    for typed in ("Minneapolis/St. Paul", "Minneapolis & St Paul", "Saint Paul - Minneapolis"):
        found = twins.find(typed)
        assert isinstance(found, Match)
        assert ({found.city, found.twin}, found.how) == ({"minneapolis", "st-paul"}, "twins")
    assert isinstance(twins.find("Minneapolis/Duluth"), str)
    assert isinstance(twins.find("Portland"), str)


def test_two_kansas_citys_are_told_apart_or_not_at_all() -> None:
    names = CityNames("Plains", [KnownCity("kc-ks", "Kansas City KS"), KnownCity("kc-mo", "Kansas City MO")])
    assert names.find("Kansas City") == (
        "'Kansas City' may be Kansas City KS (kc-ks) and Kansas City MO (kc-mo); write it out, or choose one with "
        "--accept 'Kansas City=ID'"
    )
    assert names.find("Kansas City, Kans.") == Match("kc-ks", "state")
    assert names.find("Kansas City (Missouri)") == Match("kc-mo", "state")


def test_and_is_one_word_with_its_sign() -> None:
    names = CityNames("Islands", [KnownCity("tt", "Trinidad & Tobago")])
    assert names.find("Trinidad and Tobago") == Match("tt", "abbreviation")


def test_accepted_names_come_first_and_must_lead_somewhere() -> None:
    names = CityNames("United States", USA.cities, {"Portland": "portland-or", "Pitsburgh": "Pittsburgh", "Gary": ""})
    assert names.find("portland") == Match("portland-or", "accepted")
    assert names.find("Pitsburgh") == Match("pittsburgh", "accepted")
    assert names.find("Gary") == Match("", "accepted")
    assert names.unused(["PORTLAND", "Gary"]) == ["Pitsburgh"]
    with pytest.raises(
        ChoiceError, match=r"--accept a=Pitsburgh: 'Pitsburgh' is not a city .*Pittsburgh \(distance 1\)"
    ):
        CityNames("United States", USA.cities, {"a": "Pitsburgh"})


def test_states() -> None:
    assert split_state("Portland, Ore.") == [("portland", "or")]
    assert split_state("Omaha") == []
    assert split_state("Maine") == []
    assert split_state("Fargo North Dakota") == [("fargo", "nd")]


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("kitten", "sitting", 3), ("abc", "acbd", 2)],
)
def test_edit_distance(one: str, other: str, distance: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == distance


def test_near_names_are_nearest_first_then_by_name() -> None:
    known = {"springfield il", "springfield ma", "springfield mo", "chicago il"}
    assert near_names("sprigfield il", known, most=2) == ["springfield il", "springfield ma"]
    assert near_names("springfield xx", known, most=9) == ["springfield il", "springfield ma", "springfield mo"]
    assert near_names("zzz", known, most=3) == []


@given(st.sampled_from(USA.cities), st.integers(0, 30), st.characters(categories=["Ll"], max_codepoint=122))
def test_a_misspelt_name_is_never_taken_silently(city: KnownCity, at: int, letter: str) -> None:
    """One letter more makes a name that is refused, unless it is another city's; the right one is offered."""
    typed = city.name[:at] + letter + city.name[at:]
    found = USA.find(typed)
    if isinstance(found, Match):
        assert found.city == city.id
        assert found.how in ("state left out", "state", "state added")
    else:
        assert city.name in found
