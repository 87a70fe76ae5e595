"""Stopping a solver from outside, as Ctrl-C does, without losing the best that it has found."""

from threading import Thread

from mapkit.core import heavy

_LOOK_AGAIN = 0.05


class StopRequest:
    """A wish to stop: `set` may be called from a signal handler or another thread."""

    def __init__(self) -> None:
        self.asked = False
        self._solver: heavy.cp_model.CpSolver | None = None

    def set(self) -> None:
        """Stop the present search, and every later one at once."""
        self.asked = True
        solver = self._solver
        if solver is not None:
            solver.stop_search()

    def solve(
        self, solver: "heavy.cp_model.CpSolver", model: "heavy.cp_model.CpModel"
    ) -> "heavy.cp_model.CpSolverStatus":
        """Solve a model so that `set` can end it: in a thread, as a main thread in the solver hears no signals."""
        status: list[heavy.cp_model.CpSolverStatus] = []
        solver.parameters.catch_sigint_signal = (
            False  # its handler would take the program's place, and not give it back
        )
        if self.asked:
            solver.parameters.max_time_in_seconds = 0.001
        self._solver = solver
        thread = Thread(target=lambda: status.append(solver.solve(model)), daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_LOOK_AGAIN)
            if self.asked:  # asked before the search had begun, it would not have been heard
                solver.stop_search()
        self._solver = None
        return status[0] if status else heavy.cp_model.UNKNOWN
