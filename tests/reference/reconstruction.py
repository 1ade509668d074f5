"""Reconstruction loss by brute force: every trajectory, every sequence of counts, plain loops.

Written from Koga et al., Sec. 2, 3 and the appendices, without a look at `lib.reconstruction`. The
Viterbi and Theorem 1 listings are the benchmark's baselines.
"""

import math
from itertools import combinations, pairwise, product

import numpy as np
from scipy import stats


def trajectories(initial, transition, n_epochs):
    """Every trajectory with its probability."""
    found = {}
    for way in product(range(len(initial)), repeat=n_epochs):
        p = initial[way[0]]
        for a, b in pairwise(way):
            p *= transition[a][b]
        found[way] = p
    return found


def entropy(probabilities):
    return -sum(p * math.log(p) for p in probabilities if p > 0)


def counts(way, sensors):
    return tuple(int(x == c) for x, c in zip(way, sensors, strict=True))


def by_counts(ways, sensors):
    """For each sequence of counts, the trajectories that give it, with their probabilities."""
    groups = {}
    for way, p in ways.items():
        if p > 0:
            groups.setdefault(counts(way, sensors), {})[way] = p
    return groups


def information(ways, sensors):
    """Mutual information of trajectory and raw counts: sum of p(x, y) log p(x, y) / p(x) p(y)."""
    total = 0.0
    for group in by_counts(ways, sensors).values():
        of_counts = sum(group.values())
        total += sum(p * math.log(p / (p * of_counts)) for p in group.values())
    return total


def pairwise_information(ways, sensors):
    """H(B_1) + sum of H(B_t | B_t-1), from the laws of single and pairs of counts."""
    n_epochs = len(sensors)

    def law(epochs):
        found = {}
        for way, p in ways.items():
            key = tuple(int(way[t] == sensors[t]) for t in epochs)
            found[key] = found.get(key, 0.0) + p
        return found.values()

    total = entropy(law([0]))
    for t in range(1, n_epochs):
        total += entropy(law([t - 1, t])) - entropy(law([t - 1]))
    return total


def eq4(ways, sensors, sigma):
    total = 0.0
    for t, sensor in enumerate(sensors):
        p = sum(q for way, q in ways.items() if way[t] == sensor)
        e = math.exp(-1 / (2 * sigma**2))
        for a, b in ((p, 1 - p), (1 - p, p)):
            if a > 0:
                total -= a * math.log(a + b * e)
    return total


def errors(one, other):
    return sum(a != b for a, b in zip(one, other, strict=True))


def success(ways, s, estimate):
    """Pr[d(X, estimate(X)) <= s]; estimate: trajectory -> guess."""
    return sum(p for way, p in ways.items() if p > 0 and errors(way, estimate(way)) <= s)


def map_estimates(ways, sensors):
    return {y: max(group, key=group.get) for y, group in by_counts(ways, sensors).items()}


def marginal_estimates(ways, sensors, n_locations):
    found = {}
    for y, group in by_counts(ways, sensors).items():
        guess = []
        for t in range(len(sensors)):
            law = [sum(p for way, p in group.items() if way[t] == x) for x in range(n_locations)]
            guess.append(law.index(max(law)))
        found[y] = tuple(guess)
    return found


def prior_estimate(ways):
    return max(ways, key=ways.get)


def constant_success(ways, s, n_locations, n_epochs):
    return max(success(ways, s, lambda _, x=x: (x,) * n_epochs) for x in range(n_locations))


def best_success(ways, sensors, s, n_locations):
    """The success of the best guess for each sequence of counts, summed."""
    n_epochs = len(sensors)
    total = 0.0
    for group in by_counts(ways, sensors).values():
        total += max(
            sum(p for way, p in group.items() if errors(way, guess) <= s)
            for guess in product(range(n_locations), repeat=n_epochs)
        )
    return total


def largest_ball(ways, s):
    return max(sum(p for way, p in ways.items() if errors(way, guess) <= s) for guess in ways)


def fixed_term(ways, n_epochs, free):
    """max over n_epochs - free epochs and places there of the probability of being at them."""
    largest = 0.0
    for epochs in combinations(range(n_epochs), n_epochs - free):
        law = {}
        for way, p in ways.items():
            key = tuple(way[t] for t in epochs)
            law[key] = law.get(key, 0.0) + p
        largest = max(largest, *law.values())
    return largest


def binary_entropy(p):
    return entropy([p, 1 - p])


def near(n_locations, n_epochs, s):
    """N(s): trajectories within s errors of one."""
    return sum(math.comb(n_epochs, e) * (n_locations - 1) ** e for e in range(s + 1))


def loose_bound(h, i, n_locations, n_epochs, s):
    """1 - min p_e of Eq. 3, by bisection on the rising part of its right side."""
    n, everything = near(n_locations, n_epochs, s), n_locations**n_epochs

    def right(p):
        return binary_entropy(p) + p * math.log((everything - n) / n) + math.log(n)

    low, high = 0.0, 1 - n / everything
    if h - i <= math.log(n):
        return 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if right(middle) < h - i else (low, middle)
    return 1 - low


def tight_bound(i, ball, form="printed"):
    """max p_s with -i <= h(p_s) + p_s log ball, or d(p_s || ball) <= i."""
    if ball >= 1:
        return 1.0

    def fits(p):
        rest = 0.0 if form == "printed" else (1 - p) * math.log(1 - ball)
        return -i <= binary_entropy(p) + p * math.log(ball) + rest

    if fits(1.0):
        return 1.0
    low, high = (ball / (1 + ball) if form == "printed" else ball), 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return high


# -- the paper's listings, as baselines of the benchmark -------------------------------------------


def viterbi(initial, transition, sensors, seen):
    """App. A: f, h and the way back, for one run; logarithms, zeros as -inf."""
    m = len(initial)

    def log(p):
        return math.log(p) if p > 0 else -math.inf

    def likely(t, x):
        return 0.0 if (x == sensors[t]) == bool(seen[t]) else -math.inf

    f = [likely(0, x) + log(initial[x]) for x in range(m)]
    h = []
    for t in range(1, len(sensors)):
        step, back = [], []
        for x in range(m):
            best, where = -math.inf, 0
            for before in range(m):
                value = f[before] + log(transition[before][x])
                if value > best:
                    best, where = value, before
            step.append(likely(t, x) + best)
            back.append(where)
        f = step
        h.append(back)
    way = [max(range(m), key=f.__getitem__)]
    for back in reversed(h):
        way.append(back[way[-1]])
    return tuple(way[::-1])


def viterbi_arrays(initial, transition, sensors, seen):
    """The same with numpy over locations, as a research script would write it: one run."""
    import numpy as np

    m, everywhere = len(initial), np.arange(len(initial))
    with np.errstate(divide="ignore"):
        log_initial, log_transition = np.log(initial), np.log(transition)
        likely = np.log([(everywhere == c) == bool(y) for c, y in zip(sensors, seen, strict=True)])
    f, h = likely[0] + log_initial, np.zeros((len(sensors), m), int)
    for t in range(1, len(sensors)):
        reach = f[:, None] + log_transition
        h[t] = reach.argmax(axis=0)
        f = likely[t] + reach[h[t], everywhere]
    way = [int(f.argmax())]
    for t in range(len(sensors) - 1, 0, -1):
        way.append(int(h[t, way[-1]]))
    return np.array(way[::-1])


def theorem1(initial, powers, n_epochs):
    """App. D: f(m) for m = 1..T; g(m, k, x) for every gap sum k, in logarithms.

    powers  logarithms of the transition matrix's powers, the first at index 1
    """
    import numpy as np

    with np.errstate(divide="ignore"):
        start = np.log(initial)
    f = {1: start.max()}
    g = {(1, 0): start}
    for m in range(2, n_epochs + 1):
        for k in range(m - 1, n_epochs):
            g[m, k] = np.full(len(initial), -np.inf)
            for x in range(len(initial)):
                for gap in range(1, k - m + 3):
                    if (m - 1, k - gap) in g:
                        reach = g[m - 1, k - gap] + powers[gap][:, x]
                        g[m, k][x] = max(g[m, k][x], reach.max())
        f[m] = max(g[m, k].max() for k in range(m - 1, n_epochs))
    return f


def best_noisy_success(ways, sensors, s, n_locations, sigma, n_nodes=601):
    """The best success on counts with Gaussian noise, by a grid over the counts of 1 or 2 steps.

    For each pair of counts the guess with the most probable ball; ways that were counted alike
    have the same density of counts.
    """
    n = len(sensors)
    guesses = list(product(range(n_locations), repeat=n))
    seen = list(product((0, 1), repeat=n))
    mass = np.zeros((len(guesses), len(seen)))
    for way, chance in ways.items():
        for row, guess in enumerate(guesses):
            if sum(a != b for a, b in zip(way, guess, strict=True)) <= s:
                mass[row, seen.index(counts(way, sensors))] += chance
    nodes = np.linspace(-8 * sigma, 1 + 8 * sigma, n_nodes)
    step = nodes[1] - nodes[0]
    of_bit = [stats.norm.pdf(nodes, bit, sigma) * step for bit in (0, 1)]
    density = [of_bit[bits[0]] for bits in seen]
    if n == 2:
        density = [np.outer(of_bit[a], of_bit[b]).ravel() for a, b in seen]
    return float((mass @ np.array(density)).max(axis=0).sum())


def power(density_0, density_1, level, n_nodes=400_001, half_width=60.0):
    """True positive rate of the best test: a grid of values, ranked by their likelihood ratio."""
    nodes = np.linspace(-half_width, half_width, n_nodes)
    zero, one = density_0(nodes), density_1(nodes)
    order = np.argsort(-(one / zero), kind="stable")
    false, true = (np.cumsum(each[order]) / each.sum() for each in (zero, one))
    return float(np.interp(level, np.append(0, false), np.append(0, true)))
