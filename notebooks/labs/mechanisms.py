# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lab 3: Mechanisms, and what their labels mean
#
# *82 minutes, eight steps. Read first: [Knock-Knock, under noise](../../book/knock_knock_defenses.ipynb).*
#
# A release comes with a label: *Gaussian noise, ε = 10, δ = 0.1*. You compute what the label should say, what the noise really delivers, and whom it protects. At the end
# you get a box whose label you do not trust, and measure what it spends.
#
# Write where `...` stands. The cell below each answer checks it; hidden tests ask the same of other inputs. Steps do not build on your earlier answers.

# %%
import numpy as np
from lib.datasets import load

six = load("six-users")
tails = load("flights-by-tail").select(epochs=slice(0, 168))
print(tails)

# %% [raw]
# # BEGIN QUESTION
# name: cut
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 1: cut a trace (6 minutes)
#
# A person has as many visits as she has; a promise about persons needs a number that is fixed beforehand. Write `cut(trace, most, rng)`: a *new* trace with at most `most` visits, those that stay drawn at random.

# %% [raw]
# # BEGIN SOLUTION


# %%
def cut(trace, most, rng):
    """A copy of a 0/1 trace in which at most `most` ones are left, a random choice."""
    # BEGIN SOLUTION
    found = np.argwhere(trace == 1)
    stay = rng.permutation(len(found))[:most]
    made = np.zeros_like(trace)
    made[tuple(found[stay].T)] = 1
    return made
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Ada has eight visits, of which three stay, at places where she was. Who has fewer visits than allowed keeps all of them.
"""  # END TEST CONFIG


def test_cut_ada(cut, six):
    import numpy as np

    trace = six.trace("Ada")
    made = cut(trace, 3, np.random.default_rng(1))
    assert made.sum() == 3 and (made <= trace).all()
    assert (cut(trace, 20, np.random.default_rng(1)) == trace).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The trace that was given stays as it is. Each visit has the same chance to stay, the last as well as the first.
"""  # END TEST CONFIG


def test_cut_fair(cut, six):
    import numpy as np

    trace = six.trace("Ada")
    before = trace.copy()
    rng = np.random.default_rng(2)
    often = sum(cut(trace, 2, rng) for _ in range(2000))[trace == 1] / 2000
    assert (trace == before).all()
    assert abs(often - 0.25).max() < 0.05


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: change
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 2: by how much do counts change? (10 minutes)
#
# Write `most_change(traces, p, swap)`: by how much the counts of a group can change at most, added up over all cells, in the norm $L_p$ with $p$ = 1 or 2. If `swap` is false, somebody joins or leaves, and the counts change by her trace. If it is true, somebody takes another's place,
# and they change by the difference of the two traces. Take the worst case among the users in the data.

# %% [raw]
# # BEGIN SOLUTION


# %%
def most_change(traces, p, swap):
    """The largest L_p change of counts when a user joins, or when one takes another's place."""
    # BEGIN SOLUTION
    all_traces = [traces.trace(user).ravel() for user in traces.users]
    others = all_traces if swap else [np.zeros_like(all_traces[0])]
    return max(
        (np.abs(a - b) ** p).sum() ** (1 / p) for a in all_traces for b in others
    )
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: The busiest of the six has 8 visits, so joining changes counts by 8 in L1, and by the root of 8 in L2.
"""  # END TEST CONFIG


def test_change_join(most_change, six):
    assert abs(most_change(six, 1, False) - 8) < 1e-9
    assert abs(most_change(six, 2, False) - 8**0.5) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: If one takes another's place, cells that both visit do not change, and the others change by 1 in one direction or the other. Look at all pairs.
"""  # END TEST CONFIG


def test_change_swap(most_change, six):
    some = six.select(users=["Ada", "Ben", "Cleo"])
    assert most_change(some, 1, True) == 8
    assert abs(most_change(some, 2, True) - 8**0.5) < 1e-9
    pair = six.select(users=["Ada", "Ben"])
    assert most_change(pair, 1, True) == 0
    assert most_change(six, 1, True) == 14


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: sigma
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: the noise that the label asks for (8 minutes)
#
# Gaussian noise as Knock-Knock prints it has the standard deviation $\sqrt{2 \ln (2/\delta)}\, \Delta_2 / \varepsilon$. Write `sigma(epsilon, delta, visits)` for the unit "one person who joins or leaves, with at most `visits` visits". What is
# $\Delta_2$ of such a person? (She adds 0 or 1 to each cell.)

# %% [raw]
# # BEGIN SOLUTION


# %%
def sigma(epsilon, delta, visits):
    """The standard deviation of the printed Gaussian mechanism for a person."""
    return np.sqrt(2 * np.log(2 / delta)) * np.sqrt(visits) / epsilon  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: For one visit, an epsilon of 1 and a delta of 0.1 the standard deviation is 2.448.
"""  # END TEST CONFIG


def test_sigma_visit(sigma):
    assert abs(sigma(1.0, 0.1, 1) - 2.4477) < 1e-3


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Four times as many visits need twice the noise, since L2 takes the root. Half of epsilon needs twice the noise, and a smaller delta needs more.
"""  # END TEST CONFIG


def test_sigma_person(sigma):
    import numpy as np

    assert abs(sigma(1.0, 0.1, 100) - 24.477) < 1e-2
    assert abs(sigma(0.5, 0.1, 4) - 4 * sigma(1.0, 0.1, 1)) < 1e-9
    assert abs(sigma(2.0, 0.01, 9) - 3 * np.sqrt(2 * np.log(200)) / 2) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: delivered
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 4: what the noise delivers (12 minutes)
#
# What Gaussian noise really delivers is known exactly. With $r = \sigma / \Delta_2$ it is $(\varepsilon, \delta)$-DP for
# $\delta(\varepsilon) = \Phi\bigl(\tfrac{1}{2r} - \varepsilon r\bigr) - e^{\varepsilon}\, \Phi\bigl(-\tfrac{1}{2r} - \varepsilon r\bigr)$, where Φ is the normal distribution function (`scipy.stats.norm.cdf`).
#
# Write `delivered(epsilon, sigma, change)`, the δ for neighbours whose counts differ by `change` in L2, and `honest(epsilon, delta, sigma, change)`: whether a label (ε, δ) is true.

# %% [raw]
# # BEGIN SOLUTION


# %%
def delivered(epsilon, sigma, change):
    """The exact delta at epsilon of Gaussian noise of deviation sigma."""
    # BEGIN SOLUTION
    from scipy.stats import norm

    r = sigma / change
    near = norm.cdf(1 / (2 * r) - epsilon * r)
    return near - np.exp(epsilon) * norm.cdf(-1 / (2 * r) - epsilon * r)
    # END SOLUTION


def honest(epsilon, delta, sigma, change):
    """Whether the noise is (epsilon, delta)-DP for neighbours that differ by change."""
    return delivered(epsilon, sigma, change) <= delta  # SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Noise of deviation 1 for a change of 1 delivers a delta of 0.1269 at an epsilon of 1.
"""  # END TEST CONFIG


def test_delivered_one(delivered):
    assert abs(delivered(1.0, 1.0, 1.0) - 0.12694) < 1e-4


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The printed constant is not proved above an epsilon of 1. At 10 and 0.1 the label is not true, at 1 and 0.1 it is. Where a user takes another's place, the change is larger by the root of 2.
"""  # END TEST CONFIG


def test_delivered_labels(delivered, honest):
    import numpy as np

    constant = np.sqrt(2 * np.log(20))
    assert not honest(10.0, 0.1, constant / 10, 1.0)
    assert honest(1.0, 0.1, constant, 1.0)
    assert abs(delivered(10.0, constant / 10, 1.0) - 0.2646) < 2e-3
    assert abs(delivered(0.5, 3.0, 1.5) - delivered(0.5, 2.0, 1.0)) < 1e-9
    assert bool(honest(0.9, 0.5, 1.0, 1.0)) is True


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: fourier
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 5: forget the details (8 minutes)
#
# FPA keeps the first κ Fourier coefficients of a place's series, adds noise to them, and forgets the others. Here without noise: write `smooth(counts, kappa)`: each series (the last axis) from its first κ coefficients.
# `scipy.fft.rfft` and `irfft`, with `norm="ortho"`, go there and back; `irfft` needs the length of the series.

# %% [raw]
# # BEGIN SOLUTION


# %%
def smooth(counts, kappa):
    """Each series along the last axis, rebuilt from its first kappa real-DFT coefficients."""
    # BEGIN SOLUTION
    from scipy import fft

    kept = fft.rfft(counts, norm="ortho")[..., :kappa]
    return fft.irfft(kept, np.shape(counts)[-1], norm="ortho")
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: With one coefficient each series is its mean. With all of them it is what it was.
"""  # END TEST CONFIG


def test_fourier_ends(smooth):
    import numpy as np

    counts = np.array([[1.0, 2, 3, 6], [0, 0, 4, 0]])
    assert np.allclose(smooth(counts, 1), [[3, 3, 3, 3], [1, 1, 1, 1]])
    assert np.allclose(smooth(counts, 3), counts)


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A series of odd length comes back with its own length. The coefficients that are kept are the first ones, not the largest.
"""  # END TEST CONFIG


def test_fourier_odd(smooth):
    import numpy as np

    hours = np.arange(9)
    slow, fast = np.cos(2 * np.pi * hours / 9), 5 * np.cos(2 * np.pi * 4 * hours / 9)
    found = smooth(np.array([slow + fast]), 2)
    assert found.shape == (1, 9) and np.allclose(found[0], slow)


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: spent
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 6: who spends how much? (12 minutes)
#
# Under FPA each kept coefficient gets Laplace noise of one `scale`, on its real and on its imaginary part. When a user with this `trace` joins, the kept coefficients of *every* place change by those of her series. So she spends $\varepsilon$ = (absolute changes of all real and imaginary parts,
# added up over coefficients and places) / scale. Write `spent(trace, kappa, scale)`.

# %% [raw]
# # BEGIN SOLUTION


# %%
def spent(trace, kappa, scale):
    """The epsilon that one user's trace (places x hours) costs under FPA, all places together."""
    # BEGIN SOLUTION
    from scipy import fft

    kept = fft.rfft(trace, norm="ortho", axis=1)[:, :kappa]
    return (np.abs(kept.real) + np.abs(kept.imag)).sum() / scale
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Someone who is in one place all the time changes one coefficient only, by the root of the number of hours.
"""  # END TEST CONFIG


def test_spent_always_there(spent):
    import numpy as np

    trace = np.zeros((3, 16), int)
    trace[1] = 1
    assert abs(spent(trace, 5, 2.0) - 2.0) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Two places cost twice as much as one with the same hours. Real and imaginary parts have noise of their own, so add their absolute values, and not the length of the complex number.
"""  # END TEST CONFIG


def test_spent_aircraft(spent):
    import numpy as np
    from lib.mechanisms import FourierPerturbation

    noise = FourierPerturbation(epsilon=1.0, kappa=20, sensitivity=5.0)
    trace = np.zeros((4, 168), int)
    trace[0, 3] = trace[0, 50] = trace[2, 99] = 1
    assert abs(spent(trace, 20, noise.scale) - noise.effective_epsilon(trace)) < 1e-9
    both = np.vstack([trace, trace])
    assert abs(spent(both, 20, noise.scale) - 2 * noise.effective_epsilon(trace)) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# How many aircraft spend more than their label says, if the label means a whole aircraft, and $\Delta_2$ is the root of the most visits?

# %%
from lib.mechanisms import FourierPerturbation

fpa = FourierPerturbation(
    epsilon=1.0, kappa=20, sensitivity=tails.visits().max() ** 0.5
)
costs = np.array([fpa.effective_epsilon(tails.trace(user)) for user in tails.users])
print(f"{(costs > 1).sum()} of {len(costs)}; at most {costs.max():.2f}")

# %% [raw]
# # BEGIN QUESTION
# name: error
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 7: what is left of the counts (8 minutes)
#
# The paper's mean relative error is $\frac1n \sum_i |Y'_i - Y_i| / \max(\gamma, Y_i)$ over the cells of one place, averaged over places, and its sanity bound γ is *a share of that place's own sum*. Write `relative_error(raw, released, share)` for
# counts (places x hours). Places without any visit are left out.

# %% [raw]
# # BEGIN SOLUTION


# %%
def relative_error(raw, released, share):
    """Mean over places with visits of the mean relative error; gamma = share of the place's sum."""
    # BEGIN SOLUTION
    seen = raw.sum(axis=1) > 0
    raw, released = raw[seen], released[seen]
    gamma = share * raw.sum(axis=1, keepdims=True)
    return (np.abs(released - raw) / np.maximum(gamma, raw)).mean()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: One place with 8 and 2, released as 6 and 4, has relative errors of 1/4 and 1, so 0.625.
"""  # END TEST CONFIG


def test_error_one_place(relative_error):
    import numpy as np

    raw, released = np.array([[8, 2]]), np.array([[6, 4]])
    assert abs(relative_error(raw, released, 0.001) - 0.625) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The sanity bound keeps empty cells from dividing by zero. It is a share of the place's own sum, not of all visits. An empty place is left out.
"""  # END TEST CONFIG


def test_error_empty_cells(relative_error):
    import numpy as np

    raw = np.array([[10, 0], [0, 0], [90, 10]])
    released = np.array([[10, 2], [5, 5], [90, 20]])
    assert abs(relative_error(raw, released, 0.1) - (1.0 + 0.5) / 2) < 1e-9
    assert abs(relative_error(raw, released, 0.5) - (0.2 + 0.1) / 2) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## A box whose label you do not trust
#
# `box(counts, rng)` adds noise to each number of an array. Its label says: *1-DP for one visit*. You cannot look inside, but you may press the button: `box(np.zeros(20_000), rng)` is what 20,000 releases of a count of 0 look like, `box(np.ones(20_000), rng)` of a count of 1.
#
# An attack that says "1" whenever the number is at least $t$ has a TPR and an FPR, and ε-DP promises $\mathrm{TPR} \le e^{\varepsilon}\, \mathrm{FPR}$. So $\ln(\mathrm{TPR} / \mathrm{FPR})$ is a *lower bound* on the true ε, if the two rates are known. From samples they
# are not: take the lower end of an interval for the TPR, and the upper end for the FPR. `scipy.stats.binomtest(k, n).proportion_ci(0.95)` has `.low` and `.high`.


# %%
def box(counts, rng):
    return np.asarray(counts) + rng.laplace(scale=1.0, size=np.shape(counts))


# %% [raw]
# # BEGIN QUESTION
# name: audit
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 8: write an attack on a label (18 minutes)
#
# Write `lower_bound(box, rng)`: a number that is at most the true ε of the box in at least 95 of 100 calls, and as large as you can make it. It may press the button for up to 200,000 numbers. It must never be negative.
# Mind: who tries many thresholds and reports the best on *the same* numbers finds an ε that is not there. For the box above, a good answer is between 0.9 and 1.

# %% [raw]
# # BEGIN SOLUTION


# %%
def lower_bound(box, rng):
    """A lower bound, at 95%, on the epsilon that the box spends on one visit."""
    # BEGIN SOLUTION
    from scipy.stats import binomtest

    n = 50_000

    def bound(out, into, t):
        low = binomtest(int((into >= t).sum()), n).proportion_ci(0.95).low
        high = binomtest(int((out >= t).sum()), n).proportion_ci(0.95).high
        return np.log(low / high) if low > 0 else 0.0

    out, into = box(np.zeros(n), rng), box(np.ones(n), rng)
    candidates = np.quantile(into, np.linspace(0.05, 0.95, 19))
    best = max(candidates, key=lambda t: bound(out, into, t))
    return max(
        0.0, bound(box(np.zeros(n), rng), box(np.ones(n), rng), best)
    )  # fresh numbers
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: For Laplace noise of scale 1 the bound must be above 0.9 and not above 1. Try thresholds other than one half.
"""  # END TEST CONFIG


def test_audit_true_label(lower_bound, box):
    import numpy as np

    found = lower_bound(box, np.random.default_rng(1))
    assert 0.9 <= found <= 1


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Other boxes spend 0.5 and 2, and one adds no noise that matters to what it is told. The bound must be valid for each of several draws, so choose the threshold on some numbers and measure on others, with intervals.
"""  # END TEST CONFIG


def test_audit_other_boxes(lower_bound):
    import numpy as np

    def made(scale):
        return lambda counts, rng: (
            np.asarray(counts) + rng.laplace(scale=scale, size=len(counts))
        )

    for seed in range(4):
        assert 0.4 <= lower_bound(made(2.0), np.random.default_rng(seed)) <= 0.5
        assert 1.75 <= lower_bound(made(0.5), np.random.default_rng(seed)) <= 2
    blind = lower_bound(
        lambda counts, rng: rng.normal(size=len(counts)), np.random.default_rng(9)
    )
    assert 0 <= blind < 0.03


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* Round and clip the box's numbers to whole numbers from 0 to 5. Does its ε change? Does your bound find it?
# - *Stretch.* Audit Gaussian noise: no finite ε is true without a δ. Which δ can you show?
# - *Stretch.* A box draws its noise once and adds the same number to all counts of a release. Its ε for one count is as labelled. What does it tell about two counts?
