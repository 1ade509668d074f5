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
# # Lab 6: Viterbi and Fano
#
# *82 minutes, eight steps. Read first: [Fano loss](../../book/fano.ipynb) and [Better bounds and guesses](../../book/fano_bounds.ipynb).*
#
# Sensors count people. The attacker knows where everybody but the target is, and wants the target's path. You estimate a mobility model of the target, find the most probable path, compute the best success that any attacker can have, and solve Fano's inequality for a bound. In the last step the counts are noisy and the attack maximises the number of right steps.
#
# Replace each `...` by your code. The cell below each answer checks it. Hidden tests check the same on other inputs. No step depends on your earlier answers. All logarithms are natural. A probability of 0 has the logarithm $-\infty$, which is correct here; `with np.errstate(divide="ignore"):` suppresses numpy's warning.

# %%
import numpy as np
from lib.datasets import load

six = load("six-users")
PLACES = [*six.rois.index, "elsewhere"]


def diary(user):
    """Return the user's places in the eight hours of both days as numbers; 4 is elsewhere."""
    trace = six.trace(user)
    return np.where(trace.any(axis=0), trace.argmax(axis=0), 4)


print("Fay:", [PLACES[x] for x in diary("Fay")])

# %% [raw]
# # BEGIN QUESTION
# name: chain
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 1: a mobility model (8 minutes)
#
# Write `chain_of(diary, n)`. It returns the initial probabilities, which are the shares of the diary's hours at each of the `n` places, and the transition matrix. Row $x$ of the matrix has the shares of the places that follow $x$ in the diary. If the diary never leaves a place, all places are equally likely in its row.

# %% [raw]
# # BEGIN SOLUTION


# %%
def chain_of(diary, n):
    """Return initial (n,) and transition (n, n); rows add up to 1."""
    # BEGIN SOLUTION
    initial = np.bincount(diary, minlength=n) / len(diary)
    moves = np.zeros((n, n))
    np.add.at(moves, (diary[:-1], diary[1:]), 1)
    moves[moves.sum(axis=1) == 0] = 1
    return initial, moves / moves.sum(axis=1, keepdims=True)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: In the diary 0, 1, 0, 0, place 0 is followed once by 1 and once by 0, and place 1 is always followed by 0.
"""  # END TEST CONFIG


def test_chain_small(chain_of):
    import numpy as np

    initial, transition = chain_of(np.array([0, 1, 0, 0]), 2)
    assert np.allclose(initial, [0.75, 0.25])
    assert np.allclose(transition, [[0.5, 0.5], [1, 0]])


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Row x has the places that follow x, not those before it. If the diary never leaves a place, all places are equally likely in its row. Nothing follows the last hour.
"""  # END TEST CONFIG


def test_chain_never_left(chain_of):
    import numpy as np

    initial, transition = chain_of(np.array([0, 0, 1, 2]), 4)
    assert np.allclose(initial, [0.5, 0.25, 0.25, 0])
    assert np.allclose(transition[:2], [[0.5, 0.5, 0, 0], [0, 0, 1, 0]])
    assert np.allclose(transition[2:], 0.25)


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: path
# points: 1
# all_or_nothing: true

# %% [markdown]
# ## Step 2: how probable is a path? (6 minutes)
#
# Write `log_probability(path, initial, transition)`: the logarithm of the probability of a path, which is a list of places.

# %% [raw]
# # BEGIN SOLUTION


# %%
def log_probability(path, initial, transition):
    """Return the log of initial[first] times the transitions along the path."""
    # BEGIN SOLUTION
    path = np.asarray(path)
    with np.errstate(divide="ignore"):
        return np.log(initial[path[0]]) + np.log(transition[path[:-1], path[1:]]).sum()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: If both starts are equally likely and the probability of staying is 0.8, the path 0, 0, 1 has probability 0.5 times 0.8 times 0.2.
"""  # END TEST CONFIG


def test_path_three(log_probability):
    import numpy as np

    initial, transition = np.array([0.5, 0.5]), np.array([[0.8, 0.2], [0.3, 0.7]])
    assert abs(np.exp(log_probability([0, 0, 1], initial, transition)) - 0.08) < 1e-12
    assert abs(np.exp(log_probability([1], initial, transition)) - 0.5) < 1e-12


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: An impossible step makes the whole path impossible, with a logarithm of minus infinity. For long paths, add logarithms; a product of probabilities would underflow to 0.
"""  # END TEST CONFIG


def test_path_ends(log_probability):
    import numpy as np

    initial, transition = np.array([1.0, 0.0]), np.array([[0.5, 0.5], [1, 0]])
    assert log_probability([0, 1, 1], initial, transition) == -np.inf
    assert (
        abs(log_probability([0] * 5001, initial, transition) / 5000 - np.log(0.5))
        < 1e-9
    )
    assert abs(np.exp(log_probability([0, 1, 0], initial, transition)) - 0.5) < 1e-12


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: bits
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 3: which places agree with a count? (8 minutes)
#
# The attacker subtracts everybody else. One bit is left for each hour: was the target at the sensor that was on? Write `allowed(bits, sensors, n)`. It returns a matrix (hours x places) with 0 where a place agrees with the bit of the hour, and $-\infty$ where it does not.

# %% [raw]
# # BEGIN SOLUTION


# %%
def allowed(bits, sensors, n):
    """Return the log-likelihood of each hour's bit at each place: 0 or -inf."""
    # BEGIN SOLUTION
    at_sensor = np.arange(n) == np.asarray(sensors)[:, None]
    return np.where(at_sensor == (np.asarray(bits)[:, None] == 1), 0.0, -np.inf)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: If the sensor at place 1 saw the target, only place 1 is possible. If it did not, every other place is possible.
"""  # END TEST CONFIG


def test_bits_two(allowed):
    import numpy as np

    found = allowed([1, 0], [1, 1], 3)
    assert (found == [[-np.inf, 0, -np.inf], [0, -np.inf, 0]]).all()


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: The sensor may be at a different place in each hour.
"""  # END TEST CONFIG


def test_bits_moving(allowed):
    import numpy as np

    found = allowed(np.array([0, 0, 1]), np.array([2, 0, 1]), 3)
    assert (np.isfinite(found) == [[1, 1, 0], [0, 1, 1], [0, 1, 0]]).all()
    assert (found[np.isfinite(found)] == 0).all()


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: viterbi
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 4: the most probable path (14 minutes)
#
# Write `most_probable(initial, transition, likely)`. It returns the most probable path, as a list of places, given the log-likelihoods `likely` (hours x places). There are too many paths to try all of them. Use the recursion $f(t, x) = \ell_t(x) \max_{x'} P(x', x) f(t-1, x')$, remember the maximising $x'$, and follow the remembered places back from the best end. Work with logarithms.

# %% [raw]
# # BEGIN SOLUTION


# %%
def most_probable(initial, transition, likely):
    """Return the most probable path given likely (hours, places), a list of places."""
    # BEGIN SOLUTION
    with np.errstate(divide="ignore"):
        score, moves = np.log(initial) + likely[0], np.log(transition)
    before = []
    for seen in likely[1:]:
        reach = score[:, None] + moves
        before.append(reach.argmax(axis=0))
        score = reach.max(axis=0) + seen
    path = [int(score.argmax())]
    for back in reversed(before):
        path.insert(0, int(back[path[0]]))
    return path
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Without any counts, a target who stays with probability 0.9 and most probably starts at 1 stays at 1.
"""  # END TEST CONFIG


def test_viterbi_stays(most_probable):
    import numpy as np

    transition = np.array([[0.9, 0.1], [0.1, 0.9]])
    found = most_probable(np.array([0.3, 0.7]), transition, np.zeros((4, 2)))
    assert list(found) == [1, 1, 1, 1]


# %%
""" # BEGIN TEST CONFIG
failure_message: A sighting at 0 in the last hour must influence the earlier hours. Start from the best end and go back.
"""  # END TEST CONFIG


def test_viterbi_reaches_back(most_probable):
    import numpy as np

    transition = np.array([[1.0, 0.0], [0.05, 0.95]])
    likely = np.zeros((3, 2))
    likely[2] = [0, -np.inf]
    assert list(most_probable(np.array([0.4, 0.6]), transition, likely)) == [0, 0, 0]


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: On random chains of four places and five hours, the path must be as probable as the best of all 1024 paths. It must also work for 2,000 hours.
"""  # END TEST CONFIG


def test_viterbi_all_paths(most_probable):
    from itertools import product

    import numpy as np

    rng = np.random.default_rng(1)
    paths = np.array(list(product(range(4), repeat=5)))
    for _ in range(5):
        initial, transition = (
            rng.dirichlet(np.ones(4)),
            rng.dirichlet(np.ones(4), size=4),
        )
        likely = rng.normal(size=(5, 4)) * 2
        scores = np.log(initial[paths[:, 0]]) + likely[np.arange(5), paths].sum(axis=1)
        scores += np.log(transition[paths[:, :-1], paths[:, 1:]]).sum(axis=1)
        found = list(most_probable(initial, transition, likely))
        assert found == list(paths[scores.argmax()])
    long = most_probable(initial, transition, rng.normal(size=(2000, 4)))
    assert len(long) == 2000


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: entropy
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 5: how uncertain is a path? (10 minutes)
#
# The entropy of a path of $T$ hours has one term for each hour. The first term is the entropy of the initial distribution. Each later term is the entropy of the row from which the next place is drawn, averaged over where the target may be: $H(X_1) + \sum_{t=2}^{T} \sum_x \Pr[X_{t-1} = x]\, H(P_x)$. Write `entropy(initial, transition, hours)`, in nats. (`scipy.special.entr(p)` is $-p \ln p$.) The chain need not be stationary, so the distribution over places may change from hour to hour.

# %% [raw]
# # BEGIN SOLUTION


# %%
def entropy(initial, transition, hours):
    """Return the entropy of a path, in nats."""
    # BEGIN SOLUTION
    from scipy.special import entr

    found, now = entr(initial).sum(), initial
    for _ in range(hours - 1):
        found += now @ entr(transition).sum(axis=1)
        now = now @ transition
    return found
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Three independent fair bits have an entropy of three times ln 2. A target who never moves has only the entropy of the first place.
"""  # END TEST CONFIG


def test_entropy_coins(entropy):
    import numpy as np

    half = np.full((2, 2), 0.5)
    assert abs(entropy(half[0], half, 3) - 3 * np.log(2)) < 1e-9
    assert abs(entropy(half[0], np.eye(2), 9) - np.log(2)) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: If the first place is certain, the first hour adds nothing. The distribution of the later places follows from the chain.
"""  # END TEST CONFIG


def test_entropy_not_stationary(entropy):
    import numpy as np

    transition = np.array([[0.5, 0.5], [0.0, 1.0]])
    found = entropy(np.array([1.0, 0.0]), transition, 3)
    assert abs(found - (np.log(2) + np.log(2) / 2)) < 1e-9
    assert abs(entropy(np.array([0.25, 0.75]), transition, 1) - 0.5623351) < 1e-6


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: best
# points: 2
# all_or_nothing: true

# %% [markdown]
# ## Step 6: the best possible success (6 minutes)
#
# Suppose that all paths and all answers of the sensors can be listed. `chance[i]` is the probability of path $i$, and the whole number `answers[i]` stands for what the sensors answer on it. After each answer, the best attacker names the most probable path that agrees with it. Write `best_success(chance, answers)`, the probability that this attacker is right.

# %% [raw]
# # BEGIN SOLUTION


# %%
def best_success(chance, answers):
    """Return the largest probability of naming the path after its answer."""
    # BEGIN SOLUTION
    chance, answers = np.asarray(chance), np.asarray(answers)
    return sum(chance[answers == answer].max() for answer in np.unique(answers))
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: Without information (one answer for all paths), it is the probability of the most probable path. If every path has an answer of its own, the attacker is always right.
"""  # END TEST CONFIG


def test_best_ends(best_success):
    import numpy as np

    chance = np.array([0.4, 0.1, 0.3, 0.2])
    assert abs(best_success(chance, [7, 7, 7, 7]) - 0.4) < 1e-9
    assert abs(best_success(chance, [0, 1, 2, 3]) - 1) < 1e-9


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: Take the best path for each answer and add up their probabilities. Answers need not be 0, 1, 2.
"""  # END TEST CONFIG


def test_best_two_answers(best_success):
    import numpy as np

    chance = np.array([0.4, 0.1, 0.3, 0.2])
    assert abs(best_success(chance, [5, 5, 90, 90]) - 0.7) < 1e-9
    assert abs(best_success(chance, [5, 90, 5, 90]) - 0.6) < 1e-9


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: fano
# points: 3
# all_or_nothing: true

# %% [markdown]
# ## Step 7: Fano's bound (12 minutes)
#
# A path has `n` possible values, and after the counts `left` nats of uncertainty remain ($H - I$). Let $p_e$ be the probability that a guess fails. For every attacker $\mathrm{left} \le h(p_e) + p_e \ln (n - 1)$, with $h(p) = -p \ln p - (1 - p) \ln (1 - p)$. The right side rises from 0 at $p_e = 0$ to $\ln n$ at $p_e = 1 - 1/n$. Write `fano_bound(left, n)`, the largest probability of success $1 - p_e$ that this inequality allows, to within 0.001. If `left` is $\ln n$ or more, it is $1/n$.

# %% [raw]
# # BEGIN SOLUTION


# %%
def fano_bound(left, n):
    """Return the largest probability of success that Fano's inequality allows."""
    # BEGIN SOLUTION
    from scipy.special import entr

    p = np.linspace(0, 1 - 1 / n, 20_001)
    right = entr(p) + entr(1 - p) + p * np.log(n - 1)
    fits = p[right >= left - 1e-12]
    return 1 - (fits.min() if len(fits) else 1 - 1 / n)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: If no uncertainty remains, the bound is 1. If all values are equally likely after the counts, it is 1/n.
"""  # END TEST CONFIG


def test_fano_ends(fano_bound):
    import numpy as np

    assert abs(fano_bound(0.0, 50) - 1) < 1e-3
    assert abs(fano_bound(np.log(50), 50) - 1 / 50) < 2e-3


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: In between, take the smallest failure rate that satisfies the inequality. For two values and h(0.1) nats it is 0.1.
"""  # END TEST CONFIG


def test_fano_between(fano_bound):
    import numpy as np

    half = -0.1 * np.log(0.1) - 0.9 * np.log(0.9)
    assert abs(fano_bound(half, 2) - 0.9) < 2e-3
    right = 0.3 * np.log(624) - 0.3 * np.log(0.3) - 0.7 * np.log(0.7)
    assert abs(fano_bound(right, 625) - 0.7) < 2e-3
    assert abs(fano_bound(9.0, 100) - 0.01) < 2e-3


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## Noisy counts
#
# The target walks on a line of ten places for twelve hours. In each hour one sensor publishes its count with normal noise. The attacker subtracts everybody else and is left with `left[t]`: 1 if the target was seen and 0 if not, plus noise.

# %%
from lib.reconstruction import chain

line = chain.distance_chain(10, 0.1)


def walk(rng, noise_std, hours=12):
    """Return a path, the sensors, and what is left of their noisy counts."""
    path = line.sample(1, hours, rng)[0]
    sensors = rng.integers(0, 10, size=hours)
    return path, sensors, (path == sensors) + rng.normal(scale=noise_std, size=hours)


path, sensors, left = walk(np.random.default_rng(1), 0.3)
print("path", path, "\nsensors", sensors, "\nleft", left.round(1))

# %% [raw]
# # BEGIN QUESTION
# name: steps
# points: 4
# all_or_nothing: true

# %% [markdown]
# ## Step 8: an attack for the most right steps (18 minutes)
#
# Write `most_steps(initial, transition, left, sensors, noise_std)`. It returns the guess with the largest *mean number of right steps*. For each hour on its own, this guess names the most probable place given all counts, earlier and later. You need
#
# - the likelihood of `left[t]` at each place: a normal density, centred at 1 at the sensor and at 0 elsewhere;
# - one pass forward and one pass backward, as in [Better bounds and guesses](../../book/fano_bounds.ipynb). Divide by the sum in each hour, because small numbers would underflow to 0.

# %% [raw]
# # BEGIN SOLUTION


# %%
def most_steps(initial, transition, left, sensors, noise_std):
    """Return, for each hour, the most probable place given all counts."""
    # BEGIN SOLUTION
    seen = np.arange(len(initial)) == np.asarray(sensors)[:, None]
    likely = -((np.asarray(left)[:, None] - seen) ** 2) / (2 * noise_std**2)
    likely = np.exp(likely - likely.max(axis=1, keepdims=True))
    forward, backward = [], [np.ones(len(initial))]
    now = np.asarray(initial)
    for each in likely:
        now = now * each / (now * each).sum()
        forward.append(now)
        now = now @ transition
    for each in likely[:0:-1]:
        later = transition @ (each * backward[-1])
        backward.append(later / later.sum())
    return (np.array(forward) * backward[::-1]).argmax(axis=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
failure_message: With almost no noise and a sensor that sees the target, the guess must be the sensor's place in that hour.
"""  # END TEST CONFIG


def test_steps_seen(most_steps, line):
    import numpy as np

    left, sensors = np.array([0.0, 1.0, 0.0]), np.array([3, 4, 8])
    found = most_steps(line.initial, line.transition, left, sensors, 0.05)
    assert len(found) == 3 and found[1] == 4


# %%
""" # BEGIN TEST CONFIG
hidden: true
failure_message: On small chains the guess must agree with the sum over all listed paths. Use the counts before and after each hour, and weigh them by the given standard deviation. It must also work for hundreds of hours.
"""  # END TEST CONFIG


def test_steps_listed(most_steps):
    from itertools import product

    import numpy as np

    rng = np.random.default_rng(2)
    paths = np.array(list(product(range(3), repeat=5)))
    for noise_std in (0.3, 1.0, 0.5, 0.7, 0.4, 0.6):
        initial, transition = (
            rng.dirichlet(np.ones(3)),
            rng.dirichlet(np.ones(3) / 2, size=3),
        )
        left, sensors = rng.normal(0.5, 0.7, size=5), rng.integers(0, 3, size=5)
        chance = initial[paths[:, 0]] * transition[paths[:, :-1], paths[:, 1:]].prod(
            axis=1
        )
        away = left - (paths == sensors)
        chance = chance * np.exp(-(away**2).sum(axis=1) / (2 * noise_std**2))
        marginals = np.array([np.bincount(hour, chance, 3) for hour in paths.T])
        found = most_steps(initial, transition, left, sensors, noise_std)
        assert list(found) == list(marginals.argmax(axis=1))
    many = most_steps(
        initial, transition, rng.normal(size=800), rng.integers(0, 3, 800), 0.2
    )
    assert len(many) == 800


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# ## To go on
#
# - *Stretch.* Call `walk` a thousand times with noise from 0.1 to 3. Which attack has more right steps on average, that of Step 4 or that of Step 8? Which has more whole paths right?
# - *Stretch.* Take Fay's model from Step 1 and list all paths of four hours. Compare the best success of Step 6 with the bound of Step 7. How large is the gap, and why?
# - *Stretch.* Choose the twelve sensors yourself. Which choice lets the attacker find most steps, and which fewest?
