"""The example of docs/explanation/evaluator.md is carried out as it is printed there."""

import re
from typing import Any

from boards import REPOSITORY
from generated import changed, grid_document, with_row

from mapkit.core.problems import Problem
from mapkit.document.document import sort_rows
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.compile import compile_document, milepost_regions
from mapkit.kinds.rail.compiler.track import track_part

PAGE = (REPOSITORY / "docs" / "explanation" / "evaluator.md").read_text(encoding="utf-8")


def example() -> dict[str, Any]:
    """Return the functions of the example, each noting when it runs."""
    code = re.findall(r"```python\n(.*?)```", PAGE.partition("## Example")[2], re.DOTALL)[0]
    ran: list[str] = []

    def noted(function: Any) -> Any:
        def run(db: Reader) -> Any:
            ran.append(function.__name__)
            return function(db)

        return tracked(run)

    names: dict[str, Any] = {
        "Problem": Problem,
        "Reader": Reader,
        "milepost_regions": milepost_regions,
        "ordered": sort_rows,
        "track_part": track_part,
        "tracked": noted,
    }
    exec(code, names)  # noqa: S102 - our own page
    return {**names, "ran": ran}


def test_miles_of_track_by_region() -> None:
    made, document = example(), grid_document(3, 11, cities=6)
    live = compile_document(document, board_id="grid")
    total = sum(piece.miles for piece in live.board.pieces)
    rows = made["region_table"](live.db)
    assert [name for name, _ in rows] == [row.name for _, row in sort_rows(document.regions)]
    assert abs(sum(miles for _, miles in rows) - total) < 1
    assert made["bare_regions"](live.db) == ()
    assert made["ran"] == ["region_table", "region_miles", "bare_regions"]

    made["ran"].clear()
    dearer = live.recompile(changed(document, "railroads", "row-1", price=12_000))
    assert made["region_table"](dearer.db) is rows
    assert made["ran"] == []

    moved = dearer.recompile(changed(document, "places", "Stop 01x006", lat=34.5))
    assert made["bare_regions"](moved.db) == ()
    assert made["ran"] == ["region_miles", "bare_regions"]  # a figure is other, so the check looks again


def test_a_region_without_track_is_reported() -> None:
    made, document = example(), grid_document(3, 11, cities=6)
    region = next(iter(document.regions.values()))
    live = compile_document(with_row(document, "regions", "moon", region), board_id="grid")
    assert [problem.key for problem in made["bare_regions"](live.db)] == ["moon"]
    assert dict(made["region_table"](live.db))[region.name] >= 0
