"""What is committed is what kept rows say; every claim has a place; nothing is typed by hand."""

import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.execution import results
from lib.papers import claims, predicates, scoreboard, verdicts
from lib.papers.experiments import all_experiments
from lib.papers.predicates import Estimate


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
    csv = claims.BOOK / "claims" / "moved.csv"
    assert csv.read_text(encoding="utf-8") == verdicts.moved(gathered).to_csv(lineterminator="\n")
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


@pytest.fixture(scope="module")
def on_findings():
    """Every finding with its claim and judgement."""
    each = [f for paper in claims.PAPERS for f in verdicts.findings(paper)]
    return [(claims.claim(f.id), f, claims.judge(claims.claim(f.id), f)) for f in each]


def test_every_row_has_words_of_closed_lists_and_a_reason(every):
    for name, row in every.iterrows():
        claims.check_row(name, row)
        assert row["reason"], name
        assert (row["verdict"] == "not tested") == (row["reason"] in claims.UNTESTED), name
        assert row["verdict"] != "contradicted" or row["note"], name


def test_a_table_with_a_contradiction_is_not_gathered(found):
    row = found[found["verdict"] == "supported"].iloc[:1]
    for note in ("At 95% not as said: x", "so (rows: kk-games)"):
        with pytest.raises(ValueError, match=f"claim {row.index[0]}: .*but its note says"):
            verdicts.check_reasons(row.assign(note=note))
    against = row.assign(verdict="contradicted", grade="")
    with pytest.raises(ValueError, match="no experiment 'kk-game'; did you mean 'kk-games'"):
        verdicts.check_reasons(against.assign(note="x (rows: kk-game)"))


def test_what_is_contradicted_is_explained_by_stored_rows_or_says_why_nothing_was_tried(found):
    against = found[found["verdict"] == "contradicted"]
    assert len(against) > 40
    for name, note in against["note"].items():
        assert claims.named(note) or "nothing tried: " in note, name
    for name, note in found["note"].items():
        for experiment in claims.named(note):
            known = all_experiments()[experiment]
            assert any(known.is_stored(data) for data in known.at_paper), (name, experiment)


def test_support_alone_has_a_grade(found):
    of_support = (found["verdict"] == "supported") | (found["substitute"] == "consistent")
    assert set(found.loc[of_support & (found["grade"] != ""), "grade"]) == set(claims.GRADES)
    assert (found.loc[~of_support, "grade"] == "").all()
    assert (found.loc[found["verdict"] == "supported", "grade"] != "").all()


def test_intervals_allow_what_is_supported_and_exclude_what_is_contradicted(on_findings):
    """By another way than the rule's: the ends of intervals, from scipy's distributions."""
    seen = set()
    for claim, finding, (verdict, _, substitute) in on_findings:
        word = {"inconsistent": "contradicted", "consistent": "supported"}.get(substitute, verdict)
        if word not in ("supported", "contradicted", "reproduced") or finding.here is None:
            continue
        if claim.kind == "number" and claim.op in "=~":
            allowed = _number_allows(claim, finding.here)
            word = "supported" if word == "reproduced" else word
        else:
            allowed = _statement_allows(claim, finding.here)
        assert allowed[word], (claim.id, word)
        seen.add((claim.kind, word))
    assert len(seen) == 4


def _ends(slack, tail):
    """The ends of an interval that leaves out `tail` on either side."""
    half = stats.t(slack.freedom).ppf(1 - tail) * slack.error if slack.error else 0.0
    return slack.value - half, slack.value + half


def _number_allows(claim, here):
    several = here if isinstance(here, tuple) and not isinstance(here, Estimate) else (here,)
    numbers = [n if isinstance(n, Estimate) else Estimate(n) for n in several]
    error, freedom = max(n.error for n in numbers), min(n.freedom for n in numbers)
    slack = Estimate(0.0, np.hypot(error, claim.stderr or error), freedom)
    most = 0.5 * 10.0**-claim.digits if not claim.within else claim.within
    reach = _ends(slack, 0.025)[1] + most * (1 + 1e-9)
    low, high = min(n.value for n in numbers), max(n.value for n in numbers)
    if claim.op == "~":
        inside = low >= min(claim.value) - reach and high <= max(claim.value) + reach
    else:
        ends = abs(low - min(claim.value)), abs(high - max(claim.value))
        inside = max(ends) <= reach
    return {"supported": inside, "contradicted": not inside}


def _statement_allows(claim, here):
    if not isinstance(here, predicates.Trend):
        several = here if isinstance(here, tuple) and not isinstance(here, Estimate) else (here,)
        numbers = [n if isinstance(n, Estimate) else Estimate(n) for n in several]
        here = claims.bound(claim, numbers)
    assert not here.undefined and not here.once
    slacks = [part.slack for part in here.parts if not part.guard]
    parts = max(1, sum(part.slack.error > 0 for part in here.parts))
    if here.either:
        return {
            "supported": any(_ends(slack, 0.05 / parts)[0] > 0 for slack in slacks),
            "contradicted": all(_ends(slack, 0.05)[1] <= 0 for slack in slacks),
        }
    broken = [_ends(part.slack, 0.05 / parts)[1] <= 0 for part in here.parts]
    return {
        "supported": all(_ends(slack, 0.05)[0] > 0 for slack in slacks),
        "contradicted": any(broken),
    }


def test_no_undefined_number_is_judged(on_findings):
    for claim, finding, judged in on_findings:
        numbers = _values(finding.here)
        assert all(map(np.isfinite, numbers)), claim.id
        if isinstance(finding.here, predicates.Trend) and finding.here.undefined:
            assert judged == ("not tested", claims.UNDEFINED, ""), claim.id


def _values(here):
    if here is None:
        return []
    if isinstance(here, predicates.Trend):
        return [x for part in here.parts for x in (part.slack.value, part.slack.error, part.shown)]
    several = here if isinstance(here, tuple) and not isinstance(here, Estimate) else (here,)
    return [x for n in several for x in (n[:2] if isinstance(n, Estimate) else [n])]


def test_moved_verdicts_say_why(gathered):
    moved = verdicts.moved(gathered)
    assert len(moved) > 100 and (moved["why"] != "").all()
    assert (moved["before"].map(verdicts.RENAMED) != moved["now"]).all()
    assert set(verdicts.MENDED) <= set(moved.index)


def test_prose_that_names_a_claim_names_its_verdict(every):
    """On replication pages, `claim-id` in prose is followed by its verdict in italics."""
    named = 0
    for file in sorted((verdicts.NOTEBOOKS / "replication").glob("*.py")):
        text = file.read_text(encoding="utf-8")
        prose = "\n".join(line[2:] for line in text.splitlines() if line.startswith("# "))
        for name, verdict in re.findall(r"`([a-z]+-[\w.-]+)`,? \*([a-z ]+)\*", prose):
            if name in every.index:
                row = every.loc[name]
                assert verdict in (row["verdict"], row["substitute"]), (file.name, name)
                named += 1
        mentioned = {n for n in re.findall(r"`([a-z]+-[\w.-]+)`", prose) if n in every.index}
        told = {n for n, _ in re.findall(r"`([a-z]+-[\w.-]+)`,? \*([a-z ]+)\*", prose)}
        assert mentioned <= told, (file.name, mentioned - told)
    assert named >= 15


def test_deterministic_numbers_over_all_cabs_have_no_error(found):
    """Raw errors are over the paper's own census; only the noise of its defenses was drawn."""
    mine = found[found.index.str.match(r"crowd-fig(?!7|8|9)") & (found["data"] == "cabspotting")]
    assert len(mine) > 50
    assert (mine["standard_error"] == "0").all()


def test_flights_stand_beside_and_never_decide(found):
    on_flights = found["elsewhere"].str.contains(r"\bflights-by-(?:number|tail)\b")
    assert on_flights.sum() >= 20
    words = "|".join(claims.SUBSTITUTE)
    each = found.loc[found["elsewhere"] != "", "elsewhere"].str.split("; ").explode()
    assert each.str.fullmatch(rf"[a-z, -]+: (?:{words}|undefined)").all()
    assert not found["data"].str.contains("flights").any()


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


def with_random_signs(frame, experiment, rng):
    """Each measured number is kept or reflected in the middle of its column, by a coin."""
    found = {}
    for column in measured(frame, experiment):
        values = frame[column]
        if _is_true(values):
            other = values.map(lambda v: v if pd.isna(v) else not v)
        elif np.isfinite(values.dropna()).all():
            other = values.min() + values.max() - values
        else:
            other = -values
        found[column] = values.where(rng.random(len(frame)) < 0.5, other)
    return frame.assign(**found)


def _supports(claim, here):
    """Whether a result supports a claim, as if the data were the paper's own."""
    if here is None:
        return False
    verdict, _ = claims._weighed(claim, here, claims._numbers_of(claim.id, here))
    return verdict == "supported"


@pytest.fixture(scope="module")
def statements(on_findings):
    """What supports a statement or a bound, on the paper's own data or on a substitute."""
    kept = {}
    for claim, finding, _ in on_findings:
        about = claim.kind == "trend" or claim.op not in "=~"
        if about and not finding.given and _supports(claim, finding.here):
            kept[claim.id] = (
                finding.here
                if isinstance(finding.here, predicates.Trend)
                else claims.bound(claim, claims._numbers_of(claim.id, finding.here))
            )
    return kept


def test_numbers_that_are_only_noise_support_little_and_contradict_as_often_as_said(statements):
    """Every sampled inequality gets a mean of 0 with its own error, and its own distribution."""
    rng = np.random.default_rng(25)
    sampled = [t for t in statements.values() if all(p.slack.error > 0 for p in t.parts)]
    assert len(sampled) > 60
    found = [_dealt(trend, rng).verdict for trend in sampled for _ in range(40)]
    assert found.count("supported") <= len(found) / 10
    most = 0.05 + 3 * np.sqrt(0.05 * 0.95 / len(found))
    assert found.count("contradicted") <= most * len(found)


def _dealt(trend, rng):
    def dealt(part):
        _, error, freedom = part.slack
        t = rng.standard_normal() if np.isinf(freedom) else rng.standard_t(freedom)
        return part._replace(slack=Estimate(error * t, error, freedom))

    return replace(trend, parts=tuple(map(dealt, trend.parts)))


@pytest.mark.slow
def test_signs_dealt_at_random_support_little_and_contradict_less_than_one_in_twenty(
    statements, monkeypatch
):
    """Every unit's value has its sign dealt by a coin: nothing is left for a statement or against.

    Statements of the kind "larger than", which compare means of the same units, or of two samples.
    A level such as 0.9, or a margin, is not about signs.
    """
    rng, real = np.random.default_rng(25), predicates.estimate

    def dealt(values):
        kept = np.asarray(values, float)
        return real(kept * rng.choice([-1.0, 1.0], len(kept)))

    about = {
        name
        for name, trend in statements.items()
        if not trend.margin and all(part.slack.error > 0 for part in trend.parts)
    }
    found = []
    for paper in ("kk", "zk", "fano", "threshold"):
        _forget(paper)
        for module in _modules(paper):
            monkeypatch.setattr(module, "estimate", dealt)
        monkeypatch.setattr(predicates, "estimate", dealt)
        for _ in range(48):
            found += [
                f.here.verdict
                for f in verdicts.findings(paper)
                if f.id in about and isinstance(f.here, predicates.Trend)
            ]
        monkeypatch.undo()
        _forget(paper)
    assert len(found) > 200
    assert found.count("supported") <= len(found) / 10
    assert found.count("contradicted") < len(found) / 20


@pytest.mark.slow
def test_nine_in_ten_of_what_is_supported_falls_with_shuffled_labels_and_signs(
    statements, monkeypatch
):
    """A predicate that holds for shuffled rows, too, could not fail."""
    real, kept = results.read, []
    for seed in (16, 17, 18):
        rng = np.random.default_rng(seed)

        def dealt(experiment, data, rng=rng):
            frame = shuffled(real(experiment, data), experiment, rng)
            return with_random_signs(frame, experiment, rng)

        monkeypatch.setattr(results, "read", dealt)
        for paper in claims.PAPERS:
            _forget(paper)
            kept += [
                f.id
                for f in verdicts.findings(paper)
                if f.id in statements and _supports(claims.claim(f.id), f.here)
            ]
    for paper in claims.PAPERS:
        _forget(paper)
    assert len(statements) > 100
    assert len(kept) <= 3 * len(statements) / 10, sorted(kept)


def _modules(paper):
    folder = {"kk": "knock_knock", "zk": "zero_knowledge", "crowd": "aggregation_privacy"}
    folder |= {"fano": "fano_loss", "threshold": "threshold_attacks"}
    modules = ["claims", "defense_claims"] if paper == "kk" else ["claims"]
    return [import_module(f"lib.papers.{folder[paper]}.{module}") for module in modules]


def _forget(paper):
    """Empties the caches of what was read."""
    for module in _modules(paper):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def test_an_unknown_paper_is_refused():
    with pytest.raises(ValueError, match="no paper 'knock'; there are: kk, zk"):
        verdicts.judged("knock")


def test_a_paper_without_findings_is_refused(monkeypatch):
    monkeypatch.setattr(verdicts.claims, "PAPERS", (*verdicts.claims.PAPERS, "unicity"))
    with pytest.raises(ValueError, match="'unicity' has no findings: name its module"):
        verdicts.findings("unicity")


def test_no_finding_computes_anything_again():
    """Predicates read stored rows; a game in a finding would make judging slow and random."""
    computes = r"\b(stream|datasets\.load)\("
    folder = claims.BOOK.parent / "lib" / "papers"
    files = [*folder.glob("*/*claims.py"), *folder.glob("*/interpretations.py")]
    assert len(files) >= 7
    for file in files:
        code = file.read_text(encoding="utf-8")
        assert not re.search(computes, code), file.name
        assert "default_rng(" not in code, file.name
