"""Knock-Knock: seven statistics a ROI, feature elimination, and one of four classifiers.

Source: KK, Sec. IV to VI; the faster solvers are ours, and give scikit-learn's results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from lib import metrics
from lib.membership.features import extract
from lib.membership.game import Task
from lib.membership.inputs import flatten_aggregates
from lib.membership.selection import eliminate, fit_logistic
from lib.validation import check_integer, format_value, validate_parameters, validated

CLASSIFIERS = ("LR", "kNN", "RF", "MLP")
_STEP = 0.1  # share of the features that a round of RFE drops
_SHUFFLES = 200  # of the test's labels, for the floor under BEST


class RidgeLogistic(ClassifierMixin, BaseEstimator):
    """Logistic regression with an L2 penalty, solved to its optimum.

    It gives the optimum of scikit-learn's LogisticRegression(solver="liblinear"), which needs
    thousands
    of passes over raw counts to come as close, and is fast for few rows.
    """

    def fit(self, features: np.ndarray, members: np.ndarray) -> RidgeLogistic:
        """Fit the model.

        Parameters
        ----------
        features : ndarray, shape (n, d)
            Features.
        members : ndarray of {0, 1}, shape (n,)
            Labels, both present.

        Returns
        -------
        RidgeLogistic
            The fitted model.
        """
        self.classes_ = np.array([0, 1])
        self.coef_, self.intercept_ = fit_logistic(features, members)
        return self

    def decision_function(self, features: np.ndarray) -> np.ndarray:
        """Compute the margin.

        Parameters
        ----------
        features : ndarray, shape (n, d)
            Features.

        Returns
        -------
        ndarray of float, shape (n,)
            Positive for members.
        """
        return features @ self.coef_ + self.intercept_

    def predict(self, features: np.ndarray) -> np.ndarray:
        """Decide on membership.

        Parameters
        ----------
        features : ndarray, shape (n, d)
            Features.

        Returns
        -------
        ndarray of {0, 1}, shape (n,)
            1 where the margin is positive.
        """
        return (self.decision_function(features) > 0).astype(int)


class SinglePrecisionMLP(MLPClassifier):
    """MLPClassifier of scikit-learn, trained in single precision in half the time.

    It scores in double precision, in which fewer probabilities round to 1 and tie.
    """

    def fit(self, features: np.ndarray, members: np.ndarray) -> SinglePrecisionMLP:
        """Fit the network.

        Parameters
        ----------
        features : ndarray, shape (n, d)
            Features.
        members : ndarray of {0, 1}, shape (n,)
            Labels.

        Returns
        -------
        SinglePrecisionMLP
            The fitted network.
        """
        super().fit(features.astype(np.float32), members)
        for name in ("coefs_", "intercepts_"):
            setattr(self, name, [weights.astype(float) for weights in getattr(self, name)])
        return self


class DistinctRankings(TransformerMixin, BaseEstimator):
    """Select one of each set of columns that rank the rows alike, ties included.

    A tree splits by rank, so such columns offer the same splits: a ROI's sum and mean, variance and
    standard deviation, and all constant columns.
    """

    def fit(self, features: np.ndarray, members: np.ndarray | None = None) -> DistinctRankings:
        """Find the columns to keep.

        Parameters
        ----------
        features : ndarray, shape (n, d)
            Features.
        members : None
            Ignored.

        Returns
        -------
        DistinctRankings
            The fitted transformer.
        """
        ranks = stats.rankdata(features, method="dense", axis=0).astype(np.int32)
        first: dict[bytes, int] = {}
        for column in range(ranks.shape[1]):
            first.setdefault(ranks[:, column].tobytes(), column)
        self.columns_ = np.array(list(first.values()))
        return self

    def transform(self, features: np.ndarray) -> np.ndarray:
        """Select the columns.

        Parameters
        ----------
        features : ndarray, shape (n, d)
            Features.

        Returns
        -------
        ndarray, shape (n, n_kept)
            The kept columns.
        """
        return features[:, self.columns_]


@validated
def make_classifier(name: str, random_state: int) -> Any:
    """Make one of the paper's four classifiers, not fitted.

    LR is solved to its optimum and the MLP's number of iterations is raised so that both converge.
    Only
    the MLP gets standardised features, in single precision.

    Parameters
    ----------
    name : {"LR", "kNN", "RF", "MLP"}
        The classifier.
    random_state : int
        Seed of RF and MLP.

    Returns
    -------
    estimator
        A scikit-learn classifier.

    Raises
    ------
    ValueError
        If the name is unknown.

    References
    ----------
    KK, Sec. V-B.
    """
    if name == "LR":
        return RidgeLogistic()
    if name == "kNN":
        return KNeighborsClassifier(n_neighbors=5)
    if name == "RF":
        forest = RandomForestClassifier(30, max_features=None, random_state=random_state)
        return make_pipeline(DistinctRankings(), forest)
    if name == "MLP":
        network = SinglePrecisionMLP((200,), max_iter=2_000, random_state=random_state)
        return make_pipeline(StandardScaler(), network)
    raise ValueError(f"classifier is {format_value(name)}; one of {', '.join(CLASSIFIERS)}")


class KnockKnock(ClassifierMixin, BaseEstimator):
    """The supervised attack of KK: statistics of each ROI, feature elimination, a classifier.

    Parameters
    ----------
    n_rois, n_epochs : int, optional
        How a row of cells folds: cell = roi * n_epochs + epoch. Needed for flat aggregates only.
    classifier : {"LR", "kNN", "RF", "MLP"}
        Classifier on the selected features.
    n_features : int, optional
        Features that recursive feature elimination keeps (the paper: the number of training and
        test rows together); by default the number of training rows.
    step : float
        Share (below 1) or number of features that each round of elimination drops.
    random_state : int
        Seed of RF and MLP.

    Attributes
    ----------
    support_ : ndarray of bool, shape (7 * n_rois,)
        The selected features.
    model_ : estimator
        The fitted classifier.
    n_features_in_ : int
        Number of cells.

    References
    ----------
    KK, Sec. V-B.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> members = np.repeat([1, 0], 20)
    >>> counts = rng.poisson(3.0, (40, 2, 4)) + 5 * members[:, None, None]
    >>> KnockKnock(classifier='LR').fit(counts, members).score(counts, members)
    1.0
    """

    def __init__(
        self,
        n_rois: int | None = None,
        n_epochs: int | None = None,
        classifier: str = "RF",
        n_features: int | None = None,
        step: float = _STEP,
        random_state: int = 0,
    ):
        self.n_rois = n_rois
        self.n_epochs = n_epochs
        self.classifier = classifier
        self.n_features = n_features
        self.step = step
        self.random_state = random_state

    @validated
    def fit(self, aggregates: np.ndarray, members: np.ndarray) -> KnockKnock:
        """Learn from labelled aggregates.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.
        members : ndarray of {0, 1}, shape (n,)
            1 for aggregates that contain the target.

        Returns
        -------
        KnockKnock
            The fitted attack.

        Raises
        ------
        ValueError
            If the classifier is unknown, cells do not fold, values are not finite, or members are
            not 0 and 1, both present.
        """
        validate_parameters(self)
        for name in ("n_rois", "n_epochs", "random_state"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), name != "random_state")
        model = make_classifier(self.classifier, self.random_state)
        features, members = self._features(aggregates), np.asarray(members)
        n_features = len(features) if self.n_features is None else self.n_features
        self.support_ = eliminate(features, members, n_features, self.step)
        self.model_ = model.fit(features[:, self.support_], members)
        self.classes_ = self.model_.classes_
        self.n_features_in_ = math.prod(aggregates.shape[1:])
        return self

    @validated
    def decision_function(self, aggregates: np.ndarray) -> np.ndarray:
        """Score released aggregates.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of float, shape (n,)
            The margin of LR; the probability of membership of the other classifiers.
        """
        return _scores(self.model_, self._selected(aggregates))

    @validated
    def predict(self, aggregates: np.ndarray) -> np.ndarray:
        """Decide on membership, as the classifier does.

        Parameters
        ----------
        aggregates : ndarray, shape (n, n_rois, n_epochs) or (n, n_cells)
            Released counts.

        Returns
        -------
        ndarray of {0, 1}, shape (n,)
            1 for members.
        """
        return self.model_.predict(self._selected(aggregates))

    def _selected(self, aggregates: np.ndarray) -> np.ndarray:
        check_is_fitted(self, "model_")
        if math.prod(aggregates.shape[1:]) != self.n_features_in_:
            raise ValueError(
                f"aggregates are {aggregates.shape}; {self.n_features_in_} cells were fitted"
            )
        return self._features(aggregates)[:, self.support_]

    def _features(self, aggregates: np.ndarray) -> np.ndarray:
        shape = aggregates.shape[1:] if aggregates.ndim == 3 else (None, None)
        n_rois, n_epochs = self.n_rois or shape[0], self.n_epochs or shape[1]
        if n_rois is None or n_epochs is None:
            raise ValueError(
                f"aggregates are {aggregates.shape}; (n, n_rois, n_epochs) was expected, or "
                "(n, n_cells) with n_rois and n_epochs given"
            )
        flat = flatten_aggregates(aggregates)
        if flat.ndim != 2 or flat.shape[1] != n_rois * n_epochs:
            raise ValueError(
                f"aggregates are {aggregates.shape}; {n_rois} ROIs x {n_epochs} epochs "
                f"ask (n, {n_rois * n_epochs})"
            )
        return extract(flat.reshape(-1, n_rois, n_epochs))


def _scores(model: Any, features: np.ndarray) -> np.ndarray:
    if hasattr(model, "decision_function"):
        return model.decision_function(features)
    return model.predict_proba(features)[:, 1]


# -- several classifiers on one task -------------------------------------------------------------


@validated
def score_classifiers(
    task: Task,
    rng: np.random.Generator,
    classifiers: Sequence[str] = CLASSIFIERS,
    step: float = _STEP,
) -> dict[str, np.ndarray]:
    """Fit every classifier on a task's training aggregates and score its test aggregates.

    Features and their elimination are shared. Scores are those of
    KnockKnock(n_features=task.n_samples) with the seed drawn from `rng`.

    Parameters
    ----------
    task : Task
        The game.
    rng : numpy.random.Generator
        Source of the seed.
    classifiers : sequence of str
        Names, as `make_classifier` takes them.
    step : float
        Share or number of features to drop in each round of elimination.

    Returns
    -------
    dict of str to ndarray, shape (n_test,)
        Scores of each classifier.
    """
    train, test = extract(task.train), extract(task.test)
    seed = int(rng.integers(2**31))
    return _fit_all(train, task.train_members, test, task.n_samples, classifiers, step, seed)


def _fit_all(
    train: np.ndarray,
    members: np.ndarray,
    test: np.ndarray,
    n_features: int,
    classifiers: Sequence[str],
    step: float,
    seed: int,
) -> dict[str, np.ndarray]:
    models = {name: make_classifier(name, seed) for name in classifiers}
    support = eliminate(train, members, n_features, step)
    train, test = train[:, support], test[:, support]
    return {name: _scores(model.fit(train, members), test) for name, model in models.items()}


@validated
def best_classifier(members: np.ndarray, scores: dict[str, np.ndarray]) -> tuple[str, float]:
    """Find BEST: the classifier with the highest AUC on the test, and that AUC.

    BEST is an oracle and biased upwards, as the maximum of several noisy AUCs. `permuted_best_aucs`
    gives its chance level; `cross_validate_aucs` is a choice that an attacker can make.

    Parameters
    ----------
    members : ndarray of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : dict of str to ndarray, shape (n,)
        Scores of each classifier.

    Returns
    -------
    name : str
        The best classifier.
    auc : float
        Its AUC.

    References
    ----------
    KK, Sec. VI-A.
    """
    aucs = {name: metrics.auc(members, values) for name, values in scores.items()}
    name = max(aucs, key=lambda each: aucs[each])
    return name, aucs[name]


@validated
def classifier_aucs(
    task: Task, rng: np.random.Generator, classifiers: Sequence[str] = CLASSIFIERS
) -> dict[str, float]:
    """Compute each classifier's AUC on a task.

    Parameters
    ----------
    task : Task
        The game.
    rng : numpy.random.Generator
        Source of randomness.
    classifiers : sequence of str
        Names, as `make_classifier` takes them.

    Returns
    -------
    dict of str to float
        AUCs. With several classifiers also "BEST", the highest on the test itself, and "BEST,
        labels
        shuffled", its chance level.

    References
    ----------
    KK, Sec. VI-A.
    """
    scores = score_classifiers(task, rng, classifiers)
    found = {name: metrics.auc(task.test_members, values) for name, values in scores.items()}
    if len(scores) > 1:
        floor = permuted_best_aucs(task.test_members, scores, rng, _SHUFFLES).mean()
        found |= {
            "BEST": best_classifier(task.test_members, scores)[1],
            "BEST, labels shuffled": float(floor),
        }
    return found


@validated
def permuted_best_aucs(
    members: np.ndarray,
    scores: dict[str, np.ndarray],
    rng: np.random.Generator,
    n_permutations: int = 1000,
) -> np.ndarray:
    """Compute the null distribution of BEST by permuting the labels of the test.

    Parameters
    ----------
    members : ndarray of {0, 1}, shape (n,)
        1 for aggregates that contain the target.
    scores : dict of str to ndarray, shape (n,)
        Scores of each classifier.
    rng : numpy.random.Generator
        Source of randomness.
    n_permutations : int
        Number of permutations.

    Returns
    -------
    ndarray of float, shape (n_permutations,)
        Highest AUC of each permutation. All classifiers share it, so that their dependence is kept.
    """
    check_integer("n_permutations", n_permutations, 1)
    for values in scores.values():
        metrics.auc(members, values)  # refuses what cannot be scored
    members = np.asarray(members)
    ranks = np.stack([stats.rankdata(values) for values in scores.values()], axis=1)
    shuffled = rng.permuted(np.tile(members, (n_permutations, 1)), axis=1)
    n_in = int(members.sum())
    above = shuffled @ ranks - n_in * (n_in + 1) / 2
    return above.max(axis=1) / (n_in * (len(members) - n_in))


@validated
def cross_validate_aucs(
    task: Task,
    rng: np.random.Generator,
    classifiers: Sequence[str] = CLASSIFIERS,
    step: float = _STEP,
    n_folds: int = 5,
) -> dict[str, float]:
    """Cross-validate each classifier's AUC on the training rows.

    This is how an attacker can choose a classifier. Rows of one unit (`Task.train_units`) stay in
    one
    fold, and features are eliminated on the other folds only.

    Parameters
    ----------
    task : Task
        The game.
    rng : numpy.random.Generator
        Source of randomness.
    classifiers : sequence of str
        Names, as `make_classifier` takes them.
    step : float
        Share or number of features to drop in each round of elimination.
    n_folds : int
        Number of folds; fewer if there are fewer units.

    Returns
    -------
    dict of str to float
        Mean AUCs over folds.

    Raises
    ------
    ValueError
        If there is a single unit, or a class has fewer rows than there are folds.
    """
    features, members, units = extract(task.train), task.train_members, task.train_units
    n_folds = min(n_folds, len(np.unique(units)))
    if n_folds < 2:
        raise ValueError(f"{len(np.unique(units))} unit of training rows: folds need at least 2")
    fewest = int(min((members == 1).sum(), (members == 0).sum()))
    if n_folds > fewest:
        raise ValueError(f"n_folds is {n_folds}; the rarer class has {fewest} training rows")
    seed = int(rng.integers(2**31))
    found: dict[str, list[float]] = {name: [] for name in classifiers}
    folds = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    for kept, held in folds.split(features, members, units):
        scores = _fit_all(
            features[kept], members[kept], features[held], task.n_samples, classifiers, step, seed
        )
        for name, values in scores.items():
            found[name].append(metrics.auc(members[held], values))
    return {name: float(np.mean(aucs)) for name, aucs in found.items()}
