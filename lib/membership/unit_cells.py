"""How well the informed attacker recognises a person who adds 1 to each of k noisy counts.

This attacker knows everybody else, so that each cell holds noise alone or noise plus 1. With one
cell for each trip of a person, it is the attack model of Houssiau et al. 2022 on aggregated trips.
"""

from __future__ import annotations

from lib.mechanisms import Mechanism
from lib.membership.score_distributions import NO_OTHERS, convolved_distribution, log_ratio
from lib.validation import check_integer, validated

_MOST_CELLS = 100_000


@validated
def informed_accuracy(mechanism: Mechanism, n_cells: int) -> float:
    """Compute the largest accuracy of any attack on one person in k unit cells, by convolution.

    The likelihood ratio is the best attack. Its distribution with and without the person is that
    of a sum over independent cells. With one cell and Laplace noise of scale b, the accuracy is
    1 - exp(-1 / (2 b)) / 2.

    Parameters
    ----------
    mechanism : Laplace or Gaussian
        The noise.
    n_cells : int
        Number of cells to which the person adds 1, 0 to 100,000.

    Returns
    -------
    float
        Accuracy on balanced classes, in [0.5, 1].

    Raises
    ------
    ValueError
        If the mechanism is not additive noise, or `n_cells` is not a whole number from 0 to
        100,000.

    References
    ----------
    Houssiau, Rocher and de Montjoye 2022, Nature Communications 13:29.

    Examples
    --------
    >>> from lib.mechanisms import Laplace
    >>> round(informed_accuracy(Laplace(0.66), 32), 3)
    0.955
    """
    n_cells = check_integer("n_cells", n_cells)
    if n_cells > _MOST_CELLS:
        raise ValueError(f"n_cells is {n_cells}; at most {_MOST_CELLS} cells were expected")
    if not n_cells:
        return 0.5
    distribution = convolved_distribution(mechanism, [NO_OTHERS] * n_cells, log_ratio)
    return min(distribution.accuracy(), 1.0)
