"""Times the editor from a command to its validated reply, in milliseconds and against a whole compile in one run.

    python tests/bench/bench_editor.py

A reply is validated when the command is planned, checked and applied, the live board derived, and the change of the
view written as JSON; the findings follow it, from the checks whose ground changed. The boards are a grid of 3,500
mileposts and the United States. What is there at first is kept from the garbage collector, as the editor does. Times
are of the processor, so that other programs at work do not count.
"""

import gc
import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "editor"))

from generated import grid_document  # noqa: E402

from mapkit.document.changes import apply, wire_changes  # noqa: E402
from mapkit.document.document import sort_rows  # noqa: E402
from mapkit.kinds.rail.commands import read_command  # noqa: E402
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document  # noqa: E402
from mapkit.kinds.rail.live.checks import LiveFindings, live_findings  # noqa: E402
from mapkit.kinds.rail.live.view import view_delta, whole_view  # noqa: E402
from mapkit.kinds.rail.reading.files import read_folder  # noqa: E402
from mapkit.kinds.rail.reading.package import read_package  # noqa: E402
from mapkit.kinds.rail.tables import RailDocument  # noqa: E402

REPLY_MS, CHECKS_MS = 100, 50
COUNT = 120


def seconds(call: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def edit(document: RailDocument, rng: random.Random) -> dict[str, object]:
    """Return a command that an author might give."""
    kind = rng.choice(("edit-place", "edit-city", "set-payoff", "edit-railroad", "set-cell", "delete-place"))
    cities = sorted(document.cities)
    if kind in ("edit-place", "delete-place"):
        names = sorted(
            {place for _, line in sort_rows(document.lines) for place, _ in line.stops} & set(document.places)
        )
        place = rng.choice(names)
        row = document.places[place]
        if kind == "delete-place":
            return {"kind": kind, "place": place, "keep_shape": True}
        return {"kind": kind, "place": place, "lon": round(row.lon + 0.01, 5), "lat": round(row.lat + 0.01, 5)}
    if kind == "edit-city":
        city = rng.choice(cities)
        town = document.cities[city]
        return {"kind": kind, "id": city, "lon": round(town.lon + 0.01, 5), "lat": round(town.lat - 0.01, 5)}
    if kind == "set-payoff":
        a, b = rng.sample(sorted(document.payoff_cities), 2)
        return {"kind": kind, "a": a, "b": b, "thousands": rng.randrange(1, 80) / 2}
    if kind == "edit-railroad":
        return {"kind": kind, "id": rng.choice(sorted(document.railroads)), "price": rng.randrange(1000, 60_000)}
    regions = sorted(document.regions)
    return {
        "kind": kind,
        "chart": "regions",
        "parity": "odd",
        "total": rng.randrange(2, 13),
        "item": rng.choice(regions),
    }


def replies(document: RailDocument, board_id: str) -> tuple[list[float], list[float], Compiled]:
    """Return the times of replies and of the checks that follow them, one edit after the other."""
    rng = random.Random(1)  # noqa: S311 - the same edits every time
    live = compile_document(document, board_id=board_id)
    found: LiveFindings = live_findings(live)
    whole_view(live)  # the page has it when it opens
    answers: list[float] = []
    checks: list[float] = []
    gc.collect()
    gc.freeze()
    while len(answers) < COUNT:
        data = edit(live.document, rng)
        start = time.thread_time()
        plan = read_command(data).plan(live.document)
        after = compile_document(apply(live.document, plan.patch), board_id=board_id, evaluator=live.evaluator)
        json.dumps({"view": view_delta(live, after), "changes": wire_changes(plan.patch, after.document.schema)})
        answered = time.thread_time()
        now = live_findings(after)
        json.dumps(None if now.findings == found.findings else now.as_json())
        checks.append(time.thread_time() - answered)
        answers.append(answered - start)
        found = now
        live = after
    return answers, checks, live


def line(what: str, times: list[float], compile_time: float, limit: float | None) -> str:
    """Return a line of the report."""
    worst = quantiles(times, n=20)[-1]
    return (
        f"{what}: 95th percentile {worst * 1e3:.1f} ms, median {median(times) * 1e3:.1f} ms; "
        f"{worst / compile_time:.3f} x a whole compile ({compile_time * 1e3:.0f} ms)"
        + (f"; limit {limit:.0f} ms" if limit is not None else "")
    )


def main() -> None:
    """Print the times."""
    for name, document in (
        ("grid", grid_document(35, 100, cities=120)),
        ("usa", read_package(read_folder(ROOT / "sources" / "usa")).document),
        ("portugal", read_package(read_folder(ROOT / "sources" / "portugal")).document),
    ):
        answers, checks, live = replies(document, name)
        compile_time = min(seconds(partial(compile_document, live.document, board_id=name)) for _ in range(3))
        mileposts = len(live.board.mileposts)
        both = [reply + check for reply, check in zip(answers, checks, strict=True)]
        for what, times, limit in (
            ("command to validated reply", answers, REPLY_MS),
            ("live checks after an edit", checks, CHECKS_MS if name == "usa" else None),
            ("both", both, None),
        ):
            print(line(f"{name}, {mileposts} mileposts, {what}", times, compile_time, limit))


if __name__ == "__main__":
    main()
