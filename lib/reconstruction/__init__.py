"""How much can be learned about a trajectory from counts? Markov chains, estimators, bounds.

One sensor is on in each epoch, and its count is published. The attacker knows where all other users
are, and the target's Markov chain, so each count reveals one bit, "was the target there?", exactly
or with noise. Logarithms are natural; locations, sensors and epochs count from 0.
Source: Koga, Meehan and Chaudhuri, Measuring Privacy Loss in Distributed Spatio-Temporal Data.
"""

from lib.reconstruction.adaptive import greedy_runs
from lib.reconstruction.bounds import ball_terms, dp_epsilon, loose_bound, tight_bound
from lib.reconstruction.chain import MarkovChain, distance_chain
from lib.reconstruction.estimators import (
    best_loss,
    constant_trajectory,
    exact_loss,
    guess_loss,
    marginal_trajectory,
    monte_carlo_loss,
    prior_trajectory,
    viterbi_trajectory,
)
from lib.reconstruction.hypothesis import gaussian_power, hypothesis_bound, laplace_power
from lib.reconstruction.information import monte_carlo_information, mutual_information
from lib.reconstruction.moments import moment_ball, moment_bound, moment_bounds
from lib.reconstruction.sensed import SensedChain, observe

__all__ = [
    "MarkovChain",
    "SensedChain",
    "ball_terms",
    "best_loss",
    "constant_trajectory",
    "distance_chain",
    "dp_epsilon",
    "exact_loss",
    "gaussian_power",
    "greedy_runs",
    "guess_loss",
    "hypothesis_bound",
    "laplace_power",
    "loose_bound",
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
    "viterbi_trajectory",
]
