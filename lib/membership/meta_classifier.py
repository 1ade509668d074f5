"""A network that learns to tell aggregates with the target from others, and networks built by hand.

One hidden layer of sigmoid nodes over the target's cells. Theorems 4 and 5 of the threshold paper
say which weights make such a network the one-threshold or the two-threshold rule; `concentration`
says of a learned one, in one number, which of the two its weights look like.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neural_network import MLPClassifier

from lib.membership.inputs import check_aggregates, check_fitted_aggregates, flatten_aggregates
from lib.validation import check_integer, format_value, validate_parameters, validated

LARGEST_LAYER = 2**30  # weights, 4 GB in single precision
ACTIVATIONS = {"logistic": special.expit, "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}
_HELD_OUT = 0.1  # share of the shadow aggregates kept for validation where none are given


class Network(NamedTuple):
    """One hidden layer, in units of its inputs.

    Parameters
    ----------
    weights : ndarray of float, shape (n_cells, n_nodes)
        Weights of the hidden nodes.
    biases : ndarray of float, shape (n_nodes,)
        Their biases.
    output : ndarray of float, shape (n_nodes,)
        Weights of the output.
    output_bias : float
        Its bias.
    activation : {"logistic", "tanh", "relu"}
        Activation of the hidden nodes.
    """

    weights: np.ndarray
    biases: np.ndarray
    output: np.ndarray
    output_bias: float
    activation: str = "logistic"

    def logit(self, inputs: np.ndarray) -> np.ndarray:
        """Compute the output before its sigmoid.

        Parameters
        ----------
        inputs : ndarray, shape (n, n_cells)
            Values of cells.

        Returns
        -------
        ndarray of float, shape (n,)
            0 or more for members.
        """
        hidden = ACTIVATIONS[self.activation](inputs @ self.weights + self.biases)
        return hidden @ self.output + self.output_bias

    def probability(self, inputs: np.ndarray) -> np.ndarray:
        """Compute the probability of membership.

        Parameters
        ----------
        inputs : ndarray, shape (n, n_cells)
            Values of cells.

        Returns
        -------
        ndarray of float, shape (n,)
            Probabilities.
        """
        return special.expit(self.logit(inputs))


# -- by hand ---------------------------------------------------------------------------------------


@validated
def one_threshold_network(n: int, threshold: float, a: float, b: float) -> Network:
    """Build the network that approaches the one-threshold rule.

    It computes sigma(b sigma(a (sum x - T)) - b/2), which is near the step at T for large a and b.

    Parameters
    ----------
    n : int
        Number of cells.
    threshold : float
        Threshold of the sum, T.
    a, b : float
        Steepness of the hidden node and of the output.

    Returns
    -------
    Network
        The network.

    References
    ----------
    Threshold paper, Theorem 4, with the hidden node's sigmoid that Eq. 12 omits and bias -aT.
    """
    return Network(np.full((n, 1), float(a)), np.array([-a * threshold]), np.array([b]), -b / 2)


@validated
def two_threshold_network(thresholds: np.ndarray, threshold: int, a: float, b: float) -> Network:
    """Build the network that approaches the two-threshold rule.

    It computes sigma(b (sum_j sigma(a (x_j - T_j)) - T + 1/2)): one node per cell, near the step at
    a
    whole T.

    Parameters
    ----------
    thresholds : ndarray of float, shape (n_cells,)
        Thresholds of the cells, T_j.
    threshold : int
        Threshold of their number, T.
    a, b : float
        Steepness of the hidden nodes and of the output.

    Returns
    -------
    Network
        The network.

    References
    ----------
    Threshold paper, Theorem 5, corrected: one input per node, and a bias from T instead of n/2.
    """
    thresholds = np.asarray(thresholds, float)
    n = len(thresholds)
    return Network(a * np.eye(n), -a * thresholds, np.full(n, float(b)), -b * (threshold - 0.5))


# -- learned ---------------------------------------------------------------------------------------


class MetaClassifier(ClassifierMixin, BaseEstimator):
    """A multi-layer perceptron with one hidden layer, trained on shadow aggregates.

    It is trained with Adam at 0.001 in batches of 200, on cross-entropy and standardised inputs, in
    single precision. The paper states none of these.

    Parameters
    ----------
    cells : ndarray of int or bool, optional
        Positions or a mask of the cells that the target visits; by default all.
    hidden : int, optional
        Hidden nodes; by default the number of cells (Fig. 11b). Fig. 1 and App. G have 100.
    activation : {"logistic", "tanh", "relu"}
        Activation of the hidden nodes ("logistic" is the theory's); the output is always a sigmoid.
    max_epochs : int
        Most passes over the shadow aggregates.
    patience : int
        Passes without a lower validation loss after which training stops; the weights of the lowest
        loss are kept.
    random_state : int
        Seed of weights and order.

    Attributes
    ----------
    network_ : Network
        The network, in units of its inputs.
    epochs_ : int
        Passes made.
    losses_ : list of float
        Validation loss after each pass.
    n_features_in_ : int
        Number of cells of the aggregates.

    References
    ----------
    Threshold paper, Sec. 2.3.3 and 5.1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> members = np.repeat([1, 0], 200)
    >>> aggregates = rng.laplace(scale=2.0, size=(400, 30)) + members[:, None]
    >>> attack = MetaClassifier(hidden=2, max_epochs=20).fit(aggregates, members)
    >>> attack.network_.weights.shape
    (30, 2)
    """

    def __init__(
        self,
        cells: np.ndarray | None = None,
        hidden: int | None = None,
        activation: str = "logistic",
        max_epochs: int = 100,
        patience: int = 10,
        random_state: int = 0,
    ):
        self.cells = cells
        self.hidden = hidden
        self.activation = activation
        self.max_epochs = max_epochs
        self.patience = patience
        self.random_state = random_state

    @validated
    def fit(
        self,
        aggregates: np.ndarray,
        members: np.ndarray,
        validation: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Self:
        """Train the network.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Shadow aggregates.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.
        validation : tuple of (aggregates, members), optional
            Aggregates of other users, for early stopping; by default a tenth of the rows.

        Returns
        -------
        MetaClassifier
            The fitted attack.

        Raises
        ------
        ValueError
            If a parameter is out of range, or as `inputs.check_aggregates`.
        """
        self._check()
        values, members = check_aggregates(aggregates, self.cells, members), np.asarray(members)
        if validation is None:
            held = _tenth(members, self.random_state)
            values, members, *held_out = values[~held], members[~held], values[held], members[held]
        else:
            held_out = [check_aggregates(validation[0], self.cells, validation[1]), validation[1]]
        mean, spread = values.mean(axis=0), values.std(axis=0)
        spread[spread == 0] = 1

        def scaled(part: np.ndarray) -> np.ndarray:
            return ((part - mean) / spread).astype(np.float32)

        best = self._train(scaled(values), members, scaled(held_out[0]), np.asarray(held_out[1]))
        weights = best.weights / spread[:, None]
        self.network_ = best._replace(weights=weights, biases=best.biases - mean @ weights)
        self.n_features_in_ = flatten_aggregates(aggregates).shape[1]
        self.classes_ = np.array([0, 1])
        return self

    def _check(self) -> None:
        validate_parameters(self)
        if self.activation not in ACTIVATIONS:
            raise ValueError(
                f"activation is {format_value(self.activation)}; one of {', '.join(ACTIVATIONS)}"
            )
        check_integer("random_state", self.random_state)
        for name in ("hidden", "max_epochs", "patience"):
            value = getattr(self, name)
            if not (name == "hidden" and value is None) and value < 1:
                raise ValueError(f"{name} is {value}; at least 1 was expected")

    def _train(
        self, values: np.ndarray, members: np.ndarray, held: np.ndarray, held_members: np.ndarray
    ) -> Network:
        """The network with the lowest validation loss, on standardised inputs."""
        n_cells, hidden = values.shape[1], self.hidden or values.shape[1]
        if n_cells * hidden > LARGEST_LAYER:
            raise ValueError(
                f"a network with {n_cells:,} cells and {hidden:,} hidden nodes is too large: give "
                "the target's cells as cells=, or fewer nodes as hidden="
            )
        model = MLPClassifier(
            (hidden,),
            activation=self.activation,
            alpha=0,
            batch_size=min(200, len(values)),
            random_state=self.random_state,
        )
        self.losses_: list[float] = []
        sign = np.where(held_members == 1, -1, 1)
        best = None
        while len(self.losses_) < self.max_epochs:
            model.partial_fit(values, members, classes=[0, 1])
            network = _network(model, self.activation)
            loss = float(np.logaddexp(0, sign * network.logit(held)).mean())
            if loss < min(self.losses_, default=np.inf):
                best = network
            self.losses_.append(loss)
            if len(self.losses_) - int(np.argmin(self.losses_)) > self.patience:
                break
        assert best is not None
        self.epochs_ = len(self.losses_)
        return best

    @validated
    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Compute the network's logit.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            0 or more for members.
        """
        values = check_fitted_aggregates(self, aggregates, self.cells)
        return self.network_.logit(values)

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """Decide on membership.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of {0, 1}, shape (n,)
            1 where the logit is 0 or more.
        """
        return (self.decision_function(aggregates) >= 0).astype(int)


def _network(model: MLPClassifier, activation: str) -> Network:
    """A copy of scikit-learn's weights: it goes on changing its own."""
    (weights, output), (biases, bias) = model.coefs_, model.intercepts_
    return Network(weights.copy(), biases.copy(), output[:, 0].copy(), float(bias[0]), activation)


def _tenth(members: np.ndarray, random_state: int) -> np.ndarray:
    """A mask of a tenth of each class, at least one row of each; the rest has some left as well."""
    rng = np.random.default_rng(random_state)
    held = np.zeros(len(members), bool)
    for member in (0, 1):
        rows = np.flatnonzero(members == member)
        if len(rows) < 2:
            raise ValueError(
                f"members has {len(rows)} row of {member}: one to learn from and one to stop by"
            )
        held[rng.choice(rows, max(1, round(_HELD_OUT * len(rows))), replace=False)] = True
    return held


# -- which rule was learned ------------------------------------------------------------------------


def importance(network: Network) -> np.ndarray:
    """Compute the importance of each hidden node: |output weight| times the length of its weights.

    Saturated or idle sigmoid nodes have weights too; they count by what they pass on.

    Parameters
    ----------
    network : Network
        The network.

    Returns
    -------
    ndarray of float, shape (n_nodes,)
        Importances, which sum to 1.
    """
    size = np.abs(network.output) * np.linalg.norm(network.weights, axis=0)
    return size / size.sum()


def concentration(network: Network) -> float:
    """Measure which rule the weights resemble, from the sum of all cells to one cell per node.

    It is the share of a node's squared weights that its largest one holds, averaged over nodes by
    `importance`. It does not depend on the order of nodes. Random normal weights over 60 cells have
    about 0.1, the largest of 60 squares.

    Parameters
    ----------
    network : Network
        The network.

    Returns
    -------
    float
        From 1 / n_cells (each node sums all cells) to 1 (each node reads one cell).
    """
    squares = network.weights**2
    return float(importance(network) @ (squares.max(axis=0) / squares.sum(axis=0)))


def alignment(network: Network) -> float:
    """Measure the resemblance to the sum rule: |cosine| of a node's weights with (1, ..., 1).

    Parameters
    ----------
    network : Network
        The network.

    Returns
    -------
    float
        1 if every node sums all cells alike, 1 / sqrt(n_cells) if each reads one; averaged over
        nodes
        by `importance`.
    """
    cosine = np.abs(network.weights.sum(axis=0)) / np.linalg.norm(network.weights, axis=0)
    return float(importance(network) @ cosine / np.sqrt(len(network.weights)))


def opposite_biases(network: Network) -> float:
    """Compute the share of nodes whose bias has the opposite sign of their largest weight.

    Parameters
    ----------
    network : Network
        The network.

    Returns
    -------
    float
        The share, weighted by `importance`.
    """
    largest = np.take_along_axis(
        network.weights, np.abs(network.weights).argmax(axis=0)[None], axis=0
    )[0]
    return float(importance(network) @ (np.sign(network.biases) == -np.sign(largest)))
