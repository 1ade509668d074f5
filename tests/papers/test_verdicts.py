"""What is committed is what kept rows say; every claim has a place; nothing is typed by hand."""

import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from lib.execution import results
from lib.papers import claims, scoreboard, verdicts
from lib.papers.experiments import all_experiments


@pytest.fixture(scope="module")
def found_out():
    """All claims gathered, and what was judged on the way to that."""
    real, on_the_way = verdicts.judged, {}

    def kept(paper):
        on_the_way[paper] = real(paper)
        return on_the_way[paper].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "judged", kept)
        return verdicts.gather(), on_the_way


@pytest.fixture(scope="module")
def gathered(found_out):
    return found_out[0]


@pytest.fixture(scope="module")
def judged(found_out):
    return found_out[1]


def test_all_claims_are_judged_from_kept_rows(gathered, judged):
    assert sum(map(len, gathered.values())) == 804
    for paper, table in gathered.items():
        assert set(table.index) == set(claims.published(paper).index)
        again = table.loc[judged[paper].index, judged[paper].columns]
        pd.testing.assert_frame_equal(again, judged[paper])


def test_what_is_committed_is_what_kept_rows_say(gathered):
    for paper, found in gathered.items():
        csv = claims.BOOK / "claims" / f"{paper}.csv"
        assert csv.read_text(encoding="utf-8") == found.to_csv(lineterminator="\n"), csv.name
    page = claims.BOOK / "scoreboard.md"
    assert page.read_text(encoding="utf-8") == scoreboard.page(gathered)


def test_what_was_written_is_read_again(gathered, tmp_path):
    files = verdicts.write(gathered, tmp_path)
    assert [file.name for file in files] == [f"{paper}.csv" for paper in claims.PAPERS]
    assert b"\r" not in files[0].read_bytes()
    for paper, found in verdicts.committed(tmp_path).items():
        pd.testing.assert_frame_equal(found, gathered[paper], check_dtype=False)
    files[0].write_text(files[0].read_text().replace("verdict", "opinion", 1))
    with pytest.raises(ValueError, match=r"kk\.csv: columns .*opinion"):
        verdicts.committed(tmp_path)


def test_a_claim_is_placed_by_its_label(tmp_path):
    (tmp_path / "replication").mkdir()
    (tmp_path / "replication" / "kk.py").write_text("# %% [markdown]\n# (here)=\n# ## Here\n")
    (tmp_path / "games.py").write_text("# (there)=\n")
    pages = verdicts.labels(tmp_path)
    assert pages == {"there": "games", "here": "replication/kk"}
    table = claims.table([claims.Finding("kk-fig4-lr-auc-m10", 0.9, "cabspotting", "here")])
    assert verdicts.placed(table, pages)["chapter"].tolist() == ["replication/kk"]
    with pytest.raises(
        ValueError, match=r"claim kk-fig4-lr-auc-m10: no page has a label \(here\)="
    ):
        verdicts.placed(table, {})


# -- verdicts and their reasons --------------------------------------------------------------------


@pytest.fixture(scope="module")
def every(gathered):
    return pd.concat(gathered.values())


@pytest.fixture(scope="module")
def found(judged):
    return pd.concat(judged.values())


def test_no_reason_contradicts_its_verdict(every):
    for name, row in every.iterrows():
        claims.check_reason(name, row["verdict"], row["reason"], row["grade"])
        if row["verdict"] != "differs":
            assert "tried" not in row["reason"], name


def test_a_table_with_a_contradiction_is_not_gathered(found):
    row = found[found["verdict"] == "holds"].iloc[:1]
    for reason, message in (
        ("At 95% not as said: x", "but its reason says 'not as said'"),
        ("so (rows: kk-games)", "but its reason says"),
    ):
        with pytest.raises(ValueError, match=f"claim {row.index[0]}: .*{message}"):
            verdicts.check_reasons(row.assign(reason=reason))
    for reason, message in (
        ("x (rows: kk-game)", "no experiment 'kk-game'; did you mean 'kk-games'"),
        ("x (rows: zk-estimators)", "no rows of zk-estimators"),
    ):
        if "estimators" not in reason or not all_experiments()["zk-estimators"].is_stored(
            "callers"
        ):
            with pytest.raises(ValueError, match=message):
                verdicts.check_reasons(row.assign(verdict="differs", grade="", reason=reason))


def test_what_differs_is_explained_by_kept_rows_or_named_unexplained(found):
    differs = found[found["verdict"] == "differs"]
    assert len(differs) > 50
    for name, reason in differs["reason"].items():
        explained = claims.named(reason)
        assert explained or "unexplained; nothing tried" in reason, name
        assert ("tried:" in reason) <= bool(explained), name
        for experiment in explained:
            known = all_experiments()[experiment]
            assert any(known.is_stored(data) for data in known.at_paper), (name, experiment)


def test_what_holds_is_graded_and_nothing_else(found):
    holds = found["verdict"] == "holds"
    assert set(found.loc[holds, "grade"]) == set(claims.GRADES)
    assert (found.loc[~holds, "grade"] == "").all()


def test_deterministic_numbers_over_all_cabs_have_no_error(found):
    """Raw errors are over the paper's own census; only the noise of its defenses was drawn."""
    mine = found[found.index.str.match(r"crowd-fig(?!7|8|9)") & (found["data"] == "cabspotting")]
    assert len(mine) > 50
    assert (mine["standard_error"] == "0").all()


def test_trends_and_bounds_are_judged_on_the_flights(found):
    judged = found[found["verdict"].isin(["holds", "differs"])]
    on_flights = judged["data"].str.contains(r"\bflights-by-(?:number|tail)\b")
    assert on_flights.sum() >= 20
    assert {"holds", "differs"} == set(judged.loc[on_flights, "verdict"])


# -- predicates that can fail ----------------------------------------------------------------------

# What tells rows apart, beside units and words; all else was measured.
KEYS = {
    "group size",
    "k",
    "epsilon",
    "ε",
    "share",
    "visits",
    "m",
    "traces",
    "member",
    "σ",
    "M",
    "T",
    "s",
    "T - s",
    "value",
    "sequence",
    "shadows",
    "cells",
    "run",
    "hidden nodes",
    "users",
    "runs",
    "a",
    "b",
    "scale",
    "size",
    "level",
    "p",
    "training steps",
    "release",
    "mixed",
    "trial",
    "cell",
}


def measured(frame, experiment):
    keys = KEYS | set(all_experiments()[experiment].unit)
    numbers = [c for c in frame if pd.api.types.is_numeric_dtype(frame[c]) or _is_true(frame[c])]
    return [column for column in numbers if column not in keys]


def _is_true(column):
    return column.dropna().map(lambda value: isinstance(value, (bool, np.bool_))).all()


def shuffled(frame, experiment, rng):
    """The measured numbers of other rows, where there are any."""
    found = frame.copy()
    for column in measured(frame, experiment):
        there = frame[column].notna()
        found.loc[there, column] = rng.permutation(frame.loc[there, column].to_numpy(copy=True))
    return found


def flipped(frame, experiment, rng):
    """What was largest is smallest, what was true is false."""
    found = {}
    for column in measured(frame, experiment):
        values = frame[column]
        if _is_true(values):
            found[column] = values.map(lambda v: v if pd.isna(v) else not v)
        elif np.isfinite(values.dropna()).all():
            low, high = values.min(), values.max()
            found[column] = (low + high if high > low else 1) - values
        else:
            found[column] = -values
    return frame.assign(**found)


@pytest.mark.slow
def test_what_holds_falls_with_other_labels_or_signs(found, monkeypatch):
    """Nine in ten of what holds do not where rows' labels are shuffled, or their order is turned.

    A predicate that holds either way could not fail.
    """
    real = results.read
    survive = set(found.index[found["verdict"] == "holds"])
    for change in (shuffled, flipped):
        rng = np.random.default_rng(16)
        monkeypatch.setattr(results, "read", lambda s, d, c=change, r=rng: c(real(s, d), s, r))
        holds = set()
        for paper in claims.PAPERS:
            _forget(paper)
            table = pd.DataFrame(
                [(f.id, f.here) for f in verdicts.findings(paper) if f.id in survive],
                columns=["id", "here"],
            )
            holds |= {name for name, here in table.itertuples(index=False) if _holds(name, here)}
        survive &= holds
    for paper in claims.PAPERS:
        _forget(paper)
    total = (found["verdict"] == "holds").sum()
    assert len(survive) <= total / 10, sorted(survive)


def _holds(name, here):
    if isinstance(here, claims.Trend):
        return here.holds
    several = here if not isinstance(here, claims.Estimate) and isinstance(here, tuple) else (here,)
    numbers = [n if isinstance(n, claims.Estimate) else claims.Estimate(n) for n in several]
    return all(claims.keeps(claims.claim(name), number) for number in numbers)


def _forget(paper):
    """Empties the caches of what was read."""
    folder = {"kk": "knock_knock", "zk": "zero_knowledge", "crowd": "aggregation_privacy"}
    folder |= {"fano": "fano_loss", "threshold": "threshold_attacks"}
    modules = ["claims", "defense_claims"] if paper == "kk" else ["claims"]
    for module in modules:
        for value in vars(import_module(f"lib.papers.{folder[paper]}.{module}")).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def test_an_unknown_paper_is_refused():
    with pytest.raises(ValueError, match="no paper 'knock'; there are: kk, zk"):
        verdicts.judged("knock")


def test_a_paper_without_findings_is_refused(monkeypatch):
    monkeypatch.setattr(verdicts.claims, "PAPERS", (*verdicts.claims.PAPERS, "unicity"))
    with pytest.raises(ValueError, match="'unicity' has no findings: name its module"):
        verdicts.findings("unicity")


def test_no_finding_plays_anything():
    """Predicates read kept rows; a game in a finding would make judging slow and random.

    What is drawn in `readings` is the order of published numbers, which says what luck gives.
    """
    plays = r"\b(stream|datasets\.load)\("
    for file in (claims.BOOK.parent / "lib" / "findings").glob("*.py"):
        code = file.read_text()
        assert not re.search(plays, code), file.name
        assert "default_rng(" not in code or file.name == "readings.py", file.name
