"""Checkpoint files of play-test runs: sums over the matches played so far, written atomically."""

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
    """Content of a checkpoint file."""

    format: Literal["mapkit/playtest"] = "mapkit/playtest"
    version: Literal[1] = 1
    run: str = Field(description="A hash of all that the run follows from")
    matches: int = Field(ge=0, description="How many are in the sums, from the first one on")
    totals: dict[str, object]


def run_id(*parts: str) -> str:
    """Return the hash of everything that a run depends on: version, board, rules, policies, seed."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def save_checkpoint(path: Path, run: str, matches: int, totals: Totals) -> None:
    """Write the sums of a run over its first `matches` matches.

    Raises:
        OutputError: The file cannot be written; an earlier one is unchanged.
    """
    checkpoint = Checkpoint(run=run, matches=matches, totals=as_lists(totals))
    write_files(path.parent, {path.name: checkpoint.model_dump_json()})


def read_checkpoint(path: Path, run: str, like: Totals) -> tuple[int, Totals]:
    """Return the number of matches in a checkpoint, and their sums.

    Args:
        path: The file.
        run: Result of `run_id` for the run to resume.
        like: Totals with the expected names and shapes.

    Raises:
        MapkitError: The file is not a checkpoint, or belongs to another run.
    """
    try:
        checkpoint = Checkpoint.model_validate_json(path.read_bytes())
        totals = from_lists(checkpoint.totals, like)
    except (OSError, ValidationError, ValueError) as error:
        raise MapkitError(f"{path}: not the checkpoint of a play-test; leave out --resume to start again") from error
    if checkpoint.run != run:
        raise MapkitError(
            f"{path}: of another board, version, rules, players or seed; leave out --resume to start again"
        )
    return checkpoint.matches, totals
