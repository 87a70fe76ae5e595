"""Profiles of print orders: settings for a home printer or a kind of print shop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.drawing.svg_file import read_picture
from mapkit.press.job import PrintJob

_EIGHTH_INCH: Final = 3.175
_BLEED_SOURCE: Final = "https://www.printplaygames.com/prototypes/formatting-guidelines/"
_CARD_SOURCE: Final = "https://help.drivethrupartners.com/hc/de/articles/12780748203543"


@dataclass(frozen=True)
class PrintProfile:
    """Settings of a print order.

    Attributes:
        about: What it is for.
        settings: Options of `PrintJob`; those that a user gives take precedence.
        only: Parts that are printed; all if empty.
        fits: Width and height of the paper that a poster fills, upright, in millimetres.
        dpi: Resolution of the single pictures of cards.
        safe: Distance of texts from the cut, in millimetres; 0 where nothing is cut to size.
        source: Address of the page that asks for these figures; empty without one.
    """

    about: str
    settings: Mapping[str, Any]
    only: Sequence[str] = ()
    fits: tuple[float, float] | None = None
    dpi: float | None = None
    safe: float = 0.0
    source: str = ""

    def complete(self, job: PrintJob) -> PrintJob:
        """Return a job with the profile's settings where the job has the defaults."""
        default = {each.name: each.default for each in fields(PrintJob)}
        changes = {name: value for name, value in self.settings.items() if getattr(job, name) == default[name]}
        return replace(job, **changes)

    def fit(self, job: PrintJob, board_svg: str | None) -> PrintJob:
        """Return a job with the board as large as the paper of the poster, upright or across."""
        if self.fits is None or board_svg is None or job.size is not None or job.scale != 1:
            return job
        picture = read_picture(board_svg, "the board")
        width, height = self.fits if picture.height >= picture.width else self.fits[::-1]
        return replace(job, size=min(width, height * picture.width / picture.height))


def _poster(name: str, width: float, height: float) -> PrintProfile:
    return PrintProfile(
        f"the board as a poster that fills {name} (ISO 216)",
        {"paper": "poster", "bleed": 3.0},
        only=("board",),
        fits=(width, height),
        source=_BLEED_SOURCE,
    )


PROFILES: Final[Mapping[str, PrintProfile]] = {
    "home-a4": PrintProfile("tiles, sheets and cards at home, on A4", {"paper": "a4"}),
    "home-letter": PrintProfile("tiles, sheets and cards at home, on Letter", {"paper": "letter"}),
    "poster-a0": _poster("A0", 841.0, 1189.0),
    "poster-a1": _poster("A1", 594.0, 841.0),
    "poster-a2": _poster("A2", 420.0, 594.0),
    "folding-board": PrintProfile(
        "the board at its size, to be mounted, with marks to fold it in four, or in 2 or 6 with --panels",
        {"paper": "poster", "bleed": 6.0, "panels": 4},
        only=("board",),
        source=_BLEED_SOURCE,
    ),
    "card-service": PrintProfile(
        "a page for the back and the front of each card, and single pictures",
        {"paper": "card", "bleed": _EIGHTH_INCH, "duplex": True},
        only=("cards",),
        dpi=300.0,
        safe=_EIGHTH_INCH,
        source=_CARD_SOURCE,
    ),
}
"""Name of a profile -> its settings; bleed, safe area and resolution are those of the named source."""


def find_profile(name: str) -> PrintProfile:
    """Return a profile.

    Raises:
        UnknownNameError: There is no such profile.
    """
    if name not in PROFILES:
        raise UnknownNameError(f"no profile {name!r}{did_you_mean(name, PROFILES)}; there are {join_some(PROFILES)}")
    return PROFILES[name]
