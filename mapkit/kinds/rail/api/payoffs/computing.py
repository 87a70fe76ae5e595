"""Computing payoff charts from distances."""

from pathlib import Path

from mapkit.core.errors import MapkitError
from mapkit.core.output import write_files
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.payoffs.reading import read_payoffs
from mapkit.kinds.rail.bundle import payoffs_table
from mapkit.kinds.rail.charts.payoffs import compute as payoff_compute
from mapkit.kinds.rail.charts.payoffs.diagnosis import one_reading
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.charts.payoffs.readings import board_read, is_computed
from mapkit.kinds.rail.model.payoffs.model import ComputedPayoffs, ModelName, PayoffModel
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config


def compute_payoffs(
    board: str | Path,
    *,
    model: ModelName | None = None,
    like: str | Path | None = None,
    calibrate: bool = False,
    step: float | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> ComputedPayoffs:
    """Return a payoff chart computed from a board's distances.

    The model is the one in `[payoffs]` of `board.toml`; if there is none, or `model`, `like` or `calibrate` is given,
    it is calibrated on a chart by robust regression.

    Args:
        board: As for `load`.
        model: Which distances a payoff is made of; those of `[payoffs]`, or rail miles, by default.
        like: The chart to calibrate on, a file or a board; the board's own by default.
        calibrate: Calibrate although `board.toml` has a model.
        step: The grid, thousands; that of the model, or half a thousand, by default.
        out: The CSV file to write, as `charts/payoffs.csv` is; nowhere by default.
        workspace: As for `load`.

    Raises:
        MapkitError: The chart is too small to calibrate on, or the board lacks distances that the model needs.
        SourceError: As for `load`; likewise UnknownNameError, WorkspaceError and OutputError.
    """
    own = _payoff_model(board, workspace)
    loaded = load(board, workspace=workspace)
    cities = loaded.payoffs.cities
    distances = board_distances(loaded, cities)
    if own is not None and model is None and like is None and not calibrate:
        chosen = own if step is None else own.model_copy(update={"step": step})
        found = payoff_compute.computed_chart(chosen, distances)
    else:
        typed = (
            board_read(loaded, name=str(board))
            if like is None
            else read_payoffs(like, board=board, workspace=workspace)
        )
        if like is None and own is not None and is_computed(loaded):
            raise MapkitError(
                f"the chart of {board} is computed by its own [payoffs]; calibrating on it would give that again: "
                "give a chart to calibrate on, --like CHART"
            )
        fitted = payoff_compute.calibrate(
            one_reading(typed.chart.aligned(cities)),
            distances,
            model=model or (own.model if own else "rail"),
            step=step or (own.step if own else 0.5),
        )
        found = payoff_compute.computed_chart(fitted.model, distances, fitted)
    if out is not None:
        board_names = {city.id: city.name for city in loaded.cities}
        text = payoffs_table(found.cities, found.thousands, board_names)
        write_files(Path(out).parent, {Path(out).name: text})
    return found


def _payoff_model(board: str | Path, workspace: str | Path | None) -> PayoffModel | None:
    """Return `[payoffs]` of a source package; a board file has none."""
    if str(board).endswith(".json"):
        return None
    folder = open_workspace(workspace).board_folder(str(board))
    return parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE)).payoffs
