"""Which findings on a railroad board follow from which; the first rule that fits wins."""

from typing import Final

from mapkit.core.causes import CauseRule

_TRACK: Final = "S01:lines S01:railroads S01:cities S01:places S01:track S01:mileposts S01:junctions"
_CITIES: Final = "S01:cities S01:settings/regions S01:regions"

CAUSE_RULES: Final = (
    CauseRule("S01:places/missing", "N01 N02 N04 N05 N10 N17 P02", shared=False),
    CauseRule(_TRACK, "N G01"),
    CauseRule(f"{_CITIES} S01:destinations S01:declared S01:wanted", "D"),
    CauseRule("S01:destinations", "D01", shared=False),
    CauseRule(f"{_CITIES} S01:payoffs S01:payoff_cities {_TRACK}", "P"),
    CauseRule("S01", "V S02", shared=False),
    # A place at a wrong position has long segments, and amounts and a page that do not fit
    CauseRule("G07", "N09 N10 N16 N17 N18 P"),
    CauseRule("G07 G10", "G10:projection/ R", shared=False),
    CauseRule("N10", "N10"),
    # What the drawing leaves open comes before what it leaves out, and gaps before parts
    CauseRule("N13", "N01 N02 N03 N04 N05 N16 P02", shared=False),
    CauseRule("G01", "N"),
    CauseRule("N03", "N01 N02 N04 N05 N09 N14 N16 N17"),
    CauseRule("N14", "N01 N02 N04 N05 N09 N16 N17"),
    CauseRule("N17", "N01 N02 N04 N05 N16"),
    CauseRule("N16", "N01 N02 N04 N05"),
    CauseRule("N05", "N01 N02 N04"),
    CauseRule("N04", "N01 N02"),
    CauseRule("N02", "N01"),
    CauseRule("N01 N02 N03 N17", "P02"),
    CauseRule("N01", "P02", shared=False),
    CauseRule("P09 P10 P11", "P08"),
    CauseRule("D01 D05", "D00 D02 D03 D06 V07", shared=False),
    CauseRule("P01 P02", "V08", shared=False),
    CauseRule("N", "S02", shared=False),
)
