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
# *82 minutes, eight steps. Read first: [What a guarantee is worth](../../book/guarantees.ipynb) and [Attacks on protected counts](../../book/knock_knock_defenses.ipynb).*
#
# A release comes with a stated guarantee, for example *Gaussian noise, ε = 10, δ = 0.1*. In this lab you compute what the statement should say, what the noise really
# guarantees, and to whom. At the end you receive a mechanism whose stated ε you do not trust, and you measure its true ε from below.
#
# Replace each `...` by your code. The cell below each answer checks it. Hidden tests check the same on other inputs. No step depends on your earlier answers.

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
# ## Step 1: bound the contributions of a user (6 minutes)
#
# Without a bound, a person can have any number of visits. A user-level guarantee needs a number that is fixed in advance. Write `cut(trace, most, rng)`. It returns a *new* trace with at most `most` visits; the visits that remain are drawn at random.

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
failure_message: Ada has eight visits. Three of them must remain, all at places where she was. A user who has fewer visits than allowed keeps all of them.
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
failure_message: Your function must not change the trace it is given. Every visit must have the same probability of remaining, the last as well as the first.
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
# ## Step 2: how much can the counts change? (10 minutes)
#
# Write `most_change(traces, p, swap)`. It returns the largest possible change of a group's counts, in the norm $L_p$ over all cells, with $p$ = 1 or 2. If `swap` is false, the neighbours are of the add/remove kind: one user joins or leaves, and the counts change by that user's trace. If `swap` is true, they are of the replace-one kind: one user
# takes another's place, and the counts change by the difference of the two traces. Take the worst case among the users in the data.

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
failure_message: The busiest of the six people has 8 visits. If they join, the counts change by 8 in L1, and by the square root of 8 in L2.
"""  # END TEST CONFIG


def test_change_join(most_change, six):
    assert abs(most_change(six, 1, False) - 8) < 1e-9
    assert abs(most_change(six, 2, False) - 8**0.5) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: If one user replaces another, a cell that both visit does not change, and a cell that one of them visits changes by 1. Look at all pairs of users.
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
# ## Step 3: the noise that a stated guarantee needs (8 minutes)
#
# Knock-Knock prints Gaussian noise with standard deviation $\sqrt{2 \ln (2/\delta)}\, \Delta_2 / \varepsilon$. Write `sigma(epsilon, delta, visits)` for add/remove neighbours at user level, where a user has at most `visits` visits. What is the L2 sensitivity
# $\Delta_2$ of such a user, who adds 0 or 1 to each cell?

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
failure_message: For one visit, an epsilon of 1 and a delta of 0.1, the standard deviation is 2.448.
"""  # END TEST CONFIG


def test_sigma_visit(sigma):
    assert abs(sigma(1.0, 0.1, 1) - 2.4477) < 1e-3


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Four times the number of visits needs twice the noise, because the L2 norm takes the square root. Half of epsilon also needs twice the noise, and a smaller delta needs more noise.
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
# ## Step 4: what the noise really guarantees (12 minutes)
#
# The guarantee of Gaussian noise is known exactly. With $r = \sigma / \Delta_2$, the noise is $(\varepsilon, \delta)$-differentially private for
# $\delta(\varepsilon) = \Phi\bigl(\tfrac{1}{2r} - \varepsilon r\bigr) - e^{\varepsilon}\, \Phi\bigl(-\tfrac{1}{2r} - \varepsilon r\bigr)$, where Φ is the distribution function of the standard normal distribution (`scipy.stats.norm.cdf`).
#
# Write two functions. `delivered(epsilon, sigma, change)` returns δ for neighbours whose counts differ by `change` in L2. `honest(epsilon, delta, sigma, change)` returns whether the stated guarantee (ε, δ) holds.

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
failure_message: For a change of 1, noise with standard deviation 1 has a delta of 0.1269 at an epsilon of 1.
"""  # END TEST CONFIG


def test_delivered_one(delivered):
    assert abs(delivered(1.0, 1.0, 1.0) - 0.12694) < 1e-4


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The printed constant is not proved for an epsilon above 1. At epsilon 10 and delta 0.1 the stated guarantee is false; at 1 and 0.1 it is true. If one user replaces another, the change is larger by a factor of the square root of 2.
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
# ## Step 5: keep only a few Fourier coefficients (8 minutes)
#
# FPA keeps the first κ Fourier coefficients of the time series of each place, adds noise to them, and drops the others. Here we leave out the noise. Write `smooth(counts, kappa)`, which rebuilds each series (along the last axis) from its first κ coefficients.
# Use `scipy.fft.rfft` and `irfft` with `norm="ortho"`. `irfft` must be told the length of the series.

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
failure_message: With one coefficient, each series becomes its mean. With all coefficients, it stays as it was.
"""  # END TEST CONFIG


def test_fourier_ends(smooth):
    import numpy as np

    counts = np.array([[1.0, 2, 3, 6], [0, 0, 4, 0]])
    assert np.allclose(smooth(counts, 1), [[3, 3, 3, 3], [1, 1, 1, 1]])
    assert np.allclose(smooth(counts, 3), counts)


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: A series of odd length must keep its length. The coefficients that are kept are the first ones, not the largest ones.
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
# ## Step 6: the effective ε of each user (12 minutes)
#
# Under FPA, the real and the imaginary part of each kept coefficient get Laplace noise of the same `scale`. If a user with this `trace` joins, the kept coefficients of *every* place change by those of the user's own series. The effective ε of this user is therefore the sum of the absolute changes of all real and imaginary parts,
# over all kept coefficients and all places, divided by `scale`. Write `spent(trace, kappa, scale)`.

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
failure_message: A user who is in one place all the time changes one coefficient only, by the square root of the number of hours.
"""  # END TEST CONFIG


def test_spent_always_there(spent):
    import numpy as np

    trace = np.zeros((3, 16), int)
    trace[1] = 1
    assert abs(spent(trace, 5, 2.0) - 2.0) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Two places cost twice as much as one place with the same hours. Real and imaginary parts have independent noise, so add their absolute values. Do not use the absolute value of the complex number.
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
# How many aircraft have an effective ε above the stated one, if the statement is read at user level and $\Delta_2$ is the square root of the largest number of visits?

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
# ## Step 7: the error of the released counts (8 minutes)
#
# The paper's mean relative error is $\frac1n \sum_i |Y'_i - Y_i| / \max(\gamma, Y_i)$ over the cells of one place, averaged over places. Its sanity bound γ is *a share of the total count of that place*. Write `relative_error(raw, released, share)` for
# counts (places x hours). Leave out places without any visit.

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
failure_message: One place with counts 8 and 2, released as 6 and 4, has relative errors of 1/4 and 1, so the mean is 0.625.
"""  # END TEST CONFIG


def test_error_one_place(relative_error):
    import numpy as np

    raw, released = np.array([[8, 2]]), np.array([[6, 4]])
    assert abs(relative_error(raw, released, 0.001) - 0.625) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The sanity bound prevents a division by zero in empty cells. It is a share of the place's own total, not of all visits. An empty place is left out.
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
# ## A mechanism whose stated ε you do not trust
#
# `box(counts, rng)` adds noise to each number of an array. It claims to be *1-differentially private at event level*. You cannot look inside, but you can call it: `box(np.zeros(20_000), rng)` gives 20,000 releases of a count of 0, and `box(np.ones(20_000), rng)` gives 20,000 releases of a count of 1.
#
# An attack that answers "1" if the number is at least $t$ has a TPR and an FPR, and ε-DP guarantees $\mathrm{TPR} \le e^{\varepsilon}\, \mathrm{FPR}$. So $\ln(\mathrm{TPR} / \mathrm{FPR})$ is a *lower bound* on the true ε, if both rates are known. You only have
# estimates of them. Use the lower end of a confidence interval for the TPR and the upper end for the FPR. `scipy.stats.binomtest(k, n).proportion_ci(0.95)` has `.low` and `.high`.


# %%
def box(counts, rng):
    return np.asarray(counts) + rng.laplace(scale=1.0, size=np.shape(counts))


# %% [raw]
# # BEGIN QUESTION
# name: audit
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 8: attack a stated guarantee (18 minutes)
#
# Write `lower_bound(box, rng)`. It returns a number that is at most the true ε of the box in at least 95 of 100 calls, and that is as large as you can make it. You may draw up to 200,000 numbers from the box. The result must never be negative.
# Beware of selection bias: if you try many thresholds and report the best one *on the same numbers*, you will find an ε that is too large. For the box above, a good answer lies between 0.9 and 1.

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
failure_message: For Laplace noise of scale 1, the bound must be above 0.9 and at most 1. Try thresholds other than one half.
"""  # END TEST CONFIG


def test_audit_true_label(lower_bound, box):
    import numpy as np

    found = lower_bound(box, np.random.default_rng(1))
    assert 0.9 <= found <= 1


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Other boxes have an epsilon of 0.5 or 2, and one box hardly uses its input. The bound must hold for several draws, so choose the threshold on one sample, measure the rates on another, and use confidence intervals.
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
# - *Stretch.* Round the numbers of the box and clip them to 0 to 5. Does its ε change? Does your bound still find it?
# - *Stretch.* Audit Gaussian noise. It satisfies no finite ε without a δ. Which δ can you show?
# - *Stretch.* A box draws its noise once and adds the same number to all counts of a release. Its ε for one count is as stated. What does it reveal about two counts?
