"""The forest against scikit-learn's: the same trees, and so the same probabilities, to the bit."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from lib.membership.forest import ExhaustiveForest

RNG = np.random.default_rng(11)
MEMBERS = np.repeat([0, 1], 40)
FEATURES = {
    "no two values alike": RNG.normal(size=(80, 12)) + 0.5 * MEMBERS[:, None],
    "counts, which tie": RNG.poisson(1.0, (80, 12)),
    "columns that split alike": np.repeat(RNG.poisson(2.0, (80, 4)), 3, axis=1),
    "constant columns": RNG.poisson(0.05, (80, 12)),
    "values next to one another": 1 + 4e-8 * RNG.integers(0, 9, (80, 12)),
    "no column tells anything": np.ones((80, 12)),
    "negative and large": 1e30 * RNG.normal(size=(80, 12)),
}


def both(features, members, **settings):
    theirs = RandomForestClassifier(max_features=None, **settings).fit(features, members)
    return theirs, ExhaustiveForest(**settings).fit(features, members)


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES.keys())
@pytest.mark.parametrize("random_state", [0, 7])
def test_it_is_scikit_learns_forest_tree_for_tree(features, random_state):
    theirs, ours = both(features, MEMBERS, n_estimators=15, random_state=random_state)
    for estimator, (split, threshold, _, shares) in zip(
        theirs.estimators_, ours.trees_, strict=True
    ):
        tree = estimator.tree_
        inner = tree.feature >= 0
        np.testing.assert_array_equal(split >= 0, inner)
        np.testing.assert_array_equal(split[inner], tree.feature[inner])
        np.testing.assert_array_equal(threshold[inner], tree.threshold[inner])
        np.testing.assert_array_equal(shares, tree.value[:, 0])
    unseen = np.random.default_rng(5).permuted(features, axis=0)
    np.testing.assert_array_equal(ours.predict_proba(unseen), theirs.predict_proba(unseen))
    np.testing.assert_array_equal(ours.predict(unseen), theirs.predict(unseen))


def test_one_row_of_each_kind_is_enough():
    features, members = np.array([[0.0], [1.0]]), np.array([0, 1])
    theirs, ours = both(features, members, n_estimators=30, random_state=2)
    np.testing.assert_array_equal(ours.predict_proba(features), theirs.predict_proba(features))


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e39])
def test_what_single_precision_cannot_hold_is_refused(value):
    features = np.ones((80, 2))
    features[3, 1] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        ExhaustiveForest().fit(features, MEMBERS)
    forest = ExhaustiveForest().fit(np.ones((80, 2)), MEMBERS)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        forest.predict(features)
