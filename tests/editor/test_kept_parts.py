"""What is kept from edit to edit equals what a new look at the whole board gives."""

from itertools import pairwise
from typing import Any

import networkx as nx
from generated import changed, grid_document, with_row
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.memo import memoize_by_identity
from mapkit.document.draft import Draft
from mapkit.kinds.rail.checks.check import Links
from mapkit.kinds.rail.commands.stops import drop_unused_places, place_rows
from mapkit.kinds.rail.editing.place_names import find_or_none, finder_of, line_places, names_place, place_id
from mapkit.kinds.rail.model.board import Segment
from mapkit.kinds.rail.network.multigraph import spurs
from mapkit.kinds.rail.tables import Place

NODES = [f"n{number}" for number in range(6)]
TRACK = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=6),
)
SPOTS = st.tuples(st.integers(-3, 3), st.integers(-3, 3))  # few places, so that cities are equally near
STEPS = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("pqrstuvw"), SPOTS),
        st.dictionaries(st.sampled_from(["x", "y", "z"]), st.tuples(st.sampled_from("pqrst"), st.sampled_from("kl"))),
    ),
    min_size=1,
    max_size=5,
)
DOCUMENT = grid_document(2, 11, cities=4)
SPELLED = st.sampled_from(["Stop 00x001", "stop-00X001", "City 1", "CITY 0", "Stop 00x000", "Nowhere", "Depot"])


def segments(railroad: str, ends: list[tuple[str, str]]) -> tuple[Segment, ...]:
    return tuple(
        Segment(id=f"{railroad}--{n}", railroad=railroad, a=a, b=b, miles=1.0, pieces=("p",), path=())
        for n, (a, b) in enumerate(ends)
    )


def ends_of(links: Links) -> list[str]:
    return sorted(end for link in links for end in (link.a, link.b))


@given(st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=9))
def test_spurs_end_where_nothing_leads_round(ties: list[tuple[str, str]]) -> None:
    graph: nx.MultiGraph[str] = nx.MultiGraph([tie for tie in ties if tie[0] != tie[1]])
    found = spurs(ties)
    halves = [(end, str(number)) for number, tie in enumerate(graph.edges()) for end in tie]
    core = nx.k_core(nx.Graph(halves), 2)
    for spur in found:
        assert graph.degree(spur[-1]) == 1
        assert all(graph.has_edge(*pair) for pair in pairwise(spur))
        assert not any(node in core for node in spur[1:])
    rounds = [part for part in nx.connected_components(graph) if any(node in core for node in part)]
    ends = {node for part in rounds for node in part if graph.degree(node) == 1}
    assert ends <= {spur[-1] for spur in found}
    assert all(spur[0] in core for spur in found if spur[-1] in ends)


@given(SPELLED, st.lists(st.tuples(SPELLED, st.booleans()), max_size=3))
def test_places_are_found_as_by_the_whole_document(name: str, rows: list[tuple[str, bool]]) -> None:
    document = DOCUMENT
    for number, (key, there) in enumerate(rows):
        row = Place(lon=number, lat=number, rank=99.0 + number) if there else None
        document = with_row(document, "places", key, row)
    document = changed(document, "cities", "city-2", milepost="Stop 00x001")
    known = finder_of(document).known.get(place_id(name))
    assert find_or_none(document, name) == (known[1] if known else None)
    named = {place_id(place) for line in document.lines.values() for place, _ in line.stops}
    assert names_place(document, place_id(name)) == (known is not None or place_id(name) in named)


@given(st.lists(st.tuples(SPELLED, st.booleans()), max_size=4))
def test_a_draft_finds_its_own_rows_of_places(steps: list[tuple[str, bool]]) -> None:
    draft: Draft[Any] = Draft(DOCUMENT)
    for key, there in steps:
        if there:
            draft.put("places", key, Place(lon=1, lat=2))
        else:
            draft.drop("places", key)
        for name in ("Stop 00x001", "depot"):
            folded = place_id(name)
            assert place_rows(draft, folded) == [k for k in draft.table("places") if place_id(k) == folded]
    drop_unused_places(draft, ["Depot", "Stop 00x001"])
    assert "Depot" not in draft.table("places")
    now = draft.table("places")
    patch = {change.key: change.after for change in draft.patch() if change.table == "places"}
    assert {**DOCUMENT.places, **patch} == {
        **dict.fromkeys(DOCUMENT.places),
        **now,
        **dict.fromkeys(patch.keys() - now),
    }


def test_what_is_remembered_is_forgotten_in_time() -> None:
    made: list[list[str]] = []

    @memoize_by_identity(4)
    def length(text: list[str]) -> int:
        made.append(text)
        return len(text)

    texts = [["x"] * number for number in range(6)]
    assert [length(text) for text in texts] == list(range(6))
    assert length(texts[5]) == 5
    assert len(made) == 6
    assert length(texts[0]) == 0
    assert len(made) == 7


def test_the_places_of_a_line_are_those_of_its_stops() -> None:
    line = next(iter(DOCUMENT.lines.values()))
    assert line_places(line) == {place_id(place) for place, _ in line.stops}
