"""How far each weight of a policy may be changed, and the file of a policy that was improved by play."""

import json
from collections.abc import Sequence
from typing import Final

from annotated_types import Ge, Le

from mapkit.kinds.rail.playing.policies import SHIPPED, WEIGHTS, Policy, shipped_policy

_PART: Final = 0.3
"""Of a weight, or of the largest among the shipped policies: how far a step leads."""
_FIXED: Final = frozenset({"noise", "buys", "declare", "to_bank", "centre"})
"""Weights that are chance, or a choice of yes and no."""


def scales(policy: Policy) -> list[float]:
    """Return how far a step leads, for each weight; 0 keeps it."""
    known = [policy.weights(), *(shipped_policy(name).weights() for name in SHIPPED if name != "random")]
    largest = [max(map(abs, values)) for values in zip(*known, strict=True)]
    fixed = [weight.partition(".")[2] in _FIXED for weight in WEIGHTS]
    return [0.0 if keep else _PART * most for keep, most in zip(fixed, largest, strict=True)]


def bounds() -> tuple[list[float], list[float]]:
    """Return the least and the most that each weight may be."""
    least, most = [], []
    for group, name in (weight.split(".") for weight in WEIGHTS):
        field = type(Policy.model_fields[group].default).model_fields[name]
        least.append(max((float(str(m.ge)) for m in field.metadata if isinstance(m, Ge)), default=-1e6))
        most.append(min((float(str(m.le)) for m in field.metadata if isinstance(m, Le)), default=1e6))
    return least, most


def policy_text(about: str, weights: Sequence[float]) -> str:
    """Return the TOML file of a policy with these weights."""
    lines = [f"about = {json.dumps(about)}"]
    group = ""
    for weight, value in zip(WEIGHTS, weights, strict=True):
        named, _, name = weight.partition(".")
        if named != group:
            group = named
            lines += ["", f"[{group}]"]
        lines.append(f"{name} = {value:g}")
    return "\n".join(lines) + "\n"
