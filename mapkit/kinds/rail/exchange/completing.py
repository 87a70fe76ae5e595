"""What an edited file lacks is taken from the board that it was exported from.

Other programs keep layers, and drop what they do not know: tables without shapes, foreign members, extended data. They
write coordinates with fewer digits, or quantized. With the board at hand neither is a change.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature
from mapkit.kinds.rail.exchange.gis.layers import Layer, layers_of
from mapkit.kinds.rail.exchange.parts import Line, take_apart
from mapkit.kinds.rail.model.board import Board

STILL_DEG: Final = 1e-6
"""Vertices that are nearer than this to where they were did not move: ten centimetres, the last digit that web maps
write."""

Layers = Mapping[str, Sequence[LayerFeature]]


def completed(
    layers: Layers, rest: Mapping[str, Any], base: Board | None, *, still_deg: float = STILL_DEG
) -> tuple[dict[str, Sequence[LayerFeature]], dict[str, Any]]:
    """Return layers and rest of a file with what it lacks from the board that it was exported from.

    A layer without any feature is the board's own; so is each missing value of a feature that the board has, and each
    missing key of the rest. Points and lines that are where they were, except for rounding, are so to the last digit.

    Args:
        layers: As for `mapkit.kinds.rail.exchange.gis.layer_reading.board_of`.
        rest: Likewise.
        base: The board; None leaves all as it is.
        still_deg: How far off a vertex may be and still be where it was, degrees.
    """
    if base is None:
        return dict(layers), dict(rest)
    parts = take_apart(base)
    out: dict[str, Sequence[LayerFeature]] = dict(layers)
    for layer in layers_of(base, parts):
        own = list(_own(layer))
        found = out.get(layer.name)
        out[layer.name] = _filled(found, own, still_deg) if found else own
    return out, {**parts.rest, **{key: value for key, value in rest.items() if value is not None}}


def _own(layer: Layer) -> list[LayerFeature]:
    out = []
    for number, (row, shape) in enumerate(layer.features(), 1):
        line: Line | None = (shape,) if layer.kind == "Point" else shape if layer.kind == "LineString" else None
        out.append(LayerFeature(f"{layer.name} {number} of the board", row, line))
    return out


def _filled(found: Sequence[LayerFeature], own: Sequence[LayerFeature], still_deg: float) -> list[LayerFeature]:
    known = {feature.row["id"]: feature for feature in own}
    out = []
    for feature in found:
        was = known.get(str(feature.row.get("id")))
        if was is None:
            out.append(feature)
            continue
        row = {**was.row, **{key: value for key, value in feature.row.items() if value is not None}}
        here = was.line is not None and feature.line is not None and _same(feature.line, was.line, still_deg)
        out.append(LayerFeature(feature.where, row, was.line if here else feature.line))
    return out


def _same(line: Line, other: Line, still_deg: float) -> bool:
    return len(line) == len(other) and all(
        abs(p - q) < still_deg for one, two in zip(line, other, strict=True) for p, q in zip(one, two, strict=True)
    )
