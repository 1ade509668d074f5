"""Hidden counts in published sums, against integer programs and against all possible tables."""

import itertools

import numpy as np
import pytest
from scipy import optimize, sparse

from lib.audit.linear_bounds import ContradictionError, Intervals, Sums, intervals


def end(sums, cell, sign):
    """The smallest (1) or largest (-1) value of a cell, by an integer program for it alone."""
    cost = np.zeros(len(sums.low))
    cost[cell] = sign
    solved = optimize.milp(
        cost,
        constraints=optimize.LinearConstraint(sums.matrix, sums.totals, sums.totals),
        bounds=optimize.Bounds(sums.low, np.minimum(sums.high, 10_000)),
        integrality=np.ones(len(cost)),
        options={"mip_rel_gap": 0},
    )
    return int(np.rint(solved.x[cell]))


def check(sums, width=0):
    """Compare with programs; return the number of cells known exactly."""
    found = intervals(sums, width)
    low, high = (
        np.array([end(sums, cell, sign) for cell in range(len(sums.low))]) for sign in (1, -1)
    )
    assert found.decided.all()
    np.testing.assert_array_equal(found.exact, low == high)
    assert (found.low <= low).all() and (high <= found.high).all()
    assert ((low <= found.seen_low).all() and (found.seen_high <= high).all()) or not width
    narrow = high - low < width
    np.testing.assert_array_equal(found.low[narrow], low[narrow])
    np.testing.assert_array_equal(found.high[narrow], high[narrow])
    if width:
        assert (found.seen_high - found.seen_low >= width)[~narrow].all()
    return int(found.exact.sum())


def table(rng, shape=(5, 5), complementary=False, totals=0.9, hidden_totals=0.0):
    """The sums of a random table with hidden counts, and sometimes with missing totals."""
    true = rng.integers(0, 40, shape)
    hidden = true < 14
    if complementary:  # no sum with exactly one hidden count
        for axis in (1, 0):
            for line in np.flatnonzero(hidden.sum(axis) == 1):
                index = [slice(None)] * 2
                index[1 - axis] = line
                shown = np.flatnonzero(~hidden[tuple(index)])
                index[axis] = rng.choice(shown)
                hidden[tuple(index)] = True
    margin = np.block([[true, true.sum(1, keepdims=True)], [true.sum(0), true.sum()]])
    unknown = np.zeros(margin.shape, bool)
    unknown[:-1, :-1] = hidden
    edge = np.zeros(margin.shape, bool)
    edge[-1], edge[:, -1] = True, True
    unknown |= edge & (rng.random(margin.shape) < hidden_totals)
    free = edge & (rng.random(margin.shape) > totals)
    signs = np.ones(margin.shape[0]), np.ones(margin.shape[1])
    signs[0][-1], signs[1][-1] = -1, -1
    number = np.arange(margin.size).reshape(margin.shape)
    rows = [(number[i], signs[1]) for i in range(margin.shape[0])]
    rows += [(number[:, j], signs[0]) for j in range(margin.shape[1])]
    matrix = np.zeros((len(rows), margin.size))
    for row, (cells, sign) in zip(matrix, rows, strict=True):
        row[cells] = sign
    unknown |= free
    out = unknown.ravel()
    residual = -(matrix[:, ~out] @ margin.ravel()[~out])
    high = np.where((rng.random() < 0.5) & ~edge.ravel()[out], margin.max(), np.inf)
    return Sums(sparse.csr_array(matrix[:, out]), residual, np.zeros(out.sum()), high)


@pytest.mark.parametrize("complementary", [False, True], ids=["primary", "complementary"])
def test_all_known_cells_are_found_and_no_others(complementary):
    rng = np.random.default_rng(int(complementary))
    exact = [check(table(rng, complementary=complementary), 5 * (i % 2)) for i in range(24)]
    assert sum(exact) > 5


@pytest.mark.slow
@pytest.mark.parametrize("complementary", [False, True], ids=["primary", "complementary"])
def test_all_known_cells_of_five_hundred_tables_are_found_and_no_others(complementary):
    rng = np.random.default_rng(10 + complementary)
    exact = 0
    for _ in range(500):
        shape = tuple(rng.integers(3, 8, 2))
        totals, hidden = rng.choice([1.0, 0.9, 0.6]), rng.choice([0.0, 0.1])
        width = int(rng.choice([0, 5]))
        exact += check(table(rng, shape, complementary, totals, hidden), width)
    assert exact > 100


def cube(rng, n=3):
    """A table of three axes with all totals over one axis; its sums are no network."""
    true = rng.integers(0, 3, (n, n, n))
    number, rows = np.arange(n**3).reshape(n, n, n), []
    for axis in range(3):
        rows += list(np.moveaxis(number, axis, -1).reshape(-1, n))
    matrix = np.zeros((len(rows), n**3))
    for row, cells in zip(matrix, rows, strict=True):
        row[cells] = 1
    return Sums(sparse.csr_array(matrix), matrix @ true.ravel(), np.zeros(n**3), np.full(n**3, 2.0))


@pytest.mark.parametrize("seed", range(6))
def test_sums_that_are_no_network_are_solved_as_integer_programs(seed):
    rng = np.random.default_rng(seed)
    check(cube(rng), 2)


def test_whole_numbers_can_determine_what_real_numbers_do_not():
    """a + b, a + c and b + c are 1, 1 and 0 or 2: the odd cycle is no network."""
    matrix = sparse.csr_array(np.array([[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1]]))
    totals, low, high = np.array([1, 1, 1]), np.zeros(4), np.ones(4)
    solutions = [
        x for x in itertools.product((0, 1), repeat=4) if (matrix @ np.array(x) == totals).all()
    ]
    assert solutions == [(0, 0, 0, 1)]  # in real numbers also (1/2, 1/2, 1/2, 0)
    found = intervals(Sums(matrix, totals, low, high))
    assert found.low.tolist() == found.high.tolist() == [0, 0, 0, 1]
    assert not intervals(Sums(matrix, totals, low, high, whole=False)).exact.any()


def test_what_exceeds_the_limit_of_work_is_not_called_decided():
    rng = np.random.default_rng(0)
    found = intervals(cube(rng), work=0)
    assert isinstance(found, Intervals) and not found.decided.all()
    assert not found.exact[~found.decided].any()


def test_the_limit_of_work_does_not_depend_on_the_speed_of_the_machine(monkeypatch):
    """No clock is read. With less work fewer cells are decided, and none of them wrongly."""
    sums, solve, used = cube(np.random.default_rng(7), 4), optimize.milp, []

    def without_a_clock(*args, options, **others):
        assert "time_limit" not in options and options["node_limit"] >= 1
        used.append(options)
        return solve(*args, options=options, **others)

    monkeypatch.setattr(optimize, "milp", without_a_clock)
    everything, n_decided = intervals(sums, 2), []
    for work in (0, 1e5, 1e8):
        found, again = (intervals(sums, 2, work=work) for _ in range(2))
        for one, other in zip(found, again, strict=True):
            np.testing.assert_array_equal(one, other)
        certain = found.decided
        np.testing.assert_array_equal(found.exact[certain], everything.exact[certain])
        n_decided.append(int(certain.sum()))
    assert used and n_decided[0] < n_decided[1] <= n_decided[2] == len(sums.low)


def test_cells_that_linear_programs_determine_need_no_integer_program():
    """One sum of a cube is 0 beside two unknowns that no line alone determines."""
    sums = cube(np.random.default_rng(3), 4)
    rows = np.flatnonzero(np.asarray(sums.matrix.sum(axis=1)).ravel() > 0)
    block = sparse.csr_array(np.array([[1.0, 1, 1, 0], [1, 1, 0, 1], [0, 0, 1, 1]]))
    both = sparse.block_diag([sums.matrix[rows], block], format="csr")
    totals = np.r_[sums.totals[rows], 3, 3, 2]
    n = both.shape[1]
    alone = Sums(both, totals, np.zeros(n), np.full(n, 2.0))
    found = intervals(alone, work=0)
    assert found.exact[-2:].all() and found.low[-2:].tolist() == [1, 1]
    assert not found.decided[:-4].all()


def test_sums_without_a_solution_are_refused():
    two = sparse.csr_array(np.array([[1.0, 1, 0], [0, 1, 1], [1, 0, 1]]))
    with pytest.raises(ContradictionError):
        intervals(Sums(two, np.array([1, 1, 1]), np.zeros(3), np.ones(3)))
    one = sparse.csr_array(np.array([[1.0, 1]]))
    with pytest.raises(ContradictionError):
        intervals(Sums(one, np.array([3]), np.zeros(2), np.ones(2)))


def test_a_bridge_in_a_large_table_is_found():
    """Two blocks that share no line but for one cell: it is known from their totals."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 10, (60, 200))
    hidden = np.zeros(true.shape, bool)
    hidden[:30, :100] = hidden[30:, 100:] = True
    hidden[5, 150] = True
    i, j = np.nonzero(hidden)
    n = len(i)
    where = np.r_[i, 60 + j], np.r_[np.arange(n), np.arange(n)]
    matrix = sparse.csr_array((np.ones(2 * n), where), (260, n))
    sums = Sums(matrix, matrix @ true[hidden], np.zeros(n), np.full(n, 9.0))
    np.testing.assert_array_equal(intervals(sums).exact, intervals(sums, 5).exact)
    found = intervals(sums, 5)
    assert list(zip(i[found.exact], j[found.exact], strict=True)) == [(5, 150)]
    assert found.low[found.exact] == true[5, 150]
    assert (found.seen_high - found.seen_low >= 5)[~found.exact].mean() > 0.99
