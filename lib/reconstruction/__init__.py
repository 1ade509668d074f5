"""How much of a person's way can anyone learn from counts? Markov chains, estimators, bounds.

One sensor is on in each epoch and its count is published. The attacker knows everybody else's
whereabouts and the target's Markov chain, so each count tells her one bit, "was the target there?",
exactly or with noise. Logarithms are natural; locations, sensors and epochs count from 0.
Source: Koga, Meehan and Chaudhuri, Measuring Privacy Loss in Distributed Spatio-Temporal Data.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "MarkovChain": "chain",
    "distance_chain": "chain",
    "SensedChain": "sensed",
    "observe": "sensed",
    "map_trajectory": "estimators",
    "marginal_trajectory": "estimators",
    "prior_trajectory": "estimators",
    "constant_trajectory": "estimators",
    "monte_carlo_loss": "estimators",
    "exact_loss": "estimators",
    "guess_loss": "estimators",
    "best_loss": "estimators",
    "mutual_information": "information",
    "monte_carlo_information": "information",
    "loose_bound": "bounds",
    "tight_bound": "bounds",
    "ball_terms": "bounds",
    "dp_epsilon": "bounds",
    "moment_bound": "moments",
    "moment_bounds": "moments",
    "moment_ball": "moments",
    "greedy_runs": "adaptive",
}  # which module a name lives in


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module 'lib.reconstruction' has no attribute {name!r}")
