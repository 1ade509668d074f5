"""Errors of sparse tables, predicted from the noise alone."""

import numpy as np
import pytest

from lib.mechanisms import FourierPerturbation
from lib.papers import claims, within_paper
from lib.papers.knock_knock import replication_figures as pictures


def released(noise, most):
    return np.clip(np.rint(noise), 0, most).mean()


def test_expected_errors_are_those_of_drawn_noise():
    rng = np.random.default_rng(3)
    laplace = released(rng.laplace(scale=20.0, size=400_000), 60)
    assert within_paper.laplace_error(20.0, 60) == pytest.approx(laplace, rel=0.01)
    normal = released(rng.normal(scale=20.0, size=400_000), 60)
    assert within_paper.normal_error(20.0, 60) == pytest.approx(normal, rel=0.01)


def test_the_noise_of_fpa_is_nearly_normal():
    rng, raw = np.random.default_rng(3), np.zeros((200, 1, within_paper.HOURS), int)
    mechanism = FourierPerturbation(10.0, within_paper.KAPPA, 207**0.5)
    noisy = mechanism.apply(raw, rng, np.asarray(0))
    expected = within_paper._fpa(207, 10.0, 9500)
    assert expected == pytest.approx(released(noisy, 9500), rel=0.03)


@pytest.mark.parametrize("paper", within_paper.TABLES)
def test_each_table_has_a_reference_and_both_words(paper):
    found = within_paper.predictions(paper)
    assert set(found["within the paper"]) == {"consistent", "inconsistent", "reference"}
    reference = found.loc[within_paper.REFERENCES[paper]]
    assert reference["published / predicted"] == pytest.approx(1)
    assert all(claims.claim(name).dataset == "tfl" for name in found.index)


def test_another_printed_error_gets_the_other_word(monkeypatch):
    """Twice the noise is not consistent with the printed error."""
    name = "crowd-tab3-scm-t-eps1"
    assert within_paper.words()[name] == "consistent"
    monkeypatch.setattr(within_paper, "HOURS", 2 * within_paper.HOURS)
    within_paper.predictions.cache_clear()
    assert within_paper.words()[name] == "inconsistent"
    monkeypatch.undo()
    within_paper.predictions.cache_clear()


def test_ratios_of_printed_errors_are_given_with_what_rounding_of_both_allows():
    london = within_paper.by_mechanism("kk").rename_axis(["mechanism", "ε"])
    expected = london["predicted"] / london.loc[("LPA(1/ε)", 0.01), "predicted"]
    table = pictures.laplace_ratios_table(
        london.assign(**{"surrogate: here / predicted": expected})
    )
    first, last = london.loc["LPA(1/ε)", "published"].iloc[[0, -1]]
    of_noise = london.loc["LPA(1/ε)", "predicted"].iloc[[0, -1]]
    half = [claims.half_digit(claims.claim(f"kk-tab2-lpa-1-eps{each}")) for each in ("0.01", "10")]
    for row, sign in (("London, lowest", -1), ("London, highest", 1)):
        ratio = (last + sign * half[1]) / (first - sign * half[0])
        allowed = ratio / (of_noise.iloc[1] / of_noise.iloc[0])
        assert table.loc[row].iloc[-1] == pytest.approx(allowed)
        assert table.loc[row].iloc[0] == table.loc["London, published"].iloc[0] == 1
