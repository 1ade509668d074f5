"""Reconstruction: the library against enumeration, bounds against the optimum, bad input."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats

from lib import reconstruction as rec
from lib.mechanisms import gaussian_delta
from lib.reconstruction import adaptive, bounds, chain, estimators
from tests.reference import reconstruction as reference

EXACT = 1e-9
QUADRATURE = 1e-5  # of a success: the grid over noisy counts
SAMPLED = 0.12  # of a success: four standard errors of 300 runs, at most
SIGMAS = (None, 0.05, 0.3, 1.0, 10.0)


def small(seed, n_locations=None, n_epochs=None):
    """A random chain, possibly sparse, with sensors and s: (chain, sensors, s)."""
    rng = np.random.default_rng(seed)
    m = n_locations or int(rng.integers(1, 6))
    n = n_epochs or int(rng.integers(1, 6 if m < 4 else 5))
    transition = rng.dirichlet(np.full(m, rng.choice([0.1, 1.0])), size=m)
    if rng.random() < 0.5:  # some ways are closed
        transition *= rng.random((m, m)) < 0.7
        transition[transition.sum(axis=1) == 0] = 1 / m
        transition /= transition.sum(axis=1, keepdims=True)
    initial = rng.dirichlet(np.ones(m))
    return rec.MarkovChain(initial, transition), rng.integers(0, m, n), int(rng.integers(0, n))


def enumerated(chain, n_epochs):
    return reference.trajectories(chain.initial.tolist(), chain.transition.tolist(), n_epochs)


# -- oracles ---------------------------------------------------------------------------------------

RANDOM = [(seed, None, None) for seed in range(12)]  # seed, n_locations, n_epochs


@pytest.mark.parametrize(("seed", "m", "n"), [*RANDOM, (12, 5, 5)])
def test_entropy_and_information_are_those_of_all_trajectories(seed, m, n):
    chain, sensors, _ = small(seed, m, n)
    ways = enumerated(chain, len(sensors))
    assert chain.entropy(len(sensors)) == pytest.approx(reference.entropy(ways.values()), abs=EXACT)
    pairwise = reference.pairwise_information(ways, sensors)
    exact = reference.information(ways, sensors)
    assert rec.mutual_information(chain, sensors) == pytest.approx(pairwise, abs=EXACT)
    found = rec.mutual_information(chain, sensors, information="exact")
    assert found == pytest.approx(exact, abs=EXACT)
    assert exact <= pairwise + EXACT
    for sigma in SIGMAS[1:]:
        found = rec.mutual_information(chain, sensors, sigma)
        assert found == pytest.approx(reference.eq4(ways, sensors, sigma), abs=EXACT)


@pytest.mark.parametrize(("seed", "m", "n"), [*RANDOM, (12, 4, 5)])
def test_each_estimator_guesses_and_succeeds_as_enumerated(seed, m, n):
    chain, sensors, s = small(seed, m, n)
    n, m = len(sensors), chain.n_locations
    ways = enumerated(chain, n)
    best = reference.map_estimates(ways, sensors)
    modes = reference.marginal_estimates(ways, sensors, m)
    for counts, way in best.items():
        here = np.array(counts)
        assert tuple(rec.viterbi_trajectory(chain, sensors, here)) == way
        assert tuple(rec.viterbi_trajectory(chain, sensors[None], here[None])[0]) == way
        assert tuple(rec.marginal_trajectory(chain, sensors, here)) == modes[counts]
        alone = rec.marginal_trajectory(chain, sensors[None], here[None])[0]
        assert tuple(alone) == modes[counts]
    prior = reference.prior_estimate(ways)
    assert tuple(rec.prior_trajectory(chain, n)) == prior
    expected = {
        "viterbi": reference.success(ways, s, lambda x: best[reference.counts(x, sensors)]),
        "marginal": reference.success(ways, s, lambda x: modes[reference.counts(x, sensors)]),
        "prior": reference.success(ways, s, lambda _: prior),
        "constant": reference.constant_success(ways, s, m, n),
    }
    for estimator, success in expected.items():
        found = rec.exact_loss(chain, sensors, s, estimator)
        assert found == pytest.approx(success, abs=EXACT), estimator
    optimum = reference.best_success(ways, sensors, s, m)
    assert rec.best_loss(chain, sensors, s) == pytest.approx(optimum, abs=EXACT)
    assert max(expected.values()) <= optimum + EXACT


@pytest.mark.parametrize(
    ("seed", "m", "n"), [*RANDOM, pytest.param(12, 5, 5, marks=pytest.mark.slow)]
)
def test_theorem_1_and_every_bound_are_as_enumerated(seed, m, n):
    chain, sensors, s = small(seed, m, n)
    n, m = len(sensors), chain.n_locations
    ways = enumerated(chain, n)
    terms = [reference.fixed_term(ways, n, free) for free in range(s + 1)]
    assert rec.ball_terms(chain, n, s) == pytest.approx(np.log(terms), abs=EXACT)
    ball = min(1.0, sum(math.comb(n, free) * term for free, term in enumerate(terms)))
    largest = reference.largest_ball(ways, s)
    assert largest - EXACT <= rec.moment_ball(chain, n, s) <= ball + EXACT
    if s == 0:
        assert ball == pytest.approx(largest, abs=EXACT)
    entropy = reference.entropy(ways.values())
    for sigma in SIGMAS:
        for kind in ("pairwise", "exact"):
            known = float(rec.mutual_information(chain, sensors, sigma, kind))
            loose = rec.loose_bound(chain, sensors, s, sigma, kind)
            if m > 1:
                expected = reference.loose_bound(entropy, known, m, n, s)
                assert loose == pytest.approx(expected, abs=EXACT)
            for form in ("printed", "kl"):
                tight = rec.tight_bound(chain, sensors, s, sigma, kind, form)
                assert tight == pytest.approx(reference.tight_bound(known, ball, form), abs=EXACT)


def test_two_steps_by_hand():
    # Half the time at 0; from there always to 1, and from 1 to 0 or 1 alike.
    chain = rec.MarkovChain([0.5, 0.5], [[0, 1], [0.5, 0.5]])
    assert chain.entropy(2) == pytest.approx(math.log(2) + 0.5 * math.log(2))
    assert rec.prior_trajectory(chain, 2).tolist() == [0, 1]
    seen = [[1, 0], [0, 0], [0, 1]]  # a sensor at 0, twice
    assert rec.viterbi_trajectory(chain, [0, 0], seen).tolist() == [[0, 1], [1, 1], [1, 0]]
    assert rec.exact_loss(chain, [0, 0], 0) == 1
    assert rec.mutual_information(chain, [0, 0], information="exact") == pytest.approx(
        1.5 * math.log(2)
    )


# -- properties ------------------------------------------------------------------------------------


def every_bound(chain, sensors, s, sigma):
    found = [rec.moment_bound(chain, sensors, s, sigma)]
    for kind in ("pairwise", "exact"):
        found.append(rec.loose_bound(chain, sensors, s, sigma, kind))
        for form in ("printed", "kl"):
            found.append(rec.tight_bound(chain, sensors, s, sigma, kind, form))
    return found


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_bound_is_below_the_best_that_anyone_can_do(seed):
    chain, sensors, s = small(seed)
    optimum = rec.best_loss(chain, sensors, s)
    if s == 0:
        assert rec.moment_bound(chain, sensors, 0) == pytest.approx(optimum, abs=EXACT)
    found = every_bound(chain, sensors, s, None)
    assert min(found) >= optimum - EXACT
    assert max(found) <= 1


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), n_epochs=st.integers(1, 2), sigma=st.sampled_from(SIGMAS[1:])
)
def test_nor_with_noise(seed, n_epochs, sigma):
    chain, sensors, s = small(seed, n_epochs=n_epochs)
    ways = enumerated(chain, n_epochs)
    optimum = reference.best_noisy_success(ways, sensors, s, chain.n_locations, sigma)
    assert min(every_bound(chain, sensors, s, sigma)) >= optimum - QUADRATURE


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), sigma=st.sampled_from(SIGMAS[1:]))
def test_nor_below_map_with_noise_in_more_steps(seed, sigma):
    chain, sensors, s = small(seed)
    rng = np.random.default_rng(seed)
    found = rec.monte_carlo_loss(chain, sensors, s, "viterbi", sigma, 300, rng=rng).loss
    assert min(every_bound(chain, sensors, s, sigma)) >= found - SAMPLED


@pytest.mark.parametrize("sigma", SIGMAS[1:])
def test_the_best_with_noise_is_maps_success_for_one_step(sigma):
    """The quadrature itself: for s = 0 MAP is the best, and one step has a closed form."""
    chain = rec.MarkovChain([0.7, 0.2, 0.1], np.full((3, 3), 1 / 3))
    found = reference.best_noisy_success(enumerated(chain, 1), [1], 0, 3, sigma)
    # she is guessed at 0 below the count where both are as likely, and at 1 above
    cut = 0.5 + sigma**2 * math.log(0.7 / 0.2)
    expected = 0.7 * stats.norm.cdf(cut / sigma) + 0.2 * stats.norm.sf((cut - 1) / sigma)
    assert found == pytest.approx(expected, abs=QUADRATURE)


def test_a_bound_that_ignored_the_counts_would_fall_below_the_optimum():
    """The property above can fail: without their information, the bounds are too low."""
    chain, sensors = rec.distance_chain(4, 0.2), np.array([0, 1, 2])
    optimum = rec.best_loss(chain, sensors, 0)
    ball = bounds.log_ball(chain, 3, 0)
    assert bounds.success_within(0.0, ball)[0] < optimum <= rec.tight_bound(chain, sensors, 0)


@settings(max_examples=20, deadline=None)
@example(seed=39617)  # a chance that rounding puts above 1
@given(seed=st.integers(0, 2**32 - 1))
def test_orders_that_always_hold(seed):
    chain, sensors, s = small(seed)
    printed, kl = (rec.tight_bound(chain, sensors, s, form=form) for form in ("printed", "kl"))
    assert kl <= printed + EXACT
    exact = rec.tight_bound(chain, sensors, s, information="exact", form="kl")
    assert exact <= kl + EXACT
    n = len(sensors)
    moments = rec.moment_bounds(chain, sensors)
    assert moments[s] == pytest.approx(rec.moment_bound(chain, sensors, s), abs=EXACT)
    assert (np.diff(moments) >= -EXACT).all()
    raw = rec.mutual_information(chain, sensors, information="exact")
    noisy = [rec.mutual_information(chain, sensors, sigma, "exact") for sigma in SIGMAS[1:]]
    assert all(b <= a + EXACT for a, b in zip([raw, *noisy], noisy, strict=False))
    modes = rec.exact_loss(chain, sensors, 0, "marginal")
    assert rec.exact_loss(chain, sensors, 0) >= modes - EXACT
    assert chain.entropy(n) >= raw - EXACT


@pytest.mark.parametrize("sigma", SIGMAS)
def test_simulation_agrees_with_what_is_exact(sigma):
    chain, sensors = rec.distance_chain(6, 0.15), np.array([0, 3, 3, 5, 1, 2])
    rng = np.random.default_rng(6)
    if sigma is None:
        for estimator in estimators.ESTIMATORS:
            found = rec.monte_carlo_loss(chain, sensors, 2, estimator, n_runs=20_000, rng=rng)
            exact = rec.exact_loss(chain, sensors, 2, estimator)
            assert abs(found.loss - exact) < 5 * math.sqrt(exact * (1 - exact) / found.n_runs)
            assert found.low < found.loss < found.high
    known = rec.monte_carlo_information(chain, sensors, 20_000, rng, sigma)
    width = known.high - known.low
    most = rec.mutual_information(chain, sensors, sigma, "exact")
    assert known.mean <= most + 2 * width
    if sigma in (None, 0.05):  # hardly any noise: nothing is lost
        assert abs(known.mean - most) < 2 * width


def test_noisy_runs_decode_alike_with_shared_and_with_own_sensors():
    rng = np.random.default_rng(7)
    chain = rec.MarkovChain.stationary(rng.dirichlet(np.ones(7), size=7))
    sensors = np.array([0, 3, 3, 5, 6, 2])
    truth = chain.sample(200, 6, rng)
    for sigma in SIGMAS:
        counts = rec.observe(truth, sensors, sigma, rng)
        own = np.tile(sensors, (200, 1))
        for decode in (rec.viterbi_trajectory, rec.marginal_trajectory):
            shared = decode(chain, sensors, counts, sigma)
            assert (shared == decode(chain, own, counts, sigma)).all()


def test_the_best_way_is_the_plain_listings_way():
    chain, sensors = rec.distance_chain(9, 0.1), np.array([0, 4, 4, 8, 1, 2, 2])
    truth = chain.sample(100, 7, np.random.default_rng(1))
    counts = rec.observe(truth, sensors)
    for seen, way in zip(counts, rec.viterbi_trajectory(chain, sensors, counts), strict=True):
        plain = reference.viterbi(chain.initial, chain.transition, sensors, seen)
        assert chain.log_probability(way) == pytest.approx(chain.log_probability(np.array(plain)))
        fast = reference.viterbi_arrays(chain.initial, chain.transition, sensors, seen)
        assert chain.log_probability(fast) == pytest.approx(chain.log_probability(way))


def test_theorem_1_is_the_plain_listing_at_a_size_that_cannot_be_enumerated():
    chain, n = rec.distance_chain(12, 0.1), 9
    powers = [None, *(np.log(np.linalg.matrix_power(chain.transition, k)) for k in range(1, n))]
    listing = reference.theorem1(chain.initial, powers, n)
    found = rec.ball_terms(chain, n, n - 1)
    assert found == pytest.approx([listing[n - free] for free in range(n)], abs=EXACT)


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("seed", range(6))
def test_places_that_nobody_reaches_change_nothing(seed, sigma):
    own, sensors, _ = small(seed, 3, 4)
    rng, places = np.random.default_rng(seed), np.array([1, 3, 4])  # of hers, among six
    initial, transition = np.zeros(6), rng.dirichlet(np.ones(6), size=6)
    initial[places], transition[places] = own.initial, 0.0
    transition[np.ix_(places, places)] = own.transition
    among = rec.MarkovChain(initial, transition)
    counts = rec.observe(own.sample(20, 4, rng), sensors, sigma, rng)
    for guess in (rec.viterbi_trajectory, rec.marginal_trajectory):
        found = guess(among, places[sensors], counts, sigma)
        assert (found == places[guess(own, sensors, counts, sigma)]).all()
    for s in range(4):
        for bound in BOUNDS:
            found = bound(among, places[sensors], s, sigma)
            if bound is not rec.loose_bound:  # which counts all places of the map
                assert found == pytest.approx(bound(own, sensors, s, sigma), abs=EXACT)
    never = np.array([0, places[1], 5, 2])  # only the second sensor can see her
    seen = rec.observe(among.sample(20, 4, rng), never)
    for row in seen:
        listed = reference.viterbi_arrays(initial, transition, never, row)
        found = rec.viterbi_trajectory(among, never, row)
        expected = among.log_probability(np.array(listed))
        assert among.log_probability(found) == pytest.approx(expected)


@pytest.mark.parametrize("slope", [-3.0, 0.0, 0.7, 5.0, 40.0, 2000.0])
def test_the_least_error_is_the_root_that_halving_finds(slope):
    def value(p, offset):
        return special.entr(p) + special.entr(1 - p) + slope * p + offset

    peak = special.expit(slope)
    top = value(peak, 0.0)
    offsets = -np.linspace(0.001, 0.999, 40) * top
    roots = [optimize.brentq(value, 0.0, peak, (each,), xtol=1e-15) for each in offsets]
    assert bounds._least_error(slope, offsets) == pytest.approx(roots, abs=1e-12)
    assert bounds._least_error(slope, np.array([0.0, 0.5, -2 * top])).tolist() == [0, 0, peak]


def test_large_maps_and_long_times_do_not_overflow():
    chain = rec.distance_chain(1000, 0.1)
    sensors = np.random.default_rng(0).integers(0, 1000, 50)
    loose = [rec.loose_bound(chain, sensors, s) for s in (0, 25, 49)]
    tight = [rec.tight_bound(chain, sensors, s) for s in (0, 1)]
    assert 0 < loose[0] <= loose[1] <= loose[2] <= 1
    assert 0 < tight[0] <= tight[1] < loose[0]


# -- beyond the paper ------------------------------------------------------------------------------


def test_the_exact_entropy_of_counts_is_that_of_all_sequences_for_more_epochs():
    chain, n = rec.distance_chain(30, 0.1), 10
    sensors = np.random.default_rng(3).integers(0, 30, n)
    total = 0.0
    for code in range(2**n):
        law = chain.initial
        for t in range(n):
            law = law @ chain.transition if t else law
            here = np.arange(30) == sensors[t]
            law = law * (here if code >> t & 1 else ~here)
        total += reference.entropy([law.sum()])
    found = rec.mutual_information(chain, sensors, information="exact")
    assert found == pytest.approx(total, abs=EXACT)


def test_greedy_sensors_learn_more_and_their_information_is_the_counts_entropy():
    chain, n = rec.distance_chain(10, 0.1), 5
    runs = rec.greedy_runs(chain, n, 4000, np.random.default_rng(5))
    fixed = np.random.default_rng(5).integers(0, 10, (200, n))
    assert runs.information.mean() > rec.mutual_information(chain, fixed).mean()
    codes, times = np.unique(runs.counts, axis=0, return_counts=True)
    plug_in = reference.entropy(times / times.sum())
    error = runs.information.std() / math.sqrt(4000)
    assert abs(plug_in - runs.information.mean()) < 5 * error + len(codes) / 4000
    for counts in codes:  # the sensors follow from the counts
        same = (runs.counts == counts).all(axis=1)
        assert len(np.unique(runs.sensors[same], axis=0)) == 1
    assert isinstance(rec.greedy_runs(chain, n, 10, np.random.default_rng(5), 1.0), adaptive.Runs)


# -- chains ----------------------------------------------------------------------------------------


def test_the_simulated_chain_is_the_papers():
    chain = rec.distance_chain(5, 0.1)
    weights = [[math.exp(-abs(j - i) / 0.5) for j in range(5)] for i in range(5)]
    for row, weight in zip(chain.transition, weights, strict=True):
        assert row == pytest.approx([w / sum(weight) for w in weight])
    assert chain.is_stationary
    assert rec.distance_chain(50, 10.0).spectral_gap > rec.distance_chain(50, 0.01).spectral_gap


def test_a_users_chain_by_hand():
    found = rec.MarkovChain.from_visits([2, 2, 0, 2, 0], 4)
    assert found.support.tolist() == [0, 2]
    assert found.transition[2] == pytest.approx([2 / 3, 0, 1 / 3, 0])
    assert found.transition[0] == pytest.approx([0, 0, 1, 0])
    assert found.initial == pytest.approx([0.4, 0, 0.6, 0])
    assert found.is_stationary
    assert found.spectral_gap == pytest.approx(1 - 2 / 3)


def test_a_chain_that_does_not_settle_is_smoothed_and_only_that():
    ends_new = rec.MarkovChain.from_visits([0, 1, 0, 1, 2], 4)  # 2 is never left
    assert ends_new.initial[2] > 0.999
    assert ends_new.is_stationary
    flips = rec.MarkovChain.from_visits([0, 1, 0, 1, 0], 2)  # period 2
    assert flips.initial == pytest.approx([0.5, 0.5])
    assert flips.spectral_gap < 1e-4
    stays = rec.MarkovChain.from_visits([3, 3, 3], 4)
    assert stays.initial[3] == 1
    assert math.isnan(stays.spectral_gap)
    added = rec.MarkovChain.from_visits([0, 1, 0, 1, 2], 4, pseudocount=1.0)
    assert added.transition[2, :3] == pytest.approx([1 / 3] * 3)


def test_samples_follow_the_chain():
    chain, _, _ = small(3, n_locations=3)
    runs = chain.sample(40_000, 3, np.random.default_rng(0))
    for t, law in enumerate(chain.marginals(3)):
        assert np.bincount(runs[:, t], minlength=3) / len(runs) == pytest.approx(law, abs=0.02)
    assert np.isfinite(chain.log_probability(runs)).all()


def test_the_lucky_constant_leaves_out_what_it_must():
    chain = rec.MarkovChain([0.6, 0.3, 0.1], np.tile([0.6, 0.3, 0.1], (3, 1)))
    assert rec.constant_trajectory(chain, 3, 1).tolist() == [0, 0, 0]
    assert rec.constant_trajectory(chain, 3, 1, excluded=[0]).tolist() == [1, 1, 1]


def test_the_dp_loss_grows_with_time_and_the_exact_one_delivers_its_delta():
    assert rec.dp_epsilon(None, 10, 1e-5) == math.inf
    printed = rec.dp_epsilon(2.0, 10, 1e-5)
    assert printed == pytest.approx(math.sqrt(2 * math.log(125_000) * 10) / 2)
    exact = rec.dp_epsilon(2.0, 10, 1e-5, "exact")
    assert gaussian_delta(exact, 2 / math.sqrt(10)) == pytest.approx(1e-5, rel=1e-3)


# -- bad input -------------------------------------------------------------------------------------

CHAIN = chain.distance_chain(4, 0.2)
SENSORS = np.array([0, 1, 2])
BOUNDS = (rec.loose_bound, rec.tight_bound, rec.moment_bound)


@pytest.mark.parametrize(
    ("initial", "transition", "said"),
    [
        ([0.5, 0.5], [[0.5, 0.4], [0.5, 0.5]], r"transition\[0\] sums to 0.9"),
        ([0.5, 0.6], [[0.5, 0.5], [0.5, 0.5]], "initial sums to 1.1"),
        ([0.5, 0.5], [[1.5, -0.5], [0.5, 0.5]], r"transition\[0, 1\] is -0.5"),
        ([0.5, math.nan], [[0.5, 0.5], [0.5, 0.5]], r"initial\[1\] is nan"),
        ([0.5, 0.5], [[0.5, math.inf], [0.5, 0.5]], r"transition\[0\] sums to inf"),
        ([1.0], [[0.5, 0.5], [0.5, 0.5]], r"\(n,\) and \(n, n\)"),
        ([0.5, 0.5], [0.5, 0.5], "transition has 1 dimensions"),
    ],
)
def test_what_is_no_chain_is_refused(initial, transition, said):
    with pytest.raises(ValueError, match=said):
        rec.MarkovChain(initial, transition)


def test_a_stationary_law_that_is_not_unique_or_not_settled_to_is_refused():
    with pytest.raises(ValueError, match="reducible: no way both to and from between locations 0"):
        rec.MarkovChain.stationary(np.eye(2))
    with pytest.raises(ValueError, match="periodic: it returns only every 2 steps"):
        rec.MarkovChain.stationary([[0, 1], [1, 0]])


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_refuse_what_makes_no_sense(bound):
    with pytest.raises(ValueError, match="allowed_errors is 3; a whole number from 0 to 2"):
        bound(CHAIN, SENSORS, 3)
    with pytest.raises(ValueError, match="allowed_errors is -1"):
        bound(CHAIN, SENSORS, -1)
    with pytest.raises(ValueError, match=r"sensors\[1\] is 4; a location from 0 to 3"):
        bound(CHAIN, [0, 4, 1], 1)
    for noise_std in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="noise_std is"):
            bound(CHAIN, SENSORS, 1, noise_std)


def test_the_rest_refuses_what_makes_no_sense():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="estimator is 'best'; one of viterbi"):
        rec.monte_carlo_loss(CHAIN, SENSORS, 1, "best", rng=rng)
    for estimator in ("viterbi", "marginal", "prior", "constant"):  # two of them use no counts
        with pytest.raises(ValueError, match="noise_std is 0"):
            rec.monte_carlo_loss(CHAIN, SENSORS, 1, estimator, 0.0, rng=rng)
        with pytest.raises(ValueError, match=r"sensors\[1\] is 9"):
            rec.monte_carlo_loss(CHAIN, [0, 9, 2], 1, estimator, rng=rng)
        with pytest.raises(ValueError, match="sensors has 2 rows; one for each of 5 runs"):
            rec.monte_carlo_loss(CHAIN, [SENSORS] * 2, 1, estimator, n_runs=5, rng=rng)
    with pytest.raises(ValueError, match="n_runs is 0"):
        rec.monte_carlo_loss(CHAIN, SENSORS, 1, n_runs=0, rng=rng)
    with pytest.raises(ValueError, match=r"sensors\[0\] is -1"):
        rec.monte_carlo_loss(CHAIN, [-1, 0, 0], 1, rng=rng)
    with pytest.raises(ValueError, match=r"counts\[0, 1\] is 2.0; 0 or 1"):
        rec.viterbi_trajectory(CHAIN, SENSORS, [0, 2, 0])
    with pytest.raises(ValueError, match="a finite number was expected"):
        rec.viterbi_trajectory(CHAIN, SENSORS, [0, math.nan, 0], 1.0)
    with pytest.raises(ValueError, match="information is 'all'"):
        rec.tight_bound(CHAIN, SENSORS, 1, information="all")
    with pytest.raises(ValueError, match="form is 'own'"):
        rec.tight_bound(CHAIN, SENSORS, 1, form="own")
    with pytest.raises(ValueError, match=r"make 1e\+08 cases; 1e\+07 at most"):
        rec.best_loss(chain.distance_chain(50, 0.1), np.zeros(4, int), 1)
    with pytest.raises(ValueError, match=r"visits\[1\] is 9"):
        rec.MarkovChain.from_visits([0, 9], 4)
    with pytest.raises(ValueError, match="tau is 0"):
        rec.distance_chain(4, 0)
    with pytest.raises(ValueError, match="delta is 2"):
        rec.dp_epsilon(1.0, 3, 2)


def test_counts_that_cannot_be_are_named():
    certain = rec.MarkovChain([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])
    for sensors in ([0, 0], [[0, 0], [0, 0]]):
        for decode in (rec.viterbi_trajectory, rec.marginal_trajectory):
            with pytest.raises(ValueError, match="counts of run 1 have probability 0"):
                decode(certain, sensors, [[1, 1], [0, 1]])


@pytest.mark.parametrize("decode", [rec.viterbi_trajectory, rec.marginal_trajectory])
@pytest.mark.parametrize("shape", [(1, 0), (0, 3)])
def test_runs_of_nothing_are_refused(decode, shape):
    chain = rec.distance_chain(3, 1.0)
    with pytest.raises(ValueError, match=r"a run and an epoch were expected"):
        decode(chain, np.zeros(shape, int), np.zeros(shape))


def test_one_run_and_many_with_the_same_sensors_are_decoded_alike():
    chain, rng = rec.distance_chain(6, 1.0), np.random.default_rng(3)
    sensors = rng.integers(0, 6, 9)
    counts = rec.observe(chain.sample(20, 9, rng), sensors, 0.5, rng)
    for decode in (rec.viterbi_trajectory, rec.marginal_trajectory):
        together = decode(chain, sensors, counts, 0.5)
        alone = [decode(chain, sensors, row, 0.5) for row in counts]
        assert np.array_equal(together, alone)
