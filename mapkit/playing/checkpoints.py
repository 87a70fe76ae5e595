"""Checkpoints of interrupted runs: their sums in a file, written atomically."""

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
    """File of a run."""

    format: Literal["mapkit/playtest"] = "mapkit/playtest"
    version: Literal[1] = 1
    run: str = Field(description="A hash of all that the run follows from")
    matches: int = Field(ge=0, description="How many are in the sums, from the first one on")
    totals: dict[str, object]


def run_id(*parts: str) -> str:
    """Return the hash of everything that a run depends on: version, board, rules, policies, seed."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def save_checkpoint(path: Path, run: str, matches: int, totals: Totals) -> None:
    """Write the sums of a run.

    Raises:
        OutputError: It cannot be written; what was there before is unchanged.
    """
    checkpoint = Checkpoint(run=run, matches=matches, totals=as_lists(totals))
    write_files(path.parent, {path.name: checkpoint.model_dump_json()})


def read_checkpoint(path: Path, run: str, like: Totals) -> tuple[int, Totals]:
    """Return the number of matches in a file, and their sums.

    Raises:
        MapkitError: It is not such a file, or of another run.
    """
    try:
        checkpoint = Checkpoint.model_validate_json(path.read_bytes())
        totals = from_lists(checkpoint.totals, like)
    except (OSError, ValidationError, ValueError) as error:
        raise MapkitError(f"{path}: not the checkpoint of a play-test; leave --resume away to start again") from error
    if checkpoint.run != run:
        raise MapkitError(
            f"{path}: of another board, version, rules, players or seed; leave --resume away to start again"
        )
    return checkpoint.matches, totals
