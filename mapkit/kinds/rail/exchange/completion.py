"""Completion of an edited file from the board that it was exported from.

Other programs keep layers, but drop unknown parts: tables without shapes, foreign members, extended data. They write
coordinates with fewer digits, or quantized. Neither counts as a change if the original board is at hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mapkit.kinds.rail.exchange.board_parts import Line, board_to_parts
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature
from mapkit.kinds.rail.exchange.gis.layers import Layer, board_to_layers
from mapkit.kinds.rail.model.board import Board

STILL_DEG: Final = 1e-6
"""Vertices that are nearer than this to where they were did not move: ten centimetres, the last digit that web maps
write."""

Layers = Mapping[str, Sequence[LayerFeature]]


def complete_layers(
    layers: Layers, rest: Mapping[str, Any], base: Board | None, *, still_deg: float = STILL_DEG
) -> tuple[dict[str, Sequence[LayerFeature]], dict[str, Any]]:
    """Return the layers and the rest of a file, completed from the board that it was exported from.

    The board supplies each layer without features, each missing value of a feature that it has, and each missing key
    of the rest. Points and lines that moved by no more than rounding get the coordinates of the board back.

    Args:
        layers: As for `mapkit.kinds.rail.exchange.gis.layer_reading.board_from_layers`.
        rest: Keys of the board beside the layers, as for the same function.
        base: The board; None completes nothing.
        still_deg: Largest difference in degrees at which a vertex counts as not moved.
    """
    if base is None:
        return dict(layers), dict(rest)
    base_parts = board_to_parts(base)
    completed_layers: dict[str, Sequence[LayerFeature]] = dict(layers)
    for layer in board_to_layers(base, base_parts):
        base_features = list(_list_base_features(layer))
        file_features = completed_layers.get(layer.name)
        completed_layers[layer.name] = (
            _complete_features(file_features, base_features, still_deg) if file_features else base_features
        )
    return completed_layers, {**base_parts.rest, **{key: value for key, value in rest.items() if value is not None}}


def _list_base_features(layer: Layer) -> list[LayerFeature]:
    base_features = []
    for row_number, (row, shape) in enumerate(layer.features(), 1):
        line: Line | None = (shape,) if layer.kind == "Point" else shape if layer.kind == "LineString" else None
        base_features.append(LayerFeature(f"{layer.name} {row_number} of the board", row, line))
    return base_features


def _complete_features(
    file_features: Sequence[LayerFeature], base_features: Sequence[LayerFeature], still_deg: float
) -> list[LayerFeature]:
    base_by_id = {feature.row["id"]: feature for feature in base_features}
    complete_features = []
    for feature in file_features:
        base_feature = base_by_id.get(str(feature.row.get("id")))
        if base_feature is None:
            complete_features.append(feature)
            continue
        complete_row = {**base_feature.row, **{key: value for key, value in feature.row.items() if value is not None}}
        is_unmoved = (
            base_feature.line is not None
            and feature.line is not None
            and _is_same_line(feature.line, base_feature.line, still_deg)
        )
        complete_features.append(
            LayerFeature(feature.where, complete_row, base_feature.line if is_unmoved else feature.line)
        )
    return complete_features


def _is_same_line(line: Line, other_line: Line, still_deg: float) -> bool:
    return len(line) == len(other_line) and all(
        abs(p - q) < still_deg
        for first_point, second_point in zip(line, other_line, strict=True)
        for p, q in zip(first_point, second_point, strict=True)
    )
