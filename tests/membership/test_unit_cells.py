"""Accuracy of the informed attacker on unit cells: closed form, simulation, published values."""

import numpy as np
import pytest
from scipy import stats

from lib.mechanisms import Gaussian, Laplace, Round
from lib.membership.unit_cells import informed_accuracy

TRIPS = Laplace(0.66)  # scale 1 / 0.66


@pytest.mark.parametrize("epsilon", [0.1, 0.66, 2.0])
def test_one_cell_has_the_closed_form(epsilon):
    assert informed_accuracy(Laplace(epsilon), 1) == pytest.approx(
        1 - np.exp(-epsilon / 2) / 2, abs=1e-4
    )


def test_two_cells_by_integration():
    step = 0.01
    x = np.arange(-12, 13, step) + step / 2
    with_target, without = (stats.laplace.pdf(x - here) for here in (1, 0))
    error = np.minimum(np.outer(with_target, with_target), np.outer(without, without)).sum() / 2
    assert informed_accuracy(Laplace(1.0), 2) == pytest.approx(1 - error * step**2, abs=1e-3)


@pytest.mark.parametrize("k", [2, 8, 32])
def test_the_likelihood_ratio_has_this_accuracy_in_simulation(k):
    rng = np.random.default_rng(k)
    noise = rng.laplace(scale=1 / 0.66, size=(100_000, k))

    def says_member(x):  # rounded: many sums are 0, and their last digits must not decide
        ratio = np.round((np.abs(x) - np.abs(x - 1)).sum(axis=1), 9)
        return (np.sign(ratio).mean() + 1) / 2

    right = (says_member(noise + 1) + 1 - says_member(noise)) / 2
    assert informed_accuracy(TRIPS, k) == pytest.approx(right, abs=0.004)


@pytest.mark.parametrize(("k", "accuracy"), [(8, 0.794), (16, 0.885), (32, 0.955)])
def test_numbers_of_trips_known_from_elsewhere(k, accuracy):
    assert informed_accuracy(TRIPS, k) == pytest.approx(accuracy, abs=0.01)


def test_houssiau_et_al_publish_95_4_percent_for_32_trips():
    assert informed_accuracy(TRIPS, 32) == pytest.approx(0.954, abs=0.002)


def test_gaussian_noise_has_its_closed_form():
    noise = Gaussian(1.0, 1e-5)
    k, sigma = 12, noise.scale
    expected = stats.norm.cdf(np.sqrt(k) / (2 * sigma))
    assert informed_accuracy(noise, k) == pytest.approx(expected, abs=1e-4)


def test_accuracy_grows_from_guessing_to_certainty():
    found = [informed_accuracy(TRIPS, k) for k in (0, 1, 2, 5, 20, 100, 1000)]
    assert found[0] == 0.5
    assert (np.diff(found) > 0).all()
    assert found[-1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("mechanism", "k", "message"),
    [(TRIPS, -1, "n_cells is -1"), (TRIPS, 10**6, "at most 100000"), (Round(5), 3, "Laplace")],
)
def test_wrong_arguments_are_named(mechanism, k, message):
    with pytest.raises(ValueError, match=message):
        informed_accuracy(mechanism, k)
