"""Every check finds its own mistake on a board that is otherwise right, and nothing on the example."""

from collections.abc import Mapping
from typing import Any

import pytest
from hexagons import compiled, done, example

from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.tables import HexDocument

Commands = tuple[Mapping[str, Any], ...]
SEA = ("3-7", "2-7", "1-7", "1-6")


def setting(key: str, value: object) -> dict[str, object]:
    return {"kind": "set-setting", "key": key, "value": value}


def city(hexagon: str, **more: object) -> dict[str, object]:
    return {"kind": "add-city", "id": "oak", "name": "Oak", "hex": hexagon, "colours": ["red"], **more}


def painted(terrain: str, *hexes: str) -> dict[str, object]:
    return {"kind": "paint-hexes", "hexes": list(hexes), "terrain": terrain}


def edged(kinds: list[str], *edges: str, cost: int | None = None) -> dict[str, object]:
    return {"kind": "set-edges", "edges": list(edges), "kinds": kinds, "cost": cost}


def row(table: str, key: str, values: Mapping[str, object] | None) -> dict[str, object]:
    return {"kind": "set-rows", "label": "x", "rows": [{"table": table, "key": key, "row": values}]}


AROUND = ("9-6", "9-7", "10-5", "10-7")
"""Around Gorse."""
CASES: dict[str, tuple[Commands, str, str]] = {
    "at sea": ((city("1-7"),), "H01", "Oak is in hexagon 1-7, which is sea; paint the hexagon or move the city"),
    "blocked": ((painted("blocked", "2-2"),), "H01", "Alder is in hexagon 2-2, which is blocked"),
    "island": (
        (painted("sea", *AROUND), row("lines", "valley-line", None)),
        "H02",
        "Gorse cannot be linked to the other cities; make it a port with a link, or open the ground between",
    ),
    "far": (
        ({"kind": "resize-grid", "right": 7}, city("17-1")),
        "H03",
        "the cheapest link of Oak takes 7 tiles, and an action lays 4; add a city between",
    ),
    "shut in": (
        (painted("sea", "9-1", "9-2", "10-2"),),
        "H04",
        "no track can reach 10-1; put a city there, open a way, or block the ground",
    ),
    "ridge at sea": (
        (edged(["ridge"], "2-6--2-7"),),
        "H05",
        "no track crosses the edge 2-6--2-7, for none is laid in 2-7; move what lies on it",
    ),
    "priced wall": (
        (edged(["impassable"], "1-1--1-2", cost=5),),
        "H05",
        "the edge 1-1--1-2 is impassable and has a cost",
    ),
    "card without markers": (
        (row("components", "empty-city-markers", None),),
        "H25",
        "moves empty city markers, and components.csv has none; add some, or take the card out",
    ),
    "card without an amount": (
        (row("operations", "oak-inn", {"title": "Oak inn", "text": "An inn.", "effect": "hotel"}),),
        "H25",
        "Oak inn does not say how much; fill in the column amount",
    ),
    "card of a line without ends": (
        (row("barons", "oak", {"title": "Oak", "text": "Join two.", "effect": "connect", "points": 5}),),
        "H25",
        "Oak is about a line, and names 0 cities; name its ends in the column cities",
    ),
    "dry port": (
        ({"kind": "set-city", "id": "gorse", "port": True},),
        "H06",
        "Gorse is a port, but no water is around hexagon 10-6; paint some, or make it no port",
    ),
    "twins apart": (
        ({"kind": "set-city", "id": "alder", "twins": "ab"}, {"kind": "set-city", "id": "birch", "twins": "ab"}),
        "H07",
        "lies beside no other city of the twins 'ab'; move it or end the group",
    ),
    "few tiles": (
        (
            *tuple(row("components", f"tiles-{shape}", None) for shape in ("gentle", "sharp", "cross")),
            {"kind": "set-component", "id": "tiles-straight", "component": "tile", "count": 8},
        ),
        "H09",
        "links between all cities take 10 tiles or more, and there are 8; add some to components.csv",
    ),
    "no purple": (
        ({"kind": "recolour-city", "id": "fir", "colours": ["black"]},),
        "H10",
        "no city takes purple cubes; make one purple, or leave the cubes out",
    ),
    "too many cubes": (
        ({"kind": "set-city", "id": "fir", "cubes": 100}, {"kind": "set-city", "id": "elm", "cubes": 20}),
        "H11",
        "with 2 players cities begin with 130 cubes, and the bag holds 125; lower the cubes of cities, or add cubes",
    ),
    "no number of markers": (
        (setting("rules.end.markers.two", None),),
        "H12",
        "the number of empty city markers with 2 players is not given; set it in [rules.end.markers]",
    ),
    "fewer by how many": (
        (setting("rules.options", ["fewer-markers"]),),
        "H12",
        "the number of empty city markers with 2 players is not given; set it in rules.end.markers_less",
    ),
    "more markers than cities": (
        (setting("rules.end.markers.two", 9),),
        "H12",
        "9 markers with 2 players, but only 7 cities begin with cubes; lower the number",
    ),
    "more markers than the box": (
        ({"kind": "set-component", "id": "empty-city-markers", "component": "marker", "count": 3},),
        "H12",
        "4 markers with 2 players, and the box has 3; correct one of them",
    ),
    "rotor of one colour": (
        ({"kind": "set-city", "id": "alder", "start": "red"},),
        "H13",
        "the rotor of Alder starts at its base colour red; choose another start",
    ),
    "no wheel": (
        (setting("rules.options", ["rotors"]),),
        "H13",
        "Alder has a rotor and no wheel; set rules.rotors.wheel, or its own in the column wheel",
    ),
    "gray rotor": (
        ({"kind": "set-city", "id": "cedar", "rotor": True},),
        "H13",
        "Cedar has a rotor and no base colour; give it a colour",
    ),
    "no gray city": (
        ({"kind": "recolour-city", "id": "cedar", "colours": ["red"]},),
        "H14",
        "there are 10 New City tiles and no gray city; add what is missing, or take the others away",
    ),
    "a space missing": ((row("track", "7", None),), "H15", "the track has no space 7; add it to track.csv"),
    "players": ((setting("rules.players.least", 4),), "H17", "rules.players.least is 4 and most is 3; correct one"),
    "no letters": (
        (setting("rules.display.letters_on_cubes", value=False), setting("rules.display.cube_style", 1)),
        "H18",
        "look alike to people with",
    ),
    "long name": (
        ({"kind": "rename-city", "id": "fir", "name": "Llanfairpwllgwyngyllgogerychwyrndrobwll" * 3},),
        "H19",
        "does not fit a hexagon of 22 mm; shorten it",
    ),
    "large page": (
        (setting("grid.size_mm", 200), {"kind": "resize-grid", "bottom": 5}),
        "H20",
        "more than two metres; lower grid.size_mm",
    ),
}


def found(document: HexDocument) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    report = HEX.check(compiled(document))
    assert "crashed" not in report.checks.values(), report.findings
    for finding in report.findings:
        out.setdefault(finding.code, []).append(finding.message)
    return out


def test_the_example_has_its_example_track_only() -> None:
    assert list(found(example())) == ["H16"]
    own = done(example(), setting("example_track", None))
    assert found(own) == {}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_found_with_its_cure(case: str) -> None:
    commands, code, message = CASES[case]
    findings = found(done(example(), setting("example_track", None), *commands))
    assert list(findings) == [code]
    assert any(message in one for one in findings[code]), findings


def test_a_line_that_cannot_be_built() -> None:
    findings = found(done(example(), painted("sea", *AROUND)))
    assert findings["H08"] == [
        "Valley Line needs track between Fir and Gorse, which cannot be linked; change the line or the ground"
    ]


def test_a_card_of_two_islands() -> None:
    oak = {"title": "Oak", "text": "x", "effect": "connect", "points": 5, "cities": ["alder", "gorse"]}
    cut = (painted("sea", *AROUND), row("lines", "valley-line", None), row("barons", "oak", oak))
    assert found(done(example(), *cut))["H26"] == [
        "Oak needs track between Alder and Gorse, which cannot be linked; change the card or the ground"
    ]


def test_all_codes_have_a_case() -> None:
    assert {code for _, code, _ in CASES.values()} | {"H08", "H16", "H26", "H21", "H22", "H23", "H24"} == {
        check.code for check in HEX.all_checks()
    }


def test_twins_side_by_side_are_right() -> None:
    two = ({"kind": "set-city", "id": ident, "twins": "ab"} for ident in ("alder", "oak"))
    assert list(found(done(example(), city("2-1"), *two))) == ["H16"]


def test_a_finding_points_to_its_place() -> None:
    board = compiled(done(example(), city("1-7")))
    finding = next(one for one in HEX.check(board).findings if one.code == "H01")
    place = HEX.place_of(board, finding)
    assert place is not None
    edge = compiled(done(example(), edged(["ridge"], "2-6--2-7")))
    finding = next(one for one in HEX.check(edge).findings if one.code == "H05")
    assert HEX.place_of(edge, finding) is not None


def test_findings_of_a_page_after_an_edit_are_those_of_a_new_look() -> None:
    live = compiled(example())
    shown = HEX.findings(live)
    for command in ({"kind": "recolour-city", "id": "fir", "colours": ["black"]}, painted("sea", *AROUND)):
        live = HEX.compile(done(live.document, command), board_id="valleys", evaluator=live.evaluator)
        shown = HEX.findings(live)
        assert shown.as_json() == HEX.findings(compiled(live.document)).as_json()
    assert {one["code"] for one in shown.as_json()["findings"]} >= {"H02", "H10"}
