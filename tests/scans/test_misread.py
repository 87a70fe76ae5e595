"""Misread names of a picture: taken for the city that they are nearest to, or for the one that is left."""

from mapkit.formats.cells.table import Cell, Spot, Table
from mapkit.formats.page_files import small_digit_warnings
from mapkit.formats.pdf.word import Page
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, find_similar_name
from mapkit.kinds.rail.sources.payoffs.misread_names import correct_misread_names

NAMES = ("Porto", "Braga", "Leiria", "Viseu", "Lagos", "Vila Real", "Vila Real de Santo António")


def corrected(*rows: tuple[str, ...]) -> tuple[list[list[str]], list[str]]:
    spot = Spot(1, (0, 0, 9, 9), 0.9, "picture", "", ())
    table = Table("picture", tuple(tuple(Cell(text, "", spot=spot) for text in row) for row in rows), placed=True)
    cities = CityNames("Portugal", [KnownCity(name.lower(), name) for name in NAMES])
    (out,), notes = correct_misread_names([table], cities, "chart.png")
    return [[cell.text for cell in row] for row in out.rows], notes


def test_a_letter_in_five_may_be_off() -> None:
    rows, notes = corrected(("", "Port0", "Viseu"), ("Brage", "2", "3"))
    assert rows == [["", "Porto", "Viseu"], ["Braga", "2", "3"]]
    assert notes == [
        "chart.png: 'Brage' in the picture is taken for Braga",
        "chart.png: 'Port0' in the picture is taken for Porto",
    ]


def test_letters_that_look_alike_are_no_other_name() -> None:
    known = CityNames("México", [KnownCity(n, n) for n in ("Monclova", "Cuernavaca", "Morelia", "Saltillo", "Mérida")])
    misread = {"Mondova": "Monclova", "Cuemavaca": "Cuernavaca", "Morcha": "Morelia", "Sakiio": "Saltillo"}
    assert {typed: find_similar_name(typed, [known]) for typed in misread} == misread
    assert find_similar_name("Modena", [known]) == ""
    two = CityNames("Nowhere", [KnownCity("a", "Marnland"), KnownCity("b", "Mamlancl")])
    assert find_similar_name("Marnlancl", [two]) == ""  # it may be either
    assert find_similar_name("Hal", [CityNames("Nowhere", [KnownCity("c", "Lial")])]) == ""  # too short


def test_a_name_that_the_page_cuts_may_be_misread_too() -> None:
    assert corrected(("", "Porto", "Vila Real de Sar'"))[0] == [["", "Porto", "Vila Real de Santo António"]]


def test_more_may_be_off_where_the_line_lacks_the_city() -> None:
    """Otherwise the name stays as it is read, and is an error later."""
    full = ("", "Porto", "Braga", "Viseu", "Lagos", "Leifa")
    assert corrected(full)[0] == [[*full[:-1], "Leiria"]]
    named = ("", "Porto", "Braga", "Viseu", "Leiria", "Leifa")
    assert corrected(named)[0] == [list(named)]
    assert corrected(("", "Porto", "Leifa"))[0] == [["", "Porto", "Leifa"]]


def test_a_list_of_pairs_names_cities_often() -> None:
    rows = [("Porto", "Braga", "2"), ("Porto", "Viseu", "3"), ("Porto", "Lagos", "4"), ("Leifa", "Lagos", "9")]
    assert corrected(*rows)[0] == [list(row) for row in rows]


def test_digits_that_are_too_small_are_named_with_what_to_do() -> None:
    page = Page(1, (), 0, 1, 6.5)
    said = "chart.png: page 1: digits are about 6.5 pixels high; scan it "
    nearer = "with 1.5 times as many dots per inch, or photograph it from nearer"
    (plain,) = small_digit_warnings([page], file="chart.png", failed=False)
    assert plain == f"{said}{nearer}, so that they are 10 or more"
    (known,) = small_digit_warnings([page._replace(dots=100)], file="chart.png", failed=False)
    assert known == f"{said}at 200 dots per inch, not 100, so that they are 10 or more"
    nearly = page._replace(digit=9)
    assert (
        small_digit_warnings([nearly], file="c", failed=False),
        len(small_digit_warnings([nearly], file="c", failed=True)),
    ) == ([], 1)
    high_pages = [page._replace(digit=12), Page(1, (), 0, 1)]
    assert small_digit_warnings(high_pages, file="c", failed=False) == []
    assert small_digit_warnings(high_pages, file="c", failed=True) == [
        "c: if this is a photograph, lay the sheet flat and take it again from straight above, in even light"
    ]
