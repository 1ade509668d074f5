"""Points with intervals, and tables of means, that all papers share."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from lib.papers import figures, summaries

ROWS = pd.DataFrame(
    [
        {"data": data, "attack": attack, "size": size, "target": target, "AUC": auc}
        for data, high in (("commuters", 0.9), ("cabspotting", 0.8))
        for attack, less in (("KK", 0.0), ("ZK", 0.1))
        for size in (10, 100)
        for target, auc in ((0, high - less), (1, high - less + 0.04))
    ]
)
MEANS = summaries.means(ROWS, ["data", "attack", "size"], "AUC").sort_index()


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_each_panel_has_a_line_of_means_for_each_attack():
    axes = figures.intervals(MEANS, "size", "attack", "data", level=0.5, ticks=True)
    assert list(axes) == ["cabspotting", "commuters"]
    for data, ax in axes.items():
        lines = [container.lines[0] for container in ax.containers]
        assert [line.get_color() for line in lines] == [figures.color("KK"), figures.color("ZK")]
        for attack, line in zip(("KK", "ZK"), lines, strict=True):
            assert line.get_xdata().tolist() == [10, 100]
            np.testing.assert_allclose(line.get_ydata(), MEANS.loc[(data, attack), "mean"])
    titles = {axes["commuters"].get_title(loc) for loc in ("left", "center")}  # style or default
    assert titles == {"", figures.label("commuters")}


def test_bars_reach_from_the_lower_to_the_upper_end_and_a_missing_interval_has_none():
    one = pd.DataFrame({"x": [1, 2], "mean": 0.5, "95% low": [0.2, np.nan], "95% high": 0.6})
    (ax,) = figures.intervals(one, "x").values()
    bars = ax.containers[0].lines[2][0].get_segments()
    np.testing.assert_allclose(bars[0], [[1, 0.2], [1, 0.6]])
    assert len(bars[1]) < 2 or np.isnan(bars[1]).any()


def test_a_second_name_changes_the_stroke_and_not_the_colour():
    axes = figures.intervals(MEANS, "size", ["attack", "data"], xscale="log", apart=0.02)
    lines = [container.lines[0] for container in axes[""].containers]
    assert len({line.get_color() for line in lines}) == 2
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 4
    assert len({tuple(line.get_xdata()) for line in lines}) == 4  # moved apart


def test_panels_of_two_names_and_the_legend_of_all_lines():
    axes = figures.intervals(MEANS, "size", "data", ["attack", "data"], columns=2)
    assert set(axes) == {(a, d) for a in ("KK", "ZK") for d in ("commuters", "cabspotting")}
    figures.finish(axes)
    (legend,) = plt.gcf().legends
    assert {text.get_text() for text in legend.get_texts()} == {
        figures.label("commuters"),
        "cabspotting",
    }


def test_a_table_has_means_differences_and_the_order_of_the_rows():
    table = figures.table(
        ROWS, ["data", "size"], "AUC", "attack", pairs=[("ZK", "KK"), ("sum", "ZK")]
    )
    assert list(table.columns) == ["KK", "ZK", "ZK - KK"]
    names = [figures.label(data) for data in ("commuters", "cabspotting")]
    assert list(table.index) == [(name, size) for name in names for size in (10, 100)]
    assert table.loc[(names[0], 10), "KK"].startswith("0.92 [")
    assert table.loc[(names[0], 10), "ZK - KK"] == "-0.10 [-0.10, -0.10]"


def test_a_table_of_several_values_ends_intervals_at_a_limit():
    rows = ROWS.assign(accuracy=ROWS["AUC"] - 0.2)
    table = figures.table(
        rows, ["attack"], {"AUC": "AUC", "accuracy": "share"}, digits=3, within=(0, 0.8)
    )
    assert list(table.columns) == ["AUC", "share"]
    assert table.loc["ZK"].tolist() == ["0.770 [0.722, 0.800]", "0.570 [0.522, 0.618]"]


@pytest.mark.parametrize("name", ["LPA(Δ/ε)", "SCM Lap(|T|/ε)"])
def test_the_name_of_a_mechanism_is_no_path(name):
    assert figures.label(name) == figures.line_style(name)["label"] == name


def test_panels_beside_each_other_show_the_points_of_all():
    rows = pd.DataFrame({"town": ["a", "b"], "size": [10, 10], "mean": [0.5, 0.9]})
    rows = rows.assign(**{"95% low": rows["mean"] - 0.02, "95% high": rows["mean"] + 0.02})
    axes = figures.intervals(rows, "size", panel="town", columns=2)
    for ax in axes.values():
        low, high = ax.get_ylim()
        assert low < 0.48
        assert high > 0.92
