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

ACTIVATIONS = {"logistic": special.expit, "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}
_HELD_OUT = 0.1  # share of the shadow aggregates kept for validation where none are given


class Network(NamedTuple):
    """One hidden layer, in units of its inputs.

    weights  (cells, nodes)     biases  (nodes,)
    output   (nodes,)           output_bias
    """

    weights: np.ndarray
    biases: np.ndarray
    output: np.ndarray
    output_bias: float
    activation: str = "logistic"

    def logit(self, inputs: np.ndarray) -> np.ndarray:
        """(n, cells) -> (n,): a member where 0 or more."""
        hidden = ACTIVATIONS[self.activation](inputs @ self.weights + self.biases)
        return hidden @ self.output + self.output_bias

    def probability(self, inputs: np.ndarray) -> np.ndarray:
        """(n, cells) -> (n,) in (0, 1)."""
        return special.expit(self.logit(inputs))


# -- by hand ---------------------------------------------------------------------------------------


@validated
def one_threshold_network(n: int, threshold: float, a: float, b: float) -> Network:
    """sigma(b sigma(a (sum x - T)) - b/2): near the step at T for large a and b.

    Source: Theorem 4, with the hidden node's sigmoid that Eq. 12 leaves out and bias -aT.
    """
    return Network(np.full((n, 1), float(a)), np.array([-a * threshold]), np.array([b]), -b / 2)


@validated
def two_threshold_network(thresholds: np.ndarray, threshold: int, a: float, b: float) -> Network:
    """sigma(b (sum_j sigma(a (x_j - T_j)) - T + 1/2)): a node a cell, near the step at whole T.

    Source: Theorem 5 as it must be meant: one input a node, and a bias from T instead of n/2.

    thresholds  (cells,), T_j of each
    """
    thresholds = np.asarray(thresholds, float)
    n = len(thresholds)
    return Network(a * np.eye(n), -a * thresholds, np.full(n, float(b)), -b * (threshold - 0.5))


# -- learned ---------------------------------------------------------------------------------------


class MetaClassifier(ClassifierMixin, BaseEstimator):
    """A multi-layer perceptron with one hidden layer, trained on shadow aggregates.

    cells         columns (positions or a mask) that the target visits; by default all
    hidden        hidden nodes; None for as many as cells (Fig. 11b); Fig. 1 and App. G have 100
    activation    logistic (the theory's), tanh or relu; the output is always a sigmoid
    max_epochs    passes over the shadow aggregates at most
    patience      passes without a lower validation loss after which it stops; the weights of the
                  lowest are kept
    random_state  seed of weights and order

    Adam at 0.001 in batches of 200, cross-entropy, standardised inputs, single precision. The paper
    states none of these. Fitted: network_ (in units of the inputs), epochs_ (passes made), losses_
    (validation loss after each).
    Source: threshold paper, Sec. 2.3.3, 5.1. Fitting raises ValueError for hidden, max_epochs or
    patience below 1, an unknown activation, and what `check_aggregates` refuses.

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
        """aggregates (n, cells), members (n,) 0 or 1.

        validation  the same pair from other users, to stop by; by default a tenth of the rows
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
        model = MLPClassifier(
            (self.hidden or values.shape[1],),
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
        """The network's logit (n,): a member where 0 or more."""
        values = check_fitted_aggregates(self, aggregates, self.cells)
        return self.network_.logit(values)

    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """0 or 1 (n,): a member where the logit is 0 or more."""
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
    """How much each hidden node counts: |output weight| times the length of its weights; sums to 1.

    Sigmoid nodes that are saturated or idle have weights too; they count by what they pass on.
    """
    size = np.abs(network.output) * np.linalg.norm(network.weights, axis=0)
    return size / size.sum()


def concentration(network: Network) -> float:
    """Which rule the weights look like, from 1/cells (each node sums all) to 1 (one cell a node).

    The share of a node's squared weights that its largest one holds, averaged over nodes by
    `importance`. It does not depend on the order of nodes. Random normal weights over 60 cells
    have about 0.1: the largest of 60 squares.
    """
    squares = network.weights**2
    return float(importance(network) @ (squares.max(axis=0) / squares.sum(axis=0)))


def alignment(network: Network) -> float:
    """The same question asked of the sum rule: |cosine| of a node's weights with (1, ..., 1).

    1 if every node sums all cells alike, 1/sqrt(cells) if each reads one; averaged as above.
    """
    cosine = np.abs(network.weights.sum(axis=0)) / np.linalg.norm(network.weights, axis=0)
    return float(importance(network) @ cosine / np.sqrt(len(network.weights)))


def opposite_biases(network: Network) -> float:
    """The share of nodes, by `importance`, whose bias has not the sign of their largest weight."""
    largest = np.take_along_axis(
        network.weights, np.abs(network.weights).argmax(axis=0)[None], axis=0
    )[0]
    return float(importance(network) @ (np.sign(network.biases) == -np.sign(largest)))
