"""How much of a person's way can anyone learn from counts? Markov chains, estimators, bounds.

One sensor is on in each epoch and its count is published. The attacker knows everybody else's
whereabouts and the target's Markov chain, so each count tells her one bit, "was the target there?",
exactly or with noise. Logarithms are natural; locations, sensors and epochs count from 0.
Source: Koga, Meehan and Chaudhuri, Measuring Privacy Loss in Distributed Spatio-Temporal Data.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what editors and type checkers see
    from lib.reconstruction.adaptive import greedy_runs
    from lib.reconstruction.bounds import ball_terms, dp_epsilon, loose_bound, tight_bound
    from lib.reconstruction.chain import MarkovChain, distance_chain
    from lib.reconstruction.estimators import (
        best_loss,
        constant_trajectory,
        exact_loss,
        guess_loss,
        map_trajectory,
        marginal_trajectory,
        monte_carlo_loss,
        prior_trajectory,
    )
    from lib.reconstruction.information import monte_carlo_information, mutual_information
    from lib.reconstruction.moments import moment_ball, moment_bound, moment_bounds
    from lib.reconstruction.sensed import SensedChain, observe

_HOME = {  # which module a name lives in
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
}
__all__ = [
    "MarkovChain",
    "SensedChain",
    "ball_terms",
    "best_loss",
    "constant_trajectory",
    "distance_chain",
    "dp_epsilon",
    "exact_loss",
    "greedy_runs",
    "guess_loss",
    "loose_bound",
    "map_trajectory",
    "marginal_trajectory",
    "moment_ball",
    "moment_bound",
    "moment_bounds",
    "monte_carlo_information",
    "monte_carlo_loss",
    "mutual_information",
    "observe",
    "prior_trajectory",
    "tight_bound",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
