"""Which function carries out which operation."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from mapkit.model.variant import Operation
from mapkit.variants import ops_charts, ops_cities, ops_mileposts, ops_railroads, ops_rules, ops_track
from mapkit.variants.restrict import restrict_board
from mapkit.variants.work import Work

_DO: Mapping[str, Callable[[Work, Any], None]] = MappingProxyType(
    {
        "add-milepost": ops_mileposts.add_milepost,
        "remove-milepost": ops_mileposts.remove_milepost,
        "rename-milepost": ops_mileposts.rename_milepost,
        "move-milepost": ops_mileposts.move_milepost,
        "insert-milepost": ops_mileposts.insert_milepost,
        "add-railroad": ops_railroads.add_railroad,
        "remove-railroad": ops_railroads.remove_railroad,
        "change-railroad": ops_railroads.change_railroad,
        "make-public": ops_railroads.make_public,
        "merge-railroads": ops_railroads.merge_railroads,
        "split-railroad": ops_railroads.split_railroad,
        "add-segment": ops_track.add_segment,
        "add-line": ops_track.add_line,
        "remove-segments": ops_track.remove_segments,
        "reassign-segments": ops_track.reassign_segments,
        "add-junction": ops_track.add_junction,
        "remove-junction": ops_track.remove_junction,
        "add-piece": ops_track.add_piece,
        "remove-piece": ops_track.remove_piece,
        "add-region": ops_cities.add_region,
        "change-region": ops_cities.change_region,
        "remove-region": ops_cities.remove_region,
        "add-city": ops_cities.add_city,
        "change-city": ops_cities.change_city,
        "move-city": ops_cities.move_city,
        "remove-city": ops_cities.remove_city,
        "restrict-board": restrict_board,
        "change-board": ops_cities.change_board,
        "set-payoff": ops_charts.set_payoff,
        "scale-payoffs": ops_charts.scale_payoffs,
        "recompute-payoffs": ops_charts.recompute_payoffs,
        "import-payoffs": ops_charts.import_payoffs,
        "set-destination": ops_charts.set_destination,
        "swap-destinations": ops_charts.swap_destinations,
        "solve-destinations": ops_charts.solve_destinations,
        "set-rule": ops_rules.set_rule,
        "switch-option": ops_rules.switch_option,
        "choose-preset": ops_rules.choose_preset,
        "accept-finding": ops_rules.accept_finding,
    }
)


def carry_out(work: Work, operation: Operation) -> None:
    """Apply one operation to a board in work.

    Raises:
        OperationError: It does not fit; the board in work may be half changed and is of no use any more.
    """
    _DO[operation.op](work, operation)
