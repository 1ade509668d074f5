"""Experiments of aggregation privacy on a few synthetic users, and what is made of their rows."""

import json
from dataclasses import replace

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from lib import localization as loc
from lib import metrics
from lib.datasets import load
from lib.execution import environment
from lib.papers import claims
from lib.papers.aggregation_privacy import claims as findings
from lib.papers.aggregation_privacy import defense_figures, figures, interpretation_experiments
from lib.papers.aggregation_privacy import experiments as crowd
from lib.papers.aggregation_privacy import replication_figures as drawings
from lib.randomness import stream

matplotlib.use("agg")


@pytest.fixture(scope="module")
def weeks():
    return {"commuters": crowd.load_week("commuters", 24), "cabs": crowd.load_week("cabs", 20)}


def test_rows_of_errors_have_the_mean_and_interval_of_the_users(weeks):
    unit = ("profiling", "FREQ_ROI")
    rows = crowd.errors(weeks, units={key: [unit] for key in weeks})
    found = weeks["cabs"].errors(*unit)["BAYES"]
    table = figures.errors_table(rows, *unit).loc[("cabs", "BAYES")]
    assert table["error"] == pytest.approx(found.mean())
    assert (table["95% low"], table["95% high"]) == pytest.approx(metrics.mean_interval(found))
    assert rows.loc[7, "50%"] == pytest.approx(np.median(found), abs=1e-4)


def test_pairs_are_paired_by_user(weeks):
    unit = ("localization", "FREQ_ROI", "ROI_DAY")
    rows = crowd.pairs(weeks, units={key: [unit] for key in weeks})
    row = rows[(rows["data"] == "cabs") & (rows["first"] == "ALL")].squeeze()
    errors = [weeks["cabs"].errors("localization", kind)["ALL"] for kind in unit[1:]]
    apart = errors[0] - errors[1]
    assert row["second"] == "ALL"
    assert row["error"] == pytest.approx(apart.mean())
    assert row["error se"] == pytest.approx(apart.std(ddof=1) / 20**0.5)
    assert row["first better"] == (apart < 0).mean()


def test_a_level_of_noise_is_the_same_alone(weeks):
    whole = crowd.noise({"cabs": weeks["cabs"]}, n_releases=1, ps=[0.5], epsilons=[0.1, 1.0])
    unit = ("FPA", 1.0, "at")
    fresh = {"cabs": crowd.load_week("cabs", 20)}
    alone = crowd.noise(fresh, units={"cabs": [unit]}, n_releases=1, ps=[0.5], epsilons=[1.0])
    same = whole[(whole["mechanism"] == "FPA") & (whole["level"] == 1) & (whole["what"] == "at")]
    assert (same.reset_index(drop=True) == alone)[["MRE", "gain", "gain se"]].all(axis=None)


@pytest.mark.parametrize("unit", [("FPA", 0.3, "at"), ("SpotMe", 0.6, "at")])
def test_a_dataset_and_a_level_give_the_same_rows_alone_as_with_others(weeks, unit):
    settings = {"n_releases": 2, "ps": [0.4, 0.6], "epsilons": [0.1, 0.3, 1.0]}
    both = crowd.noise(weeks, **settings).set_index(["data", "mechanism", "level", "what"])
    for data in weeks:
        fresh = {data: crowd.load_week(data, weeks[data].truth.n_users)}
        alone = crowd.noise(fresh, units={data: [unit]}, **settings | {"ps": [0.6]})
        assert both.loc[(data, *unit)].tolist() == alone[both.columns].iloc[0].tolist()


def test_streams_of_noise_are_named(monkeypatch, weeks):
    asked = []
    monkeypatch.setattr(crowd, "stream", lambda *name: asked.append(name) or stream(*name))

    def drawn(data, name, level, *of):
        return [*crowd.releases(weeks["cabs"], data, name, level, 20, 2, 7, *of)]

    first, second = drawn("cabs", "FPA", 1)
    spotme = drawn("mine", "SpotMe", 0.6, "crowd-draws")
    assert asked == [
        *((7, "crowd-noise", "cabs", "FPA", 1.0, i) for i in range(2)),
        *((7, "crowd-draws", "mine", "SpotMe", 0.6, i) for i in range(2)),
    ]
    assert all(isinstance(name[4], float) for name in asked)  # 1 and 1.0 are different names
    assert len({each.tobytes() for each in (first, second, *spotme)}) == 4
    assert (drawn("cabspotting", "FPA", 1.0)[0] != first).any()  # other data, other noise


def test_all_coefficients_and_no_noise_give_the_counts_back(weeks):
    rows = crowd.fpa_interpretations(weeks, epsilons=[1e9], kappa=85, n_releases=2)
    cost = rows.set_index(["data", "reading"])["MRE"].unstack("data")
    assert (cost.loc[["orthonormal", "plain"]] == 0).all(axis=None)
    assert (cost.loc[["orthonormal, not mirrored", "plain, not mirrored"]] > 0).all(axis=None)


def test_parts_of_the_week_are_left_out_of_no_population(weeks):
    rows = crowd.parts(weeks, cities=["London"])
    local = rows[(rows["clock"] == "local") & (rows["less"] == "nothing")]
    assert local.groupby("data").size().tolist() == [5, 5]
    hours = crowd.hours({"cabs": weeks["cabs"]}).set_index("hour")
    evening = [24 * day + hour for day in range(5) for hour in (17, 18, 19)]
    expected = local[(local["data"] == "cabs") & (local["part"] == "weekday 17-20h")]["error"]
    assert hours.loc[evening, "PRIOR"].mean() == pytest.approx(expected.item())


def _dense(traces):
    return traces.matrix.toarray().reshape(traces.n_users, traces.n_rois, traces.n_epochs)


@pytest.mark.parametrize("unit", [("MAX_ROI", "squares"), ("MAX_USER", "visits")])
def test_tenths_count_the_places_of_the_dense_answer(weeks, unit):
    week = weeks["cabs"]
    rows = crowd.tenths({"cabs": week}, units={"cabs": [unit]})
    known, null = week.prior("FREQ_ROI"), list(week.traces.rois.index).index("null")
    answer = np.delete(crowd.GREEDY[unit[0]](known, week.counts).toarray(), null, axis=1)
    truth = np.delete(_dense(week.truth), null, axis=1)
    before = np.delete(_dense(week.traces), null, axis=1)[:, :, : -week.truth.n_epochs]
    visited = before.sum(axis=2)
    most = visited.sum(axis=1) if unit[1] == "visits" else (visited > 0).sum(axis=1)
    errors = week.errors("profiling", "FREQ_ROI")
    for i, part in enumerate(np.array_split(np.argsort(-most, kind="stable"), 10)):
        row = rows[rows["tenth"] == i + 1].squeeze()
        assert row["most"] == pytest.approx(most[part].mean())
        assert row["places"] == pytest.approx(answer[part].sum(axis=1).mean())
        assert row["placed"] == pytest.approx(answer[part].any(axis=1).mean())
        assert row["truly"] == pytest.approx(truth[part].any(axis=1).mean())
        assert row["less"] == pytest.approx((errors["PRIOR"] - errors[unit[0]])[part].mean())


def test_every_figure_takes_one_dataset_alone(weeks):
    one = {"cabs": weeks["cabs"]}
    rows = crowd.errors(one, units={"cabs": [("profiling", "FREQ_ROI")]})
    drawings.show_distributions(rows, "profiling", ["FREQ_ROI"])
    drawings.show_week(crowd.hours(one), {}, ["BAYES"])
    noise = crowd.noise(one, n_releases=1, ps=[0.5], epsilons=[1.0])
    drawings.show_gains(noise)
    drawings.show_spotme(noise)
    assert list(figures.half_price_table(noise).index) == ["cabs"]
    defense_figures.show_gain_price(noise, crowd.ignore_counts(one))
    rules = {crowd.LIKELIEST: 0.9, "raw counts": 0.8}
    defense_figures.show_lead({1.0: np.array([-0.1, 0.2, 0.3])})
    defense_figures.show_price(crowd.attack_noisy_releases(one, n_releases=2), rules)
    upper = plt.gcf().axes[0]
    titles = upper.get_title(), upper.get_title(loc="left")
    assert "attacker's mean error, frequent places as prior" in titles
    assert upper.get_ylim()[1] > np.sqrt(np.log(2))  # the line of the largest possible error
    null = crowd.compare_with_null(one, units={"cabs": [("profiling", "FREQ_ROI")]})
    figures.show_profiling(null)
    plt.close("all")


def test_pairs_in_hours_out_have_the_difference_of_the_means(weeks):
    one, kind = {"cabs": weeks["cabs"]}, "ROI_DAY"
    rows = crowd.compare_with_null(one, units={"cabs": [("profiling", kind)]})
    out = rows.set_index("strategy")["out"]
    paired = crowd.compare_out(one, units={"cabs": [kind]}).squeeze()
    assert paired["of prior"] == pytest.approx(out["PRIOR"] - out["BAYES"])
    assert paired["of counts"] == pytest.approx(out["AGGREGATE"] - out["BAYES"])


def test_tables_of_losses_and_of_pairs_have_the_errors_of_the_attackers(weeks):
    one, unit = {"cabs": weeks["cabs"]}, ("profiling", "FREQ_ROI")
    rows = crowd.compare_with_null(one, units={"cabs": [unit]})
    pairs = crowd.pairs(one, units={"cabs": [(*unit, "FREQ_ROI")]})
    losses = crowd.errors(one, units={"cabs": [unit]}).set_index("strategy")["loss"]
    table = figures.loss_table(rows).loc["frequent places"]
    assert table.loc["MAX_USER", "privacy loss"] == pytest.approx(losses["MAX_USER"], abs=5e-4)
    assert table.loc["the prior alone", "privacy loss"] == 0
    error = rows.set_index("strategy")["error"]
    assert table.loc["MAX_USER", "mean error"] == pytest.approx(error["MAX_USER"], abs=5e-4)
    found = figures.paired_table(rows, pairs).loc[("frequent places", "MAX_USER")]
    for column, without in {"prior": "PRIOR", "always null": crowd.NULL}.items():
        less = float(found[f"{column} minus attack"].split(" ")[0])
        assert less == pytest.approx(error[without] - error["MAX_USER"], abs=5e-4)


def test_levels_are_written_at_their_points_and_once_where_points_coincide():
    ax = plt.figure().subplots()
    x, levels = np.array([24.0, 23.0, 8.0]), np.array([0.01, 0.1, 1.0])
    defense_figures._write_levels(ax, 0, x, levels)
    assert [text.get_text() for text in ax.texts] == ["0.1, 0.01", "1"]
    ax = plt.figure().subplots()
    defense_figures._write_levels(ax, 0, np.array([24.0, 23.0, 22.0]), levels)
    assert [text.get_text() for text in ax.texts] == ["all 3 values"]
    plt.close("all")


def test_bands_of_a_night_cover_its_six_hours_and_scales_are_told_apart():
    series = {name: np.arange(24.0) for name in ("raw", "SCM Lap(1/ε)", "FPA")}
    errors, nights = dict.fromkeys(series, 1.0), np.arange(24) < 6
    for factor, differ in ((1, False), (9, True)):
        series["FPA"] = factor * np.arange(24.0)
        defense_figures.show_series(series, errors, [12], ["Mon"], "UTC", nights)
        figure = plt.gcf()
        bounds = [each.get_x() for each in figure.axes[0].patches]
        assert min(bounds) == -0.5 and max(bounds) + 1 == 5.5
        assert ("the scales differ" in figure.legends[0].get_title().get_text()) == differ
        plt.close("all")


def test_errors_have_a_logarithmic_axis_only_if_they_are_far_apart():
    axes = plt.figure().subplots(2)
    for ax, least in zip(axes, (0.01, 0.05), strict=True):
        figures.scale_errors(ax, np.array([least, 0.2]))
        ax.set_xlim(0.008, 0.3)
    assert [ax.get_xscale() for ax in axes] == ["log", "linear"]
    ticks = axes[0].get_xticks()
    assert ticks[(ticks > 0.008) & (ticks < 0.25)] == pytest.approx([0.01, 0.03, 0.1])
    plt.close("all")


def test_the_price_is_the_smallest_error_that_takes_half_of_the_largest_gain():
    rows = pd.DataFrame(
        [("FPA", 0.1, 9.0, 0.8), ("FPA", 1.0, 3.0, 0.5), ("SpotMe", 0.5, 1.0, 0.3)],
        columns=["mechanism", "level", "MRE", "gain"],
    ).assign(data="cabs", what="at")
    assert figures.half_price_table(rows).loc["cabs"].tolist() == [
        0.8,
        "FPA, ε = 1",
        "one user at one place",
        3.0,
        0.5,
    ]


def test_differences_may_be_asked_either_way():
    kept = findings._Stored()
    a, b = ("FREQ_ROI", "PRIOR"), ("ROI_DAY", "PRIOR")
    there, back = (kept.difference(findings.CAB, "profiling", *two) for two in ((a, b), (b, a)))
    assert there == pytest.approx((-back[0], *back[1:]))
    means = [kept.of(findings.CAB, "profiling", *each)[0] for each in (a, b)]
    assert there[0] == pytest.approx(means[0] - means[1])


def test_the_figure_that_readers_change_has_the_chapters_numbers():
    text = (environment.book() / "static" / "dan.html").read_text(encoding="utf-8")
    shown = json.loads(text.split('class="data">')[1].split("</script>")[0])
    six = load("six-users").with_null()
    tuesday = loc.inference_period(six, 4)
    counts = tuesday.matrix.sum(axis=0).reshape(six.n_rois, 4)
    assert shown["places"] == list(six.rois.index)
    assert list(shown["hours"].values()) == counts.T.tolist()
    assert shown["prior"] == loc.prior(six, "FREQ_ROI", 4).toarray()[:, :, 0].tolist()
    assert six.users[shown["dan"]] == "Dan"


def test_who_always_says_null_errs_in_the_hours_out(weeks):
    rows = crowd.compare_with_null(
        weeks, units={"cabs": [("profiling", "FREQ_ROI")], "commuters": []}
    )
    null = rows.set_index("strategy").loc[crowd.NULL]
    away = (crowd.without_null(weeks["cabs"].truth).rois_per_epoch() > 0).mean(axis=1)
    assert null["error"] == pytest.approx(np.sqrt(np.log(2)) * away.mean())
    assert null["out"] == pytest.approx(np.sqrt(np.log(2)))
    assert (null["above null"], null["better than null"]) == (0, 0)


def test_readings_of_the_last_season_agree_with_the_library(weeks):
    rows = crowd.last_priors({"cabs": weeks["cabs"]}, readings=["as here"]).set_index("prior")
    for prior in loc.LAST:
        expected = weeks["cabs"].errors("profiling", prior)["PRIOR"].mean()
        assert rows.loc[prior, "error"] == pytest.approx(expected)


def test_a_release_behind_noise_is_the_same_alone(weeks):
    one = {"cabs": weeks["cabs"]}
    both = crowd.attack_noisy_releases(one, epsilons=[0.1, 1.0], ps=[0.5], n_releases=2)
    alone = crowd.attack_noisy_releases(one, epsilons=[1.0], ps=[0.5], n_releases=1)
    found = both.merge(alone, on=["mechanism", "level", "release"], suffixes=("", " alone"))
    found = found[found["level"] > 0]
    assert len(found) == 5
    assert (found["error"] == found["error alone"]).all()
    lazy = both[both["mechanism"] == crowd.IGNORED].set_index("who")["error"]
    known = weeks["cabs"].errors("profiling", "FREQ_ROI")["PRIOR"].mean()
    assert lazy["the prior alone"] == pytest.approx(known)


def test_a_whole_user_spends_what_noise_for_the_busiest_promises(weeks):
    table = crowd.mechanism_guarantees(weeks["cabs"], kappa=20)
    assert table.loc["SCM Lap(Δ/ε)", "largest ε of a user"] == pytest.approx(1)


def test_decisions_come_from_the_published_file():
    table = findings.decisions()
    assert len(table) > 20
    assert table.loc["rr-dp-claim", "decided"].startswith("We do not call this a guarantee")


def test_who_commits_to_her_prior_looks_at_no_count(weeks):
    one = {"cabs": weeks["cabs"]}
    rows = crowd.compare_with_null(one, units={"cabs": [("profiling", "FREQ_ROI")]})
    rows = rows.set_index("strategy").loc[crowd.LIKELIEST]
    said = loc.popular(weeks["cabs"].prior("FREQ_ROI"))
    assert rows["error"] == pytest.approx(loc.profiling_error(said, weeks["cabs"].truth).mean())
    behind = crowd.attack_noisy_releases(one, epsilons=[1.0], ps=[0.5], n_releases=1).set_index(
        "who"
    )
    assert behind.loc[crowd.LIKELIEST, "error"] == pytest.approx(rows["error"])
    assert (behind["unclipped"] <= behind["gain"] + 1e-12).all()


def test_what_is_printed_stands_beside_the_same_quantity_and_nothing_else(monkeypatch):
    table = findings.published_means("profiling")
    assert table.loc[("FREQ_ROI", "MAX_USER", "error"), "published"] == 0.56  # not SpotMe's gain
    loss, error = (
        table.loc[("FREQ_ROI", "MAX_USER", x), "half interval"] for x in ("loss", "error")
    )
    assert loss != error  # each has its own
    known = {k: v for k, v in findings._COLUMNS.items() if k != "mean PL"}
    monkeypatch.setattr(findings, "_COLUMNS", known)
    with pytest.raises(ValueError, match="mean PL"):
        findings.published_means("profiling")


def test_an_hour_in_which_nobody_is_anywhere_has_no_share_of_visits_found(weeks):
    week = weeks["commuters"]
    cells = week.truth.matrix.sum(axis=0).reshape(week.truth.n_rois, -1)
    empty = np.flatnonzero(cells[:-1].sum(axis=0) == 0)[:1]  # nobody but in null, the last place
    known, truth = week.prior("ROI_DAY").select(empty), week.truth.select(epochs=empty)
    with np.errstate(all="raise"):
        scores = crowd._scores(loc.popular(known), truth)
    assert np.isnan(scores["visits found"])
    assert scores["Brier"] >= 0


def test_every_gain_in_a_table_has_an_interval():
    rows = crowd.fpa_interpretations.stored("cabspotting")
    gains = figures.fpa_table(rows, "gain")
    assert list(gains.columns) == ["ε = 0.001", "ε = 0.01", "ε = 0.1", "ε = 1"]
    assert gains.map(lambda cell: "[" in cell).all(axis=None)
    stored = crowd.noise.stored("cabspotting"), crowd.ignore_counts.stored("cabspotting")
    told = figures.cabs_table(*stored, {"FPA": 0.3})["gain"]
    assert told["raw counts"] == "0"
    assert told.drop("raw counts").str.contains("[", regex=False).all()


def test_settings_of_noise_have_an_error_under_every_bound():
    rows = crowd.noise.stored("cabspotting")
    ranked = figures.ranked_table(rows)
    bounds = interpretation_experiments.sanity_bounds.stored("cabspotting")
    mre = figures.mre_table(bounds, [5, 20]).loc[ranked.index]
    assert ranked["MRE"].is_monotonic_increasing
    assert mre[5].to_numpy() == pytest.approx(ranked["MRE"].to_numpy(), rel=0.05)
    assert figures.printed_name("SCM Lap(|S||T|/ε)") == "SCM Lap(|S||T'|/ε)"
    null = crowd.compare_with_null.stored("cabspotting")
    room = figures.room_table(null[null["goal"] == "profiling"])
    assert np.allclose(room["error of always null"], room["error of always null"].iloc[0])
    errors = {("FREQ_ROI", "raw"): np.array([0.2, 0.6]), ("FREQ_ROI", "x"): np.array([0.6, 0.2])}
    table = figures.ignorant_table(errors, raw="raw").loc["frequent places"]
    assert table.loc["raw", "error minus error with raw counts"] == "0"
    assert table.loc["x", "error"].startswith("0.400")


def test_weekdays_by_the_local_clock_are_those_of_the_parts_of_the_week():
    parts = crowd.parts.stored("cabspotting")
    clocks = figures.clocks_table(parts, crowd.hours.stored())
    local = parts[(parts["clock"] == "local") & (parts["less"] == "nothing")].set_index("part")
    for span in ("7-10h", "12-16h"):
        row, expected = clocks.loc["San Francisco", span], local.loc[f"weekday {span}"]
        assert row["prior's error", "weekdays"] == pytest.approx(expected["error"])
        assert row["MAX_USER takes off", "weekdays"] == pytest.approx(expected["MAX_USER"])


def test_a_verbal_result_has_a_hollow_star_in_a_row_of_its_own(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    rows = crowd.errors.stored("cabspotting")
    drawings.show_distributions(rows, "profiling", ["FREQ_ROI"])
    curves, strip = plt.gcf().axes
    assert not [line for line in curves.lines if line.get_marker() in ("*", "|")]
    stars = [line for line in strip.lines if line.get_marker() == "*"]
    strokes = [line for line in strip.lines if line.get_marker() == "|"]
    assert len(stars) == len(strokes) == 5
    rows_of_strip = [text.get_text() for text in strip.get_yticklabels()]
    hollow = [star for star in stars if star.get_markerfacecolor() == "white"]
    assert [rows_of_strip[star.get_ydata()[0]] for star in hollow] == ["AGGREGATE"]
    heights = [star.get_ydata()[0] for star in stars]
    assert len(set(heights)) == len(heights)
    plt.close("all")


def test_a_curve_ends_at_the_last_quantile_before_the_largest_error(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    rows = crowd.errors.stored("commuters")
    drawings.show_distributions(rows, "profiling", ["LAST_WEEK"])
    of = rows.query("goal == 'profiling' and prior == 'LAST_WEEK' and strategy == 'MAX_ROI'")
    curves = {line.get_label(): line for line in plt.gcf().axes[0].lines}
    assert max(curves["MAX_ROI"].get_xdata()) == of["97.5%"].item() < of["100%"].item()
    plt.close("all")


def test_the_replication_draws_attackers_a_week_and_bounds(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    null = crowd.compare_with_null.stored("cabspotting")
    drawn = ["PRIOR", crowd.LIKELIEST, "BAYES"]
    drawings.show_attackers(null, "profiling", "cabspotting", drawn, marked="AGGREGATE")
    labels = [text.get_text() for text in plt.gcf().axes[0].get_yticklabels()]
    assert labels == list(null.query("goal == 'profiling'")["prior"].unique())
    week = crowd.hours.stored("cabspotting")
    drawings.show_week(week, {"weekday 7-10h": "morning"}, ["BAYES", "MAX_USER"])
    lines = {line.get_label(): line for line in plt.gcf().axes[0].lines}
    in_order = week.sort_values("hour")
    assert (lines["BAYES"].get_ydata() == in_order["BAYES"]).all()
    reduced = {line.get_label(): line for line in plt.gcf().axes[1].lines}["BAYES"]
    assert (reduced.get_ydata() == in_order["PRIOR"] - in_order["BAYES"]).all()
    drawings.show_bounds({"cabspotting": findings.judge_sanity_bounds()})
    assert len(plt.get_fignums()) == 3
    plt.close("all")


def test_the_chapter_draws_gains_by_hour_and_their_parts(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    week = crowd.hours.stored("cabspotting")
    figures.show_hour_gains(week, {"weekday 12-16h": "noon to four"})
    gain = (week["PRIOR"] - week["BAYES"]).to_numpy()[week["hour"].argsort()].reshape(7, 24)
    for ax, days in zip(plt.gcf().axes, (gain[:5], gain[5:]), strict=True):
        shown = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
        assert shown["BAYES"] == pytest.approx(days.mean(axis=0))
    figures.show_split({("FREQ_ROI", "BAYES"): (0.013, -0.023)})
    lengths = [text.get_text() for text in plt.gcf().axes[0].texts]
    assert lengths == ["+0.013", "\N{MINUS SIGN}0.023"]
    plt.close("all")


def test_a_figure_shows_means_in_several_boxes():
    names = ["goal", "prior", "strategy", "measure"]
    means = findings.published_means("profiling")
    means = pd.concat([means], keys=["profiling"]).rename_axis(names)
    means = means.rename(columns={"here": "in our box"})
    ends = dict.fromkeys(("lowest", "highest"), means["in our box"])
    means = means.assign(**ends, verdict="reproduced")
    drawings.show_in_boxes(means)
    drawings.show_in_boxes(means, ["BAYES", "PRIOR"], row=0.3)
    words = [text.get_text() for text in plt.gcf().axes[0].texts]
    assert words.index("BAYES") < words.index("PRIOR")
    assert "error, FREQ_ROI" in words
    plt.close("all")


def test_the_replication_draws_clocks_losses_gains_and_agreement(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    drawings.show_clocks(crowd.hours.stored("cabspotting"), ["San Francisco", "London"], 0.57)
    table = drawings.losses_table(crowd.errors.stored(), "localization")
    assert table.loc[("cabspotting", "LAST_DAY", "MAX_ROI"), "verbal"]
    drawings.show_losses(table)
    ignored = crowd.ignore_counts.stored().set_index(["data", "who"])["gain"]
    gains = drawings.gains_table(crowd.noise.stored())
    assert gains.loc[("cabspotting", "FPA", 0.01), "published"] == 0.36
    assert gains["published"].isna().any()
    drawings.show_mean_gains(gains, ignored)
    row = {"measure": "privacy gain", "published": 0.1, "here": 0.2, "told": "undecided"}
    points = pd.DataFrame({each: row | {"measure": each} for each in drawings._MEASURES}).T
    drawings.show_named_agreement(points, {"privacy gain": ("name", "left")})
    assert "name" in [text.get_text() for ax in plt.gcf().axes for text in ax.texts]
    with pytest.raises(KeyError, match="gain of nobody"):
        drawings.show_named_agreement(points, {"gain of nobody": ("name", "left")})
    assert len(plt.get_fignums()) == 4
    plt.close("all")


def test_means_in_boxes_are_judged_as_the_claims_are():
    rows = findings.means_in_boxes()
    assert len(rows) == 44 * 11
    assert (rows.query("box == 'ours'")["mean"] == rows.query("box == 'ours'")["here"]).all()
    near = (rows["away"] <= rows["allowed"]).groupby(rows["claim"])
    verdicts = near.all().map({True: "reproduced", False: "undecided"})
    verdicts[~near.any()] = "contradicted"
    committed = pd.read_csv(claims.BOOK / "claims" / "crowd.csv", index_col="id")["verdict"]
    assert (committed[verdicts.index] == verdicts).all()


def test_a_statement_that_depends_on_an_unprinted_clock_is_undecided():
    found = findings._peak_by_clock()
    assert found.verdict == "undecided"
    assert found.runs == (
        "contradicted by San Francisco's clock, contradicted by that of UTC, supported by that of"
        " London; the paper does not state which clock it uses"
    )
    assert replace(found, others={}).verdict == "contradicted"


@pytest.mark.parametrize(
    ("margin", "value", "changed"),
    [("noticeable", 0.05, {"crowd-fig9-trend": "contradicted"}), ("near", 0.01, {})],
)
def test_another_margin_changes_the_verdicts_that_depend_on_it(margin, value, changed):
    own = findings._verdicts(findings.MARGINS)
    other = findings._verdicts(replace(findings.MARGINS, **{margin: value}))
    assert {name: other[name] for name in own if other[name] != own[name]} == changed


def test_contradicted_claims_have_a_subject_and_reproduced_ones_a_kind():
    assert findings.subject("crowd-fig13-strategies") == "MAX_ROI"
    assert findings.subject("crowd-fig6-sfc-peak") == "the hour of the day"
    name = "crowd-fig15-sfc-loc-max-roi-last-day-pl"
    assert findings.kind_of_evidence(name, "") == "a verbal result for a loss near 0"
    note = "computed in our box of the map only; unexplained"
    assert findings.kind_of_evidence("crowd-fig5-sfc-loc-max-user-roi-day-week-pl", note) == (
        "two decimals, in our box only"
    )


def test_remarks_say_what_an_input_is_and_whether_an_explanation_was_tried():
    assert findings.why_input("set: ten by ten cells") == "we set it"
    with pytest.raises(ValueError, match="unknown reason"):
        findings.why_input("guessed")
    boxes = "unexplained; tried: 10 boxes near ours (rows: crowd-boxes)"
    assert not findings.explanation_tried(boxes)
    assert findings.explanation_tried("tried: other lags (rows: crowd-last); " + boxes)
