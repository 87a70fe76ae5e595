"""Interruption of a solver from outside, for example by Ctrl-C, that keeps the best solution found."""

from threading import Thread

from mapkit.core import heavy

_POLL_SECONDS = 0.05


class StopRequest:
    """Request to stop; `set` may be called from a signal handler or another thread."""

    def __init__(self) -> None:
        self.asked = False
        self._solver: heavy.cp_model.CpSolver | None = None

    def set(self) -> None:
        """Stop the present search, and every later one immediately."""
        self.asked = True
        solver = self._solver
        if solver is not None:
            solver.stop_search()

    def solve(
        self, solver: "heavy.cp_model.CpSolver", model: "heavy.cp_model.CpModel"
    ) -> "heavy.cp_model.CpSolverStatus":
        """Solve a model so that `set` can end it, in a thread, because the solver blocks signals of the main thread."""
        statuses: list[heavy.cp_model.CpSolverStatus] = []
        solver.parameters.catch_sigint_signal = False  # its handler would permanently replace the one of the program
        if self.asked:
            solver.parameters.max_time_in_seconds = 0.0
        self._solver = solver
        solver_thread = Thread(target=lambda: statuses.append(solver.solve(model)), daemon=True)
        solver_thread.start()
        while solver_thread.is_alive():
            solver_thread.join(_POLL_SECONDS)
            if self.asked:  # a request before the start of the search has no effect
                solver.stop_search()
        self._solver = None
        return statuses[0] if statuses else heavy.cp_model.UNKNOWN
