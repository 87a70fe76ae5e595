"""Drafts of boards, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result

if TYPE_CHECKING:
    from mapkit.kinds.rail.drafting.make_draft import Drafted


def show_draft(made: "Drafted", name: str) -> None:
    """Print the folder of a draft, what was assumed, and its figures."""
    print_result(str(made.folder))
    for sentence in made.assumed:
        print_message(sentence)
    figures = made.figures
    print_message(
        f"{figures.cities} cities, {figures.railroads} railroads, {figures.mileposts} mileposts; a trip takes "
        f"{figures.trip:.0f} mileposts and pays {figures.payoff:.1f} thousand, a game {figures.trips:.0f} trips"
    )
    print_message(f"build it with: mapkit build {name}")
