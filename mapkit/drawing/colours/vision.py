"""Simulation of colour vision deficiency: colours as seen by people who lack one kind of cone.

Protanopia and deuteranopia after Vienot, Brettel and Mollon, "Digital video colourmaps for checking the legibility of
displays by dichromats" (1999): the missing cone's answer is set so that black, white and the display's blue stay as
they are. Tritanopia after Brettel, Vienot and Mollon, "Computerized simulation of color appearance for dichromats"
(1997): two half planes through the greys and lights of 485 and 660 nm. Cones after Smith and Pokorny (1975).
"""

from typing import Final, Literal

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.drawing.colours.colour import XYZ_FROM_RGB, to_encoded, to_linear

Vision = Literal["normal", "protan", "deutan", "tritan"]
VISIONS: Final[tuple[Vision, ...]] = ("normal", "protan", "deutan", "tritan")

_LMS_FROM_XYZ: Final = np.array([[0.15514, 0.54312, -0.03286], [-0.15514, 0.45684, 0.03286], [0.0, 0.0, 0.01608]])
LMS_FROM_RGB: Final = _LMS_FROM_XYZ @ XYZ_FROM_RGB
"""Linear sRGB to the answers of the long, middle and short cones."""
_RGB_FROM_LMS: Final = np.linalg.inv(LMS_FROM_RGB)
_XYZ_485: Final = (0.05795, 0.1693, 0.6162)
_XYZ_660: Final = (0.1649, 0.061, 0.0)
"""CIE 1931 colour matching functions at 485 and 660 nm."""


def _projection_matrix(missing: int, *anchors: Floats) -> Floats:
    """Return the matrix in linear sRGB that sets one cone's answer so that two anchors (LMS) stay unchanged."""
    other_cones = [i for i in range(3) if i != missing]
    weights = np.linalg.solve(
        np.array([anchor[other_cones] for anchor in anchors]), [anchor[missing] for anchor in anchors]
    )
    lms_projection = np.eye(3)
    lms_projection[missing] = 0.0
    lms_projection[missing, other_cones] = weights
    return np.asarray(_RGB_FROM_LMS @ lms_projection @ LMS_FROM_RGB)


_WHITE_LMS: Final = LMS_FROM_RGB @ np.ones(3)
_BLUE_LMS: Final = LMS_FROM_RGB[:, 2]
PROTAN: Final = _projection_matrix(0, _WHITE_LMS, _BLUE_LMS)
DEUTAN: Final = _projection_matrix(1, _WHITE_LMS, _BLUE_LMS)
TRITAN: Final = tuple(_projection_matrix(2, _WHITE_LMS, _LMS_FROM_XYZ @ np.array(xyz)) for xyz in (_XYZ_485, _XYZ_660))
"""For lights on the side of 485 nm, and for those on the side of 660 nm."""


def simulate_vision(value: Floats, vision: Vision) -> Floats:
    """Return gamma-encoded sRGB colours, shape (..., 3), as seen with a kind of colour vision."""
    if vision == "normal":
        return value
    light = to_linear(value)
    if vision == "protan":
        seen_light = light @ PROTAN.T
    elif vision == "deutan":
        seen_light = light @ DEUTAN.T
    else:
        cones = light @ LMS_FROM_RGB.T
        is_bluish = cones[..., 0] * _WHITE_LMS[1] <= cones[..., 1] * _WHITE_LMS[0]
        seen_light = np.where(is_bluish[..., None], light @ TRITAN[0].T, light @ TRITAN[1].T)
    return to_encoded(seen_light)
