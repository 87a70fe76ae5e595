"""Step sizes and bounds of policy weights, and the file of a policy that was improved by play."""

import json
from collections.abc import Sequence
from typing import Final

from annotated_types import Ge, Le

from mapkit.kinds.rail.playing.policies import SHIPPED, WEIGHTS, Policy, shipped_policy

_STEP_SHARE: Final = 0.3
"""Of a weight, or of the largest among the shipped policies: how far a step leads."""
_UNSCALED: Final = ("random", "tuned")
"""Policies that set no scale: chance, and the result of a search, which must be found again."""
_FIXED_WEIGHTS: Final = frozenset({"noise", "buys", "declare", "to_bank", "centre"})
"""Weights that are chance, or a choice of yes and no."""


def step_sizes(policy: Policy) -> list[float]:
    """Return the step size of each weight; 0 keeps it fixed."""
    known_weights = [policy.weights(), *(shipped_policy(name).weights() for name in SHIPPED if name not in _UNSCALED)]
    largest_values = [max(map(abs, values)) for values in zip(*known_weights, strict=True)]
    is_fixed = [weight.partition(".")[2] in _FIXED_WEIGHTS for weight in WEIGHTS]
    return [
        0.0 if is_kept else _STEP_SHARE * largest_value
        for is_kept, largest_value in zip(is_fixed, largest_values, strict=True)
    ]


def weight_bounds() -> tuple[list[float], list[float]]:
    """Return the lower and upper bound of each weight."""
    lower_bounds, upper_bounds = [], []
    for group, name in (weight.split(".") for weight in WEIGHTS):
        field = type(Policy.model_fields[group].default).model_fields[name]
        lower_bounds.append(max((float(str(m.ge)) for m in field.metadata if isinstance(m, Ge)), default=-1e6))
        upper_bounds.append(min((float(str(m.le)) for m in field.metadata if isinstance(m, Le)), default=1e6))
    return lower_bounds, upper_bounds


def policy_text(about: str, weights: Sequence[float]) -> str:
    """Return the TOML file of a policy with these weights."""
    toml_lines = [f"about = {json.dumps(about)}"]
    current_group = ""
    for weight, value in zip(WEIGHTS, weights, strict=True):
        weight_group, _, name = weight.partition(".")
        if weight_group != current_group:
            current_group = weight_group
            toml_lines += ["", f"[{current_group}]"]
        toml_lines.append(f"{name} = {value:g}")
    return "\n".join(toml_lines) + "\n"
