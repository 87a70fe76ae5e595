"""Ids that mapkit makes have a length that the board file allows, however long names and lines are."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import mapkit
from mapkit.core.names import LONGEST_JOINED, LONGEST_SLUG, joined_id, slug
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.source_package.importing import list_rebuild_losses
from mapkit.kinds.rail.exchange.source_package.writing import board_to_source_files

LONG = "The Junction of the Great Northern and of the Dundalk Newry and Greenore Railway " * 4


@given(st.text(max_size=300), st.text(max_size=300))
def test_slugs_are_bounded_and_stay_different(one: str, other: str) -> None:
    assert len(slug(one)) <= LONGEST_SLUG
    assert slug(slug(one)) == slug(one)
    assert len(joined_id(slug(one), slug(other))) <= LONGEST_JOINED
    assert slug(LONG + "a") != slug(LONG + "b")


def test_short_ids_are_as_they_were() -> None:
    assert slug("St. Paul") == "st-paul"
    assert joined_id("pa", "altoona-pa", "lewistown-pa") == "pa--altoona-pa--lewistown-pa"


def test_a_board_of_long_names_builds_and_comes_back(example: Path) -> None:
    rail = "the-railroad-with-the-longest-name-of-all-that-ever-ran-in-new-england-and-beyond-it-to-canada"
    for name in ("railroads.csv", "lines/shore.csv"):
        text = (example / name).read_text(encoding="utf-8").replace("\nshore,", f"\n{rail},")
        (example / name).write_text(text, encoding="utf-8")
    mark = (example / "lines" / "shore.csv").read_text(encoding="utf-8").splitlines()[1].partition(",")[0]
    stops = [
        (1, "A", "milepost", 1), (1, "J", "via", 2), (1, "B", "milepost", 3),
        (2, "J", "via", 1), (2, "C", "milepost", 2),
    ]  # fmt: skip
    rows = "".join(f"{mark},{LONG}{line},{seq},{LONG}{end},{kind}\n" for line, end, kind, seq in stops)
    rows += f"{mark},{LONG}3,1,{LONG}B,milepost\n{mark},{LONG}3,2,Boston,milepost\n"
    with (example / "lines" / "shore.csv").open("a", encoding="utf-8") as file:
        file.write(rows)
    at = {"A": (-71.5, 42.6), "J": (-71.4, 42.5), "B": (-71.2, 42.45), "C": (-71.5, 42.2)}
    places = "".join(f"{LONG}{end},{lon},{lat},\n" for end, (lon, lat) in at.items())
    (example / "places.csv").write_text(f"place,lon,lat,note\n{places}", encoding="utf-8")
    board = built_folder(example)
    made = [e.id for name in ("mileposts", "junctions", "pieces", "segments") for e in getattr(board, name)]
    assert len(board.junctions) == 1
    assert LONGEST_SLUG < max(map(len, made)) <= LONGEST_JOINED + len("--9")
    pieces = [piece.id for piece in board.pieces]
    assert len(set(pieces)) == len(pieces)
    assert mapkit.Board.model_validate_json(board.model_dump_json()) == board
    assert list_rebuild_losses(board, board_to_source_files(board, file="x"), file="x")
