"""Hidden counts that published sums reveal: exact values, and the interval that is left.

Every published total is a sum over cells, so all totals together are a system of linear equations
in the hidden cells. The interval of a cell runs from its smallest to its largest value over all
solutions in whole numbers. Where each cell is in at most two sums, as in a table with row and
column totals, the system is a network: its solutions are flows, a cell is known exactly if no
cycle passes through it, and intervals in whole numbers equal those in real numbers. All other
parts of a system are solved by linear programs, which find the cells that are the same in all
solutions in real numbers, and then by integer programs (HiGHS).

All limits count steps of the algorithms, none the time that they take. A result is therefore the
same on every machine.

Sources: Gusfield 1988 (networks); Dobra and Fienberg 2000 (bounds); Fischetti and Salazar 2000
(protection).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import optimize, sparse
from scipy.sparse import csgraph

_ROUNDS = 50  # of tightening, which only makes the search shorter
_FLOWS = 16  # random flows that show how far cells may move
_SAMPLES = 30  # random short cycles through each cell, in each flow
_PUSHES = 1000  # arcs that are moved as far as they go before short cycles are sampled again
_MOST_WORK = 3 * 10**11  # pairs of nodes looked at for intervals of a network: half a minute
_MOST_NODES = 10_000  # of a network, to tell for all pairs whether something can be moved
_MOST_NODES_SAMPLED = 3000  # the same, to tell how much
_MOST_ENTRIES = 300_000  # of the matrix of a linear program: about a quarter of a minute
_MOST_BRANCHES = 20_000  # of an integer program
_WORK = 1e8  # of integer programs, in units of `_Program`: about half a minute
_BRANCH = 20  # work of a branch, for each entry of the matrix
_LARGEST_FLOW = 2**29  # scipy computes flows in int32; with larger sums, integer programs do
_LARGEST_COST = 10**6
_UNBOUNDED = 10**6  # above all sums: a stand-in for a missing upper bound in integer programs


class Sums(NamedTuple):
    """Published sums of hidden cells.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array, shape (n_sums, n_cells)
        1 where a cell is added, -1 where it is subtracted.
    totals : ndarray, shape (n_sums,)
        Whole numbers.
    low, high : ndarray, shape (n_cells,)
        Whole numbers known beforehand; `high` may be infinite.
    whole : bool
        Whether cells are whole numbers.
    """

    matrix: sparse.csr_array
    totals: np.ndarray
    low: np.ndarray
    high: np.ndarray
    whole: bool = True


class Intervals(NamedTuple):
    """What is known of each cell.

    Parameters
    ----------
    low, high : ndarray, shape (n_cells,)
        No solution is outside; equal where a cell is known exactly.
    seen_low, seen_high : ndarray, shape (n_cells,)
        Solutions with these values were found.
    decided : ndarray of bool, shape (n_cells,)
        Whether it is certain if the cell is known exactly.
    """

    low: np.ndarray
    high: np.ndarray
    seen_low: np.ndarray
    seen_high: np.ndarray
    decided: np.ndarray

    @property
    def exact(self) -> np.ndarray:
        """Which cells are known exactly."""
        return np.asarray(self.low == self.high)


class ContradictionError(ValueError):
    """The sums have no solution."""


def intervals(sums: Sums, width: np.ndarray | int = 0, work: float = _WORK) -> Intervals:
    """Find the cells that the sums determine, and the intervals of cells that are nearly known.

    In a network all determined cells are found. Narrow intervals are searched for up to a limit of
    work, which a table of 100 zones and 744 hours hardly reaches.

    Parameters
    ----------
    sums : Sums
        The system.
    width : int or ndarray, shape (n_cells,)
        Intervals narrower than this are computed to their ends. Of wider ones the result only
        shows that they are as wide.
    work : float
        Limit of the work for integer programs, which does not apply to networks: the square of the
        number of entries of a program's matrix, and 20 times this number for each branch. Cells
        that are left are not `decided`.

    Returns
    -------
    Intervals
        Intervals of all cells.

    Raises
    ------
    ContradictionError
        If the sums have no solution.
    """
    low, high = _tighten(sums)
    free = low < high
    n = len(low)
    found = Intervals(low, high, np.where(free, np.inf, low), np.where(free, -np.inf, high), ~free)
    widths = np.broadcast_to(np.asarray(width, float), n)
    parts, network = _parts(sums.matrix[:, free])
    if np.abs(sums.totals).sum() + widths.max(initial=0) >= _LARGEST_FLOW:
        network[:] = False
    cells = np.flatnonzero(free)
    flows = cells[network]
    if len(flows):
        _search_network(_restrict(sums, found, flows), found, flows, widths[flows])
    for part in np.unique(parts[~network]):
        chosen = cells[(parts == part) & ~network]
        part_of = _restrict(sums, found, chosen)
        work -= _search_program(part_of, found, chosen, widths[chosen], work)
    return found


def _restrict(sums: Sums, found: Intervals, cells: np.ndarray) -> Sums:
    """The sums of some free cells; all other free cells are in other sums."""
    matrix = sums.matrix[:, cells]
    rows = np.flatnonzero(np.diff(matrix.indptr))
    known = np.where(found.low == found.high, found.low, 0.0)
    totals = (sums.totals - sums.matrix @ known)[rows]
    return Sums(matrix[rows], totals, found.low[cells], found.high[cells], sums.whole)


def _tighten(sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Narrow each cell by each sum alone, with all other cells at their ends."""
    entries = sums.matrix.tocoo()
    row, cell, sign = entries.row, entries.col, entries.data
    low, high, n = sums.low.astype(float), sums.high.astype(float), len(sums.totals)
    for _ in range(_ROUNDS):
        _check_order(low, high)
        least = np.where(sign > 0, low[cell], -high[cell])
        most = np.where(sign > 0, high[cell], -low[cell])
        bottom = sums.totals[row] - _others(most, row, n, np.inf)
        top = sums.totals[row] - _others(least, row, n, -np.inf)
        new_low, new_high = low.copy(), high.copy()
        np.maximum.at(new_low, cell, np.where(sign > 0, bottom, -top))
        np.minimum.at(new_high, cell, np.where(sign > 0, top, -bottom))
        if np.array_equal(new_low, low) and np.array_equal(new_high, high):
            break
        low, high = new_low, new_high
    _check_order(low, high)
    known = low == high
    settled = np.diff(sums.matrix[:, ~known].indptr) == 0
    apart = sums.totals - sums.matrix @ np.where(known, low, 0.0)
    if (settled & (apart != 0)).any():
        raise ContradictionError("totals contradict the counts")
    return low, high


def _others(ends: np.ndarray, row: np.ndarray, n: int, infinite: float) -> np.ndarray:
    """For each entry, the sum of the other entries of its row."""
    endless = np.isinf(ends)
    finite = np.where(endless, 0.0, ends)
    sums = np.bincount(row, finite, n)[row] - finite
    return np.where(np.bincount(row, endless, n)[row] - endless > 0, infinite, sums)


def _check_order(low: np.ndarray, high: np.ndarray) -> None:
    if (low > high).any():
        raise ContradictionError("totals contradict the counts")


def _parts(matrix: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Number of each cell's connected component, and whether this is a network."""
    n_rows, n_cells = matrix.shape
    graph = sparse.block_array([[None, abs(matrix)], [abs(matrix).T, None]], format="csr")
    label = csgraph.connected_components(graph, directed=False)[1]
    of_row, of_cell = label[:n_rows], label[n_rows:]
    columns = matrix.tocsc()
    crowded = np.diff(columns.indptr) > 2
    bad = np.zeros(n_rows + n_cells, bool)
    bad[of_cell[crowded]] = True
    sign = _row_signs(columns)
    bad[of_row[sign == 0]] = True
    return of_cell, ~bad[of_cell]


def _row_signs(columns: sparse.csc_array) -> np.ndarray:
    """Signs of rows after which each cell is added once and subtracted once; 0 if there are none.

    Two copies of each row, plus and minus, are joined where a cell says that they go together. If
    plus and minus of a row are joined, no signs exist.
    """
    n = columns.shape[0]
    first, second, parity = _pairs(columns)
    same = parity > 0
    a = np.r_[first, first + n]
    b = np.r_[np.where(same, second, second + n), np.where(same, second + n, second)]
    joined = sparse.coo_array((np.ones(len(a)), (a, b)), (2 * n, 2 * n)).tocsr()
    label = csgraph.connected_components(joined, directed=False)[1]
    return np.sign(label[n:] - label[:n])


def _pairs(columns: sparse.csc_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both rows of each cell that is in two, and 1 if their signs go together, otherwise -1."""
    start = columns.indptr[:-1][np.diff(columns.indptr) == 2]
    rows, data = columns.indices, columns.data
    return rows[start], rows[start + 1], -data[start] * data[start + 1]


# -- networks --------------------------------------------------------------------------------------


class _Network(NamedTuple):
    """A flow network: one arc a cell, one node a sum, and one node for what is in one sum only."""

    tail: np.ndarray
    head: np.ndarray
    capacity: np.ndarray
    demand: np.ndarray


def _search_network(sums: Sums, found: Intervals, cells: np.ndarray, width: np.ndarray) -> None:
    network, rng = _network(sums, int(width.max(initial=0))), np.random.default_rng(0)
    flow = _flow(network, rng)
    constant = ~_movable(network, flow)
    base = sums.low
    found.low[cells[constant]] = found.high[cells[constant]] = (base + flow)[constant]
    found.decided[cells] = True
    least, most = flow.copy(), flow.copy()
    if (width > 0).any():
        width = np.where(constant, 0, width)
        walk = _Walk(network, flow, least, most)
        for _ in range(_FLOWS):
            walk.sample_short_cycles(_flow(network, rng), width, rng)
        for arc in walk.reach_ends(width, rng):
            found.low[cells[arc]], found.high[cells[arc]] = base[arc] + (least[arc], most[arc])
    found.seen_low[cells], found.seen_high[cells] = base + least, base + most


def _network(sums: Sums, width: int) -> _Network:
    columns = sums.matrix.tocsc()
    n_rows, n_cells = columns.shape
    sign = _row_signs(columns)
    cell = np.repeat(np.arange(n_cells), np.diff(columns.indptr))
    into = sign[columns.indices] * columns.data > 0
    tail, head = np.full(n_cells, n_rows), np.full(n_cells, n_rows)
    head[cell[into]], tail[cell[~into]] = columns.indices[into], columns.indices[~into]
    demand = sign * (sums.totals - sums.matrix @ sums.low)
    demand = np.r_[demand, -demand.sum()]
    most = np.abs(demand).sum() + width + 1  # a flow without circles is not above all demands
    capacity = np.minimum(sums.high - sums.low, most)
    return _Network(tail, head, capacity.astype(np.int64), demand.astype(np.int64))


def _flow(network: _Network, rng: np.random.Generator) -> np.ndarray:
    """A flow that meets all demands; which one depends on the order of nodes, drawn at random."""
    n, order = len(network.demand), rng.permutation(len(network.demand))
    pair = order[network.tail] * n + order[network.head]
    arcs = np.lexsort((rng.random(len(pair)), pair))
    pairs, first, group = np.unique(pair[arcs], return_index=True, return_inverse=True)
    before = np.cumsum(network.capacity[arcs]) - network.capacity[arcs]
    before -= before[first][group]  # capacity of parallel arcs that are filled first
    together = np.add.reduceat(network.capacity[arcs], first)
    source, sink = n, n + 1
    need = np.zeros(n, np.int64)
    need[order] = network.demand
    out, into = np.flatnonzero(need < 0), np.flatnonzero(need > 0)
    rows = np.r_[pairs // n, np.full(len(out), source), into]
    columns = np.r_[pairs % n, out, np.full(len(into), sink)]
    limits = np.minimum(np.r_[together, -need[out], need[into]], _LARGEST_FLOW).astype(np.int32)
    graph = sparse.csr_array((limits, (rows, columns)), (n + 2, n + 2))
    solved = csgraph.maximum_flow(graph, source, sink)
    if solved.flow_value != need[into].sum():
        raise ContradictionError("totals contradict the counts")
    through = np.asarray(solved.flow[pairs // n, pairs % n]).ravel()
    flow = np.empty(len(pair), np.int64)
    flow[arcs] = np.clip(through[group] - before, 0, network.capacity[arcs])
    return flow


def _movable(network: _Network, flow: np.ndarray) -> np.ndarray:
    """Which arcs have another flow in some solution: those on a cycle of the residual graph.

    An arc within a strongly connected component is on a cycle, unless it is a bridge: then its only
    way back is itself.
    """
    n, up, down = len(network.demand), flow < network.capacity, flow > 0
    start = np.r_[network.tail[up], network.head[down]]
    end = np.r_[network.head[up], network.tail[down]]
    residual = sparse.coo_array((np.ones(len(start)), (start, end)), (n, n)).tocsr()
    label = csgraph.connected_components(residual, connection="strong")[1]
    movable = label[network.tail] == label[network.head]
    inside = np.flatnonzero(movable)
    movable[inside[_bridges(network.tail[inside], network.head[inside], n)]] = False
    return movable


def _bridges(tail: np.ndarray, head: np.ndarray, n: int) -> np.ndarray:
    """Edges without which an undirected graph with parallel edges falls apart (Tarjan 1974)."""
    graph = sparse.coo_array((np.ones(len(tail)), (tail, head)), (n, n)).tocsr()
    roots = np.unique(csgraph.connected_components(graph, False)[1], return_index=True)[1]
    above = sparse.coo_array((np.ones(len(roots)), (np.full(len(roots), n), roots)), (n + 1, n + 1))
    graph = sparse.csr_array((graph.data, graph.indices, np.r_[graph.indptr, graph.nnz]))
    graph.resize((n + 1, n + 1))
    order, parent = csgraph.depth_first_order((graph + above).tocsr(), n, directed=False)
    place = np.empty(n + 1, np.int64)
    place[order] = np.arange(n + 1)
    child = np.where(parent[head] == tail, head, np.where(parent[tail] == head, tail, -1))
    of_tree, edge = np.unique(child, return_index=True)
    of_tree, edge = of_tree[of_tree >= 0], edge[of_tree >= 0]
    other = np.ones(len(tail), bool)
    other[edge] = False
    first, last, size = place.copy(), place.copy(), np.ones(n + 1, np.int64)
    for a, b in ((tail[other], head[other]), (head[other], tail[other])):
        np.minimum.at(first, a, place[b])
        np.maximum.at(last, a, place[b])
    for node in order[:0:-1]:  # children before their parents
        up = parent[node]
        first[up], last[up] = min(first[up], first[node]), max(last[up], last[node])
        size[up] += size[node]
    alone = (first >= place) & (last < place + size)  # no other edge leaves the subtree
    return edge[alone[of_tree]]


class _Walk:
    """A flow that is changed along cycles.

    Parameters
    ----------
    network : _Network
        The network.
    flow, least, most : ndarray of int
        The flow, and the smallest and largest flow of each arc that was seen; changed in place.
    """

    def __init__(self, network: _Network, flow: np.ndarray, least: np.ndarray, most: np.ndarray):
        self.network, self.flow, self.least, self.most = network, flow, least, most
        self.work = 0  # arcs that were looked at
        self.n = len(network.demand)
        ends, others = np.r_[network.tail, network.head], np.r_[network.head, network.tail]
        pair = ends * self.n + others
        order = np.argsort(pair, kind="stable")
        arcs = np.r_[np.arange(len(flow)), np.arange(len(flow))]
        signs = np.repeat([1, -1], len(flow))
        self.next, self.pair = others[order], pair[order]
        self.arc, self.sign = arcs[order], signs[order]
        self.start = np.searchsorted(ends[order], np.arange(self.n + 1))
        self.open = np.zeros((0, 0), bool)  # from which node to which something can be moved
        if self.n <= _MOST_NODES:
            self.open = np.zeros((self.n, self.n), bool)
            self.open.ravel()[self.pair[self.room(self.arc, self.sign) > 0]] = True

    def room(
        self, arcs: np.ndarray, signs: np.ndarray, flow: np.ndarray | None = None
    ) -> np.ndarray:
        """How far arcs can be raised (sign 1) or lowered (sign -1)."""
        now = (self.flow if flow is None else flow)[arcs]
        return np.where(signs > 0, self.network.capacity[arcs] - now, now)

    def sample_short_cycles(
        self, flow: np.ndarray, width: np.ndarray, rng: np.random.Generator
    ) -> None:
        """Show quickly that most arcs can move by `width`, along cycles of two and four arcs."""
        np.minimum(self.least, flow, out=self.least)
        np.maximum(self.most, flow, out=self.most)
        between = self._room_between(flow)
        for _ in range(_SAMPLES):
            todo = np.flatnonzero(self.most - self.least < width)
            for sign in (1, -1) if len(todo) else ():
                room = self._sampled_room(flow, between, todo, sign, rng)
                moved = flow[todo] + sign * room
                self.least[todo] = np.minimum(self.least[todo], moved)
                self.most[todo] = np.maximum(self.most[todo], moved)

    def _room_between(self, flow: np.ndarray) -> np.ndarray:
        """Largest residual capacity between each two nodes; empty if there are too many nodes."""
        n = self.n
        if n > _MOST_NODES_SAMPLED:
            return np.zeros((0, 0), np.int64)
        between = np.zeros((n, n), np.int64)
        tail, head = self.network.tail, self.network.head
        np.maximum.at(between, (tail, head), self.network.capacity - flow)
        np.maximum.at(between, (head, tail), flow)
        np.fill_diagonal(between, _LARGEST_FLOW)  # staying costs nothing
        return between

    def _sampled_room(
        self,
        flow: np.ndarray,
        between: np.ndarray,
        arcs: np.ndarray,
        sign: int,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """How far each arc can move along one random cycle of two to four arcs."""
        ends = (self.network.head, self.network.tail)[::sign]
        start, end = ends[0][arcs], ends[1][arcs]
        one, three = self._draw(start, rng), self._draw(end, rng)
        a, b = self.next[one], self.next[three]
        into = self.room(self.arc[one], self.sign[one], flow)
        out = self.room(self.arc[three], -self.sign[three], flow)  # the same arc, the other way
        own = self.room(arcs, np.full(len(arcs), sign), flow)
        apart = (a != end) & (b != start)
        long = np.zeros(len(arcs), np.int64)
        if len(between):
            long = np.where(apart, np.minimum(np.minimum(into, out), between[a, b]), 0)
        short = np.where((a == end) & (self.arc[one] != arcs), into, 0)
        return np.minimum(own, np.maximum(long, short))

    def _draw(self, nodes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A random place, in `next`, of something that leaves each node."""
        size = self.start[nodes + 1] - self.start[nodes]
        return self.start[nodes] + (rng.random(len(nodes)) * size).astype(np.int64)

    def reach_ends(self, width: np.ndarray, rng: np.random.Generator) -> Iterator[int]:
        """Move arcs seen in less than `width` as far as they go; yield those that are narrower."""
        narrow = np.flatnonzero(self.most - self.least < width)
        for n, arc in enumerate(narrow.tolist() if len(self.open) else ()):
            if self.work > _MOST_WORK:
                return
            if n % _PUSHES == 0:  # the flow has changed: other short cycles have room now
                self.sample_short_cycles(self.flow, width, rng)
            for sign in (1, -1):
                while self.most[arc] - self.least[arc] < width[arc] and self.push(arc, sign):
                    pass
            if self.most[arc] - self.least[arc] < width[arc]:  # both ends were reached
                width[arc] = 0
                yield arc

    def push(self, arc: int, sign: int) -> bool:
        """Raise or lower one arc along a shortest cycle; False if there is none."""
        if self.room(np.array([arc]), np.array([sign]))[0] <= 0:
            return False
        tail, head = int(self.network.tail[arc]), int(self.network.head[arc])
        start, end = (head, tail) if sign > 0 else (tail, head)
        before = self.open[start, end]  # the arc's own return leads nowhere
        self.open[start, end] = self._widest(start, end, without=arc)[1] > 0
        path = self._path(start, end)
        moves = [self._widest(a, b, without=arc) for a, b in pairwise(path)]
        self.open[start, end] = before
        if not path:
            return False
        arcs = np.array([arc, *(self.arc[place] for place, _ in moves)])
        signs = np.array([sign, *(self.sign[place] for place, _ in moves)])
        self.flow[arcs] += signs * self.room(arcs, signs).min()
        self.least[arcs] = np.minimum(self.least[arcs], self.flow[arcs])
        self.most[arcs] = np.maximum(self.most[arcs], self.flow[arcs])
        for a, b in pairwise([end, *path]):
            self.open[a, b] = self._widest(a, b)[1] > 0
            self.open[b, a] = self._widest(b, a)[1] > 0
        return True

    def _widest(self, start: int, end: int, without: int = -1) -> tuple[int, int]:
        """Place, in `next`, of what leads farthest from one node to another, and its room."""
        first, last = np.searchsorted(self.pair, start * self.n + end + np.arange(2)).tolist()
        if first == last:
            return -1, 0
        room = self.room(self.arc[first:last], self.sign[first:last])
        room[self.arc[first:last] == without] = 0
        best = int(room.argmax())
        return first + best, int(room[best])

    def _path(self, start: int, end: int) -> list[int]:
        """Nodes of a shortest way along which something can be moved; empty if there is none."""
        new = np.ones(self.n, bool)
        new[start] = False
        layers = [np.array([start])]
        while len(layers[-1]) and new[end]:
            self.work += len(layers[-1]) * self.n
            reached = self.open[layers[-1]].any(axis=0) & new
            new &= ~reached
            layers.append(np.flatnonzero(reached))
        if new[end]:
            return []
        path = [end]
        for layer in layers[-2::-1]:
            path.append(int(layer[self.open[layer, path[-1]].argmax()]))
        return path[::-1]


# -- linear and integer programs -------------------------------------------------------------------


def _search_program(
    sums: Sums, found: Intervals, cells: np.ndarray, width: np.ndarray, work: float
) -> float:
    """Search one part that is no network; return the work that was done."""
    rng, program = np.random.default_rng(0), _Program(sums, work)
    try:
        if sums.whole:
            relaxed = _Program(sums._replace(whole=False), work)
            program.fix(relaxed.constant_cells(rng), relaxed.least)
        _store(program.known, program, found, cells)
        _store(program.constant_cells(rng), program, found, cells)
        found.decided[cells] = True
        for cell in np.flatnonzero(program.most - program.least < width):
            if found.low[cells[cell]] < found.high[cells[cell]]:
                program.reach_ends(int(cell))
                found.low[cells[cell]] = program.least[cell]
                found.high[cells[cell]] = program.most[cell]
    except _OutOfWorkError:
        found.decided[cells] |= program.most > program.least
    found.seen_low[cells], found.seen_high[cells] = program.least, program.most
    return program.work


def _store(known: np.ndarray, program: _Program, found: Intervals, cells: np.ndarray) -> None:
    found.low[cells[known]] = found.high[cells[known]] = program.least[known]
    found.decided[cells[known]] = True


class _OutOfWorkError(Exception):
    """The next program would exceed the limit of work."""


class _Program:
    """An integer program, or a linear one where cells are real numbers.

    Parameters
    ----------
    sums : Sums
        The system.
    most_work : float
        Limit of the work of integer programs.

    Attributes
    ----------
    least, most : ndarray
        Smallest and largest value of each cell in solutions that were found.
    known : ndarray of bool
        Cells that were fixed.
    work : float
        Work of the integer programs that were solved.
    """

    def __init__(self, sums: Sums, most_work: float):
        self.sums, self.most_work, self.work = sums, most_work, 0.0
        n = len(sums.low)
        self.least, self.most = np.full(n, np.inf), np.full(n, -np.inf)
        self.known = np.zeros(n, bool)
        top = np.abs(sums.totals).sum() + _UNBOUNDED
        self.low, self.high = sums.low.copy(), np.minimum(sums.high, sums.low + top)

    def fix(self, known: np.ndarray, values: np.ndarray) -> None:
        """Fix cells whose values are known."""
        if (known & (values != np.rint(values))).any():
            raise ContradictionError("totals contradict the counts")
        self.known = known
        for each in (self.low, self.high, self.least, self.most):
            each[known] = values[known]

    def solve(self, cost: np.ndarray) -> None:
        """Find the solution of smallest cost and remember its cells."""
        values = np.rint(self._whole(cost)) if self.sums.whole else np.round(self._real(cost), 6)
        np.minimum(self.least, values, out=self.least)
        np.maximum(self.most, values, out=self.most)

    def _whole(self, cost: np.ndarray) -> np.ndarray:
        size = self.sums.matrix.nnz
        branches = int((self.most_work - self.work - size**2) // (_BRANCH * size))
        if branches < 1:
            raise _OutOfWorkError
        solved = optimize.milp(
            cost,
            constraints=optimize.LinearConstraint(
                self.sums.matrix, self.sums.totals, self.sums.totals
            ),
            bounds=optimize.Bounds(self.low, self.high),
            integrality=np.ones(len(cost)),
            options={"node_limit": min(branches, _MOST_BRANCHES), "mip_rel_gap": 0},
        )
        self.work += size**2 + _BRANCH * size * int(solved.get("mip_node_count") or 0)
        return _solution(solved)

    def _real(self, cost: np.ndarray) -> np.ndarray:
        if self.sums.matrix.nnz > _MOST_ENTRIES:
            raise _OutOfWorkError
        return _solution(
            optimize.linprog(
                cost,
                A_eq=self.sums.matrix,
                b_eq=self.sums.totals,
                bounds=np.column_stack([self.low, self.high]),
                method="highs-ipm",
            )
        )

    def constant_cells(self, rng: np.random.Generator) -> np.ndarray:
        """Find the cells that are the same in all solutions.

        A random combination of cells has the same smallest and largest value only if all of them
        are constant, except with a probability below 1e-6.
        """
        same = ~self.known
        while same.any():
            sign = rng.choice([-1, 1], len(same))
            cost = np.where(same, sign * rng.integers(1, _LARGEST_COST, len(same)), 0)
            self.solve(cost)
            self.solve(-cost)
            still = same & (self.least == self.most)
            if np.array_equal(still, same):
                break
            same = still
        return same | self.known

    def reach_ends(self, cell: int) -> None:
        """Find the smallest and the largest value of one cell."""
        cost = np.zeros(len(self.least))
        cost[cell] = 1
        self.solve(cost)
        self.solve(-cost)


def _solution(solved: optimize.OptimizeResult) -> np.ndarray:
    if solved.status == 2:
        raise ContradictionError("totals contradict the counts")
    if solved.status != 0:
        raise _OutOfWorkError
    return np.asarray(solved.x)
