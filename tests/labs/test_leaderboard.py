"""The leaderboard of releases: what is measured, who is beaten, and what is refused."""

import numpy as np
import pytest

from lib.aggregation import aggregate
from lib.chapters import leaderboard


def raw(traces, groups, rng):
    return aggregate(traces, groups)


def coin(traces, groups, rng):
    return rng.random((len(groups), traces.n_rois, traces.n_epochs))


@pytest.fixture(scope="module")
def flights():
    return leaderboard.population()


def test_raw_counts_are_found_and_a_coin_is_not(flights):
    found = leaderboard.row(leaderboard.evaluate(raw, flights))
    assert found["risk"] > 0.95
    assert found["error"] == 0
    blind = leaderboard.row(leaderboard.evaluate(coin, flights))
    assert blind["risk"] < 0.6
    assert blind["error"] > 0.9


def test_a_game_is_the_same_again_and_another_seed_draws_others(flights):
    one, two = (leaderboard.evaluate(raw, flights, seed=4) for _ in range(2))
    assert one.equals(two)
    assert not one.index.equals(leaderboard.evaluate(raw, flights, seed=5).index)


def test_misplaced_counts_are_a_share():
    counts = np.array([[[1.0, 3.0]], [[2.0, 0.0]]])
    released = np.array([[[2.0, 2.0]], [[-1.0, 0.0]]])
    assert leaderboard.misplaced(counts, 2 * counts) == 0
    assert leaderboard.misplaced(counts, released) == pytest.approx((0.25 + 1) / 2)


@pytest.mark.slow
def test_a_handed_in_release_is_played_alone_and_the_beaten_come_last(flights, tmp_path):
    source = "def f(traces, groups, rng):\n    return {}\n\n\nrelease = f\n"
    shape = "(len(groups), traces.n_rois, traces.n_epochs)"
    (tmp_path / "flat.py").write_text("import numpy as np\n" + source.format(f"np.ones({shape})"))
    (tmp_path / "zero.py").write_text("import numpy as np\n" + source.format(f"np.zeros({shape})"))
    assert leaderboard.submit("mine", raw, tmp_path).read_text().endswith("release = raw\n")
    (tmp_path / "mine.py").write_text(
        "from lib.aggregation import aggregate\n" + source.format("aggregate(traces, groups)")
    )
    table = leaderboard.board(tmp_path, flights)
    assert list(table.index) == ["flat", "mine", "zero"]
    assert list(table["beaten"]) == ["", "", "yes"]


def test_what_is_no_release_is_refused(flights, tmp_path):
    with pytest.raises(ValueError, match="counts of"):
        leaderboard.evaluate(lambda traces, groups, rng: np.zeros(3), flights)
    with pytest.raises(ValueError, match="not finite"):
        leaderboard.evaluate(lambda *each: raw(*each) * np.nan, flights)
    with pytest.raises(ValueError, match="letters, digits"):
        leaderboard.submit("../mine", raw, tmp_path)
    with pytest.raises(ValueError, match="holds no release"):
        leaderboard.board(tmp_path, flights)
    (tmp_path / "empty.py").write_text("release = 3\n")
    with pytest.raises(ValueError, match=r"empty\.py defines no function"):
        leaderboard.board(tmp_path, flights)
