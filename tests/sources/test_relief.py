"""The shipped relief: mountains are mountains, plains are plains, and its file is as its provenance says."""

import hashlib
import re

import numpy as np
import pytest

from mapkit.core.errors import SourceError
from mapkit.geography.relief import FILE, STEPS, pack_grid, ruggedness, unpack_grid

MOUNTAINS = {
    "Front Range": (-106.0, 39.5),
    "Alleghenies": (-80.0, 38.5),
    "Alps": (8.0, 46.3),
    "Serra da Estrela": (-7.6, 40.3),
    "Highlands of Scotland": (-5.0, 57.0),
    "Sierra Madre": (-106.0, 25.0),
    "Himalaya": (86.9, 28.0),
}
PLAINS = {
    "Kansas": (-98.0, 38.5),
    "Ohio": (-83.0, 40.0),
    "Po": (10.5, 45.1),
    "Alentejo": (-7.9, 38.0),
    "Fens": (0.0, 52.5),
    "Sahara": (4.0, 30.9),
    "Atlantic": (-40.0, 30.0),
}


@pytest.mark.parametrize("name", MOUNTAINS)
def test_mountains_are_rugged(name: str) -> None:
    assert ruggedness(*MOUNTAINS[name]) >= 9


@pytest.mark.parametrize("name", PLAINS)
def test_plains_are_not(name: str) -> None:
    assert ruggedness(*PLAINS[name]) <= 3


def test_the_earth_is_round() -> None:
    lon, lat = np.array([-180.0, 180.0, 540.0]), np.array([65.0, 65.0, 65.0])
    assert len(set(ruggedness(lon, lat).tolist())) == 1
    assert ruggedness([0.0, 0.0], [90.0, -90.0]).shape == (2,)


@pytest.mark.slow
def test_a_grid_comes_back_and_a_damaged_one_is_refused() -> None:
    grid = unpack_grid(FILE.read_bytes())
    assert grid.shape == (1800, 3600)
    assert int(grid.max()) == STEPS - 1
    data = pack_grid(grid)
    assert (unpack_grid(data) == grid).all()
    for wrong in (data[:-20], b"", b"x" + data, pack_grid(grid)[:1]):
        with pytest.raises(SourceError, match=r"relief\.bin: the relief is damaged"):
            unpack_grid(wrong)
    with pytest.raises(ValueError, match="a grid of"):
        pack_grid(grid[:5])


def test_the_provenance_names_the_file_as_it_is() -> None:
    said = (FILE.parent / "PROVENANCE.md").read_text(encoding="utf-8")
    assert re.search(rf"`{FILE.name}` \| (\d+) \| `([0-9a-f]+)`", said)[0].endswith(  # type: ignore[index]
        f"| {FILE.stat().st_size} | `{hashlib.sha256(FILE.read_bytes()).hexdigest()}`"
    )
