"""The rules that a search found, as readers see them."""

from lib.papers.audit import search_experiments as searching
from lib.papers.audit import search_figures


def test_a_rule_is_split_into_its_terms_and_its_comparison():
    of = {feature: number for number, feature in enumerate(searching.FEATURES)}
    terms = (
        (of["count - usual, squared", "1 / (1 + usual)"], -0.5),
        (of["count clipped to [0, 1]", "effect / variance"], 4.0),
    )
    for compared in searching.COMPARED:
        assert search_figures.rule_lines(str(searching.Rule(terms, compared))) == [
            "-0.5 × [count - usual, squared] × [1 / (1 + usual)]",
            "+4 × [count clipped to [0, 1]] × [effect / variance]",
            compared,
        ]


def test_every_stored_rule_is_split_without_loss():
    for data in searching.DATA:
        rows = searching.attacks_by_search.stored(data)
        for rule in rows["rule"].dropna():
            if rule:
                *terms, compared = search_figures.rule_lines(rule)
                plain = " ".join(each.replace("× [", "× ").replace("] ×", " ×") for each in terms)
                assert f"{plain.replace(']', '')}, {compared}" == rule.replace("]", "")
