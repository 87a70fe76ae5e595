"""A run that was broken off goes on where it was: its sums in a file, which is whole or not there."""

import hashlib
import json
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.core.output import write_files
from mapkit.playing.figures import Totals, as_lists, from_lists


class Checkpoint(Frozen):
    """The file of a run."""

    format: Literal["mapkit/playtest"] = "mapkit/playtest"
    version: Literal[1] = 1
    run: str = Field(description="A hash of all that the run follows from")
    matches: int = Field(ge=0, description="How many are in the sums, from the first one on")
    totals: dict[str, object]


def run_id(*parts: str) -> str:
    """Return the hash of what a run follows from: version, board, rules, policies, seed."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def save_checkpoint(path: Path, run: str, matches: int, totals: Totals) -> None:
    """Write the sums of a run.

    Raises:
        OutputError: It cannot be written; what was there before is unchanged.
    """
    made = Checkpoint(run=run, matches=matches, totals=as_lists(totals))
    write_files(path.parent, {path.name: made.model_dump_json()})


def read_checkpoint(path: Path, run: str, like: Totals) -> tuple[int, Totals]:
    """Return how many matches a file holds, and their sums.

    Raises:
        MapkitError: It is not such a file, or of another run.
    """
    try:
        found = Checkpoint.model_validate_json(path.read_bytes())
        totals = from_lists(found.totals, like)
    except (OSError, ValidationError, ValueError) as error:
        raise MapkitError(f"{path}: not the checkpoint of a play-test; leave --resume away to start again") from error
    if found.run != run:
        raise MapkitError(
            f"{path}: of another board, version, rules, players or seed; leave --resume away to start again"
        )
    return found.matches, totals
