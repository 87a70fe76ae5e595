"""Checks of the projection against the cities."""

from collections.abc import Iterator
from itertools import pairwise

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.sources.projections import (
    MOST_CONVERGENCE,
    MOST_STRETCH,
    crs_of,
    projection_toml,
    stretch_and_convergence,
    suitable_projection,
)

_FEWEST_POINTS = 2
_SEAM_M = 1.9e7
"""Step on the map, about half a turn, that only the seam of a projection explains."""


def _find_unsuitable_projection(c: CheckedRails) -> Iterator[Found]:
    """A projection that turns north, stretches one part of the board more than another, or cuts track at its seam.

    Usually it was copied from a board of another region. Either north is turned by more than 20 degrees in the middle
    of the cities, or the scale differs between cities by 20 % more than in the projection that the finding names. A
    named projection whose seam runs between the cities is drawn around their middle instead.
    """
    for note in c.board.provenance.notes:
        if note.kind == "seam":
            yield Found(note.message, ("seam",), Place(file=note.feature))
    city_points = sorted({(m.lon, m.lat) for m in map(c.mileposts.get, c.cities_at) if m is not None})
    if len(city_points) < _FEWEST_POINTS:
        return
    stretch, convergence = stretch_and_convergence(c.board.projection.crs, city_points)
    better_projection = suitable_projection(city_points)
    least, _ = stretch_and_convergence(crs_of(better_projection), city_points)
    fault_texts = [
        *([f"turns north by {abs(convergence):.0f} degrees"] if abs(convergence) > MOST_CONVERGENCE else []),
        *([f"draws some places {stretch:.1f} times as large as others"] if stretch > MOST_STRETCH * least else []),
    ]
    seam_mm = _SEAM_M * c.board.projection.scale_mm_per_m
    for piece in c.board.pieces:
        if any(abs(end[0] - start[0]) > seam_mm for start, end in pairwise(piece.path)):
            fault_texts.append(f"cuts track of {c.short[piece.railroad]} at its seam, and draws it across the map")
            break
    if fault_texts:
        toml_name, *toml_values = projection_toml(better_projection)[1:]
        yield Found(
            f"the projection {c.board.projection.name} {' and '.join(fault_texts)}; write {toml_name}, "
            f"{', '.join(toml_values)} under [projection]",
            ("projection",),
            Place(file="board.toml"),
            {"stretch": round(min(stretch, 1e9), 2), "convergence": round(convergence, 1)},
        )


CHECKS = (make_listed_check("G10", _find_unsuitable_projection),)
