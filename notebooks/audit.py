# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # One release, every attack
#
# Each of the five papers attacks a release of its own. Somebody with counts on her desk asks: *may I publish these?* So here every attack is played on every usual way to publish. After this chapter you can
#
# - say what an attacker knows and wants before you say how good she is, and read an attack beside its baseline and its control;
# - bound $\varepsilon$ from below by watching a mechanism, and say what such a bound can never show;
# - read risk against usefulness, and tell what "no attack succeeded" does not mean.
#
# *For discussion:* {numref}`fig-audit-map`. *For discussion:* the [debate](audit-debate) at the end takes half an hour.

# %% tags=["parameters", "remove-cell"]
datasets = ["flights-by-number"]
path = ""
n_users = 500
releases = ["raw", "mds-k10", "event-epsilon-1", "user-day-epsilon-1", "user-epsilon-1"]
epsilon = 1.0
processes = 1
seed = 2018

# %% [markdown]
# (audit-threats)=
# ## Who knows what, and wants what?
#
# ````{prf:definition} Threat model
# :label: def-threat
# What an attacker *knows* besides the release, times what she *wants* to find out. With more knowledge the same guess is worth less.
# ````
#
# Who wants to know *whether* somebody was counted (what the attacks do is told where they play):

# %% tags=["hide-input"]
from lib.papers import figures as plots
from lib.papers.audit import experiments, figures

plots.use_style()
membership = experiments.threat_table("membership")
plots.show_table(figures.threats_table(membership), "threats-membership")

# %% [markdown]
# Other goals, folded: where she was at an hour, her whole way, how few sightings single her out, what the release hides.

# %% tags=["hide-input", "hide-output"]
wanted = ["place", "trajectory", "re-identification", "disclosure"]
plots.show_table(
    figures.threats_table(experiments.threat_table(*wanted)), "threats-more"
)

# %% [markdown]
# "Realistic" is our judgement: a colleague knows your visits, an employer who was in last month's counts. Who has the records of everybody else is the *worst case*, which differential privacy has in mind. An attack that needs so much is a warning; one that needs less, a failure of the release.
#
# (audit-six)=
# ## Six users, three releases
#
# The same counts, published as they are; with counts below 2 hidden, but totals beside them; and with Laplace noise, rounded.

# %%
import numpy as np
from lib.audit import parse, small_counts
from lib.datasets import load
from lib.randomness import stream

six = load("six-users")
hide = {"mechanisms": [{"name": "suppress", "threshold": 2}], "totals": True}
noise = {"name": "event-level-laplace", "epsilon": 1.0}
noisy = {"mechanisms": [noise, {"name": "whole-numbers"}]}
three = {"raw": "raw", "below 2 hidden": hide, "noise": noisy}
published = {
    name: parse(each).publish_all(six, np.arange(6), stream(seed, "six", name))
    for name, each in three.items()
}

# %% mystnb={"figure": {"name": "fig-audit-six", "caption": "One set of counts, published in three ways; blank is 0, hidden, or drawn below 0 and cut. Hiding small counts takes more than half of the table away, and noise invents people where nobody was and hides some who were there."}, "image": {"alt": "Three grids of four places by eight hours with counts written in the cells: raw, below 2 hidden, and noisy."}} tags=["hide-input"]
hours = [f"{epoch:%a %H}h" for epoch in six.epochs]
shown = {name: each.counts for name, each in published.items()}
plots.show_releases(shown, list(six.rois.index), hours)

# %% [markdown]
# What is hidden is not always gone. An hour whose total is 3 above its published counts, with three blanks, hides one person in each; an hour whose total is complete hides none. Working so by hour and by place until nothing changes is an attack:

# %%
hidden = published["below 2 hidden"]
print("by hour, total less published:", hidden.by_hour - hidden.counts.sum(axis=0))
print("by hour, blanks:              ", (hidden.counts == 0).sum(axis=0))
values = small_counts.recover(*hidden, 2)  # hidden: 1 at most; -1 if not known
raw = published["raw"].counts
small = (hidden.counts == 0) & (raw > 0)
print(f"{small.sum()} counts of one person are hidden;")
print(f"the totals give {((values == raw) & small).sum()} of them away")

# %% [markdown]
# (audit-releases)=
# ## Releases as practised, and what each promises
#
# Five of eleven promise nobody anything: counts as they are (`raw`), below 10 hidden as in the Mobility Data Specification (`mds-k10`), up to 15 hidden as in FlowKit, rounded to 5, hidden and rounded. Six add noise:

# %% tags=["hide-input"]
from lib.papers import fitting

people = experiments.load_groups(fitting.display_names(datasets), n_users, seed, path)
name, group = next(iter(people.items()))
guarantees = experiments.guarantees(group).dropna(subset="epsilon")
plots.show_table(figures.guarantees_table(guarantees), "releases")

# %% [markdown]
# Each promises an $\varepsilon$ *to a unit*: a visit, a person's day, or a person. The unit decides more than the number. The last column adds it up for a whole person (the people here: 500 flight numbers): event-level noise promises her next to nothing. As nothing caps her visits, the 71,904 is 1 for each of 107 places in 672 hours; who has $v$ visits is promised $v$.
# A unit of a day or a person needs a *public cap*, kept by dropping visits at random before counting: here one visit for every hour of the unit, in Google's process {cite:p}`aktay2020` four a day.
#
# (audit-one)=
# ## Every attack on one release
#
# Each person is in a release with chance one half, by a coin; but a tenth, the **controls**, are never in, whatever their coins say. The attacker draws such *shadow releases* herself, and is judged on new ones. She may flag at most one in a hundred of those who are not in; **found** is the share of members whom she flags, and a guess finds 0.01. The **most exposed** tenth are those whom she finds best in the shadow releases. AUC is the chance that a release with her scores above one without; a guess has one half.
#
# The *sum* adds the counts of her cells; *one threshold* first takes the 30% off whom she knows; *two thresholds* ask how many of her cells are above their usual height. A *ratio* weighs a count's excess by how little the count usually varies; the *correlated* one counts people once who share several of her cells.
#
# Intervals are wide, 95% for *all measures of a release together* (Bonferroni over 100): a failure is not to be the luckiest of a hundred numbers.

# %%
rows = experiments.audit_releases(
    people,
    releases=releases,
    n_users=n_users,
    quick=True,
    seed=seed,
    processes=processes,
)
one = rows[(rows["data"] == name) & (rows["release"] == releases[0])]
plots.show_table(figures.members_table(one, figures.RULES), "rules")

# %% [markdown]
# Who knows only *her* visits, and from practice how large her sum usually is, finds 28 in 100; who knows also how crowded each cell usually is, 87; who knows everybody else, all. The controls are at chance (few were scored in the last row).
#
# Now attacks that learn from examples, on few targets: [Knock-Knock](knock_knock.ipynb), from like groups, the same groups or past ones; a [network](thresholds.ipynb) trained on shadow releases; [zero knowledge](zero_knowledge.ipynb), in full audits. One row is not what it seems; which?

# %% tags=["hide-input"]
plots.show_table(figures.members_table(one, figures.LEARNED, exposed=False), "learned")
print(figures.not_tested(one))

# %% [markdown]
# *Knock-Knock, same groups* has an AUC of 1, also for people who were never in: the same groups are published in two weeks, and the classifier recognises the *group*. Without its control it would be the alarm of the page; the audit does not count it.
#
# The other goals. *BAYES* multiplies what the attacker believed of a person by the counts; *MAX_ROI* fills each place and hour with as many people as were counted, those who are likeliest there; *MAX_USER* seats person after person. ([](crowd.ipynb) explains them, and joint profiles.) Who knows everybody else asks for the most probable way, or for the place of each hour ([](fano.ipynb)). A gain is what the counts add to what the attacker knew before, as a share of what *gain over* names where that is an error, else as a plain difference minus what the control adds (*never in*: people, or steps, that this release does not hold), where that is above 0. *Severity* is explained [below](audit-use):

# %% tags=["hide-input"]
plots.show_table(figures.gains_table(one), "gains")
print(figures.trajectories_and_unicity(one))

# %% [markdown]
# *Unicity*, below the table, is no attack on counts: it says how many people the records themselves would give away. MAX_ROI halves the error about where members are. BAYES gains as much about people who are not in the counts, which is nothing; MAX_USER and joint profiles lose: where a prior is good, they believe the counts instead. Who knows everybody else gets most steps right (nearly all in the full audit, folded [below](audit-all)); the gain is smaller as the prior, her usual place at each hour, is right so often. Two releases that differ by one person give away all of her visits. Drawing *everybody's* ways at once {cite:p}`xu2017ash`, from counts alone, gains nothing.
#
# (audit-all)=
# ## The same over releases: what is knowledge worth?
#
# Members found, by the best attack with each knowledge:

# %% tags=["hide-input"]
plots.show_table(figures.knowledge_table(rows), "knowledge")

# %% [markdown]
# A column holds the best attack *that we have*: nobody wrote a correlated ratio for who knows 30%, and past releases serve Knock-Knock only. So more knowledge may find less here. Across: on raw counts of flight numbers it is the crowd that is worth most, from 28 in 100 to nearly all. She need not know *who* is counted; but she practises on the traces of all who *may* be in, which is much to know, and why *fail* hangs on what one takes for realistic. Down: event-level noise ($\varepsilon = 1$) leaves two thirds to find, as each of a flight's many visits tells a little.
#
# These were quick audits, of fewer releases and targets. All eleven at full size, from *stored results* (played once and stored):

# %% mystnb={"figure": {"name": "fig-audit-map", "caption": "Flights by number, stored results: members found of 100, while one in a hundred others is taken for a member (a guess finds 1). A cross: people who were never in are found as well, so that it counts for nothing. Grey: not tested. Hiding and rounding leave something to find, event-level noise leaves most of it to the best attacks, and user-day-level noise leaves little."}, "image": {"alt": "A map of attacks (rows) against eleven releases (columns) with the per cent of members found written in each cell: bright for raw counts, rounding and event-level noise, dark elsewhere."}} tags=["hide-input"]
print("Kept rows:", experiments.audit_releases.source("flights-by-number"))
kept = experiments.audit_releases.stored("flights-by-number")
figures.show_risks(kept)

# %% tags=["hide-input", "hide-output"]
more = figures.knowledge_table(kept).drop(releases, errors="ignore").head(8)
plots.show_if_any(more, "knowledge-kept", "All releases of the figure were above.")
print(figures.trajectories_and_unicity(kept[kept["release"] == "raw"]))
plots.show_table(figures.knowledge_table(kept, figures.EXPOSED).head(8), "exposed-kept")

# %% [markdown]
# Intervals are in the folded table. Rounding to 5 leaves half of the members to an attacker who knows everybody else: whenever she is the one who tips a count. Two numbers are soft: on raw counts zero knowledge finds 92 [31, 100] of 100 (six people were tried), and Knock-Knock from past groups 13 [0, 31].
#
# ### Aircraft, cabs, commuters
#
# Who knows the crowd, on other people: aircraft, and in quick audits real cabs and ten thousand commuters (a synthetic surrogate).

# %% tags=["hide-input"]
others = ["flights-by-tail", "cabspotting", "commuters"]
print("Kept rows:", experiments.audit_releases.source(*others))
elsewhere = experiments.audit_releases.stored(*others)
plots.show_table(figures.data_table(elsewhere), "data")

# %% [markdown]
# And what is left of the order of places by their visits (1: all of it, 0: nothing):

# %% tags=["hide-input"]
plots.show_table(figures.order_table(elsewhere), "data-order")

# %% [markdown]
# Hiding counts below 10 leaves *more* to find where counts are large, 23 and 18 of 100: less is hidden. User-day-level noise leaves 1 or 2 everywhere, and keeps most of the order of places on cabs and commuters, a seventh on the aircraft. The noise is the same; the crowd is not, and of a cab's visits, in eleven places an hour, only one an hour is counted. The worst case is worse: who knows everybody else finds *all* cabs and commuters (at least 84 of 100) where counts below 10 are hidden, and 6 [4, 8] and 3 [1, 5] of 100 under user-day-level noise (`figures.data_table(elsewhere, "everybody else")`).
#
# (audit-epsilon)=
# ## What epsilon promised, and what was seen
#
# A promise can be tested. $\varepsilon$-differential privacy for a unit says: whatever the test, it says "in" at most $e^\varepsilon$ times as often with her as without. So publish many times, with and without, and count. One cell with nobody or only her, Laplace noise, a test fixed beforehand: is the count at least 1?

# %%
from scipy import stats

n, rng = 20_000, stream(seed, "clopper-pearson")
cell = rng.laplace(scale=1 / epsilon, size=(2, n))
without, with_her = (cell[0] >= 1).sum(), (cell[1] + 1 >= 1).sum()
high = stats.beta.ppf(0.975, without + 1, n - without)  # Clopper and Pearson
low = stats.beta.ppf(0.025, with_her, n - with_her + 1)
most = stats.beta.ppf(0.025, n, 1) / stats.beta.ppf(0.975, 1, n)
print(f"promised {epsilon:.3f}, at least {np.log(low / high):.3f}", end="")
print(f" (95%); at most {np.log(most):.3f} could have been seen")

# %% [markdown]
# ````{prf:definition} Empirical epsilon
# :label: def-empirical
# A number that the true $\varepsilon$ is not below, with the stated confidence and from trials alone: the logarithm of the lower limit of the rate with her over the upper limit of the rate without. Its **ceiling** is what it would be had the test never erred: no trial can show more.
# ````
#
# A mechanism can be run thousands of times, a whole release hardly. {cite:t}`steinke2023` need *one* run: flip a coin for each of many people, publish once, and guess the coins. If $\varepsilon$-DP holds for a person, each guess is right with chance $e^\varepsilon/(1 + e^\varepsilon)$ at most. Of 90 guesses, fixed beforehand, how many were right, and what must $\varepsilon$ be?

# %%
grid = np.arange(0, 8, 0.005)
chance = np.exp(grid) / (1 + np.exp(grid))
for right in (50, 60, 75, 88, 90):
    possible = stats.binom.sf(right - 1, 90, chance) > 0.05
    print(f"{right} of 90 right: epsilon is at least {grid[possible].min():.2f}")

# %% [markdown]
# One run with 90 guesses can never show more than 3.4. Now what is declared and what was seen, from stored results (ceilings in brackets; for a crowd in one cell there are more trials, for one run fewer guesses, and 95% is for the three bounds of a release together):

# %% tags=["hide-input"]
plots.show_table(figures.epsilon_table(kept), "epsilon")

# %% [markdown]
# *A crowd in one cell* (an exercise explains it; it also takes for granted that noise is independent from cell to cell) sees nearly all of what Laplace noise promises: there is hardly more noise than its promise needs, and no bound is an alarm. *With and without the unit* sees next to nothing for a day or a person. No proof that less noise would do: the promise holds for the worst data, and these are typical. In *one run* event-level noise lets through at least 2 for a person; its 1 was for one of her visits.
#
# A bound above the promise is an alarm: the noise is not what it says. Does the alarm ring? A release for a whole person, with the right scale, half of it and a quarter:

# %%
wrong = experiments.weakened_noise(group, epsilon, [1, 0.5, 0.25], 200_000, seed)
plots.show_table(wrong, "weakened")

# %% [markdown]
# (audit-use)=
# ## Risk against usefulness
#
# How good counts are is usually told by their mean relative error. Publish 0 everywhere. Your guess, before you look?

# %% tags=["hide-input"]
from lib.aggregation import aggregate
from lib.audit import usefulness

counts = aggregate(group, [np.arange(group.n_users)])[0]
nothing = usefulness.measure_usefulness(counts, 0 * counts)
print(f"mean relative error of zeros everywhere: {nothing['MRE']['value']:.3f}")

# %% [markdown]
# Most counts are 0, so zeros are nearly right: hiding below 10 is hardly better (0.136), user-day-level noise far worse (23). A planner asks rather which places are visited most: we take the rank correlation of places by visits, 1 if their order is kept and 0 if nothing is.

# %% mystnb={"figure": {"name": "fig-audit-use", "caption": "Flights by number, stored results: share of members found by the best attack with each knowledge, against how much of the order of places by visits is kept (rank correlation). Dotted: guessing. A raw, B mds-k10, C flowkit-15, D round-5, E suppress-10-round-5, F event, G user-day, H user, I gaussian-user, J fpa, K google-mobility. Nothing is in the lower right corner, where counts would be both useful and safe."}, "image": {"alt": "Two panels, for an attacker who knows the crowd and one who knows everybody else: share found against rank correlation of places. Raw counts are at the upper right, event-level noise below them, everything else at the lower left but for rounding, which is in the middle."}} tags=["hide-input"]
compared = ["crowd", "everybody else"]
figures.show_risk_and_use(kept, compared)

# %% tags=["hide-input", "hide-output"]
use = figures.risk_and_use_table(kept, compared)
plots.show_table(use.iloc[:6], "use")
plots.show_table(use.iloc[6:], "use-noise")
print(*map(figures.visits_published, (kept, elsewhere)), sep="\n")

# %% [markdown]
# Errors and intervals are in the folded table. On a screen, choose what the attacker knows:
#
# ```{raw} html
# :file: static/audit.html
# ```
#
# The **verdict** is *fail* where an attack with knowledge that people have reaches a mark fixed beforehand (one member in ten found, half of the most exposed tenth, an AUC of 0.75, a tenth of the error) with the lower end of its interval, while controls are at chance (what controls *gain* is taken off instead); or where hidden counts are recovered; or where a promise is broken. It is *review* where something else beats its baseline. Else *none succeeded*, and never "safe".
#
# - *Fail*: raw counts, event-level noise; on the aircraft rounding to 5, too (the movable figure has it), on cabs and commuters hiding below 10.
# - *Review*: hiding below 10, rounding, both; user-day-level noise; Gaussian noise, for AUCs a hair above one half (it errs a ninth of what Laplace noise does for the same $\varepsilon$, and its attacks' 0.52 is within what its ε and δ allow).
# - *None succeeded*, for three reasons. Laplace user-level noise *promises* that nobody can find more than $e^1 = 2.7$ of 100. Fourier perturbation promises her little (10.3), but its mean relative error is 21 (with 10 coefficients; Knock-Knock tuned them to its counts). Hiding up to 15, and Google's process (made for regions of many thousands, not for hourly counts of 500 flights), publish next to nothing (3.2% and 0.4% of visits): nothing to attack, and nothing to use.
#
# (audit-safe)=
# ## What would have to be true for these counts to be safe?
#
# A promise to a *whole person*, with noise drawn exactly and checked; everything published (totals, corrections, next month) made from the noisy counts or paid for from the same budget; a public cap; and counts that are large beside the noise.
#
# How many people would it take, for noise of a tenth of the count that the median visit is in? A person counts once a place and period; the cap is what the median person has (though it would have to be public):

# %% tags=["hide-input"]
needed = experiments.people_needed(group, epsilon)
plots.show_table(needed, "needed")

# %% [markdown]
# There are 500: a hundred times too few by the hour, enough for the whole period. By this sum publishing less often does what no noise by the hour could; it is another product, too, and was not attacked here.
#
# ## On your own records
#
# `python -m lib audit RECORDS.csv --release RELEASE.yml` plays this chapter on a file of `user,time,zone` or `user,time,lat,lon`, and reports in plain words. `RELEASE.yml` holds `preset: mds-k10`, or mechanisms as for the six (`python -m lib audit --list` names all). It cannot see attacks nobody has thought of, attackers with other data, people who travel together, what is published next.
#
# ## Take-aways
#
# - An attack without its threat model, its baseline and its control is no finding: one AUC of 1 on this page is about groups, not members.
# - $\varepsilon$ without its unit is no promise. With 1 for a visit, who knows the crowd finds 70 of 100 members; with 1 for a day 2; for a person 1, which is guessing.
# - Hiding small counts promises nothing and can be undone by totals. Here it leaves to who knows the crowd 3 members of 100, of the most exposed tenth 15 [11, 20], and a quarter of the visits to use; where counts are large it fails.
# - Empirical bounds find noise of half the scale. They never prove that a promise is kept.
# - None of the eleven hourly releases of the flights is both safe from these attacks and useful: where at most 2 in 100 are found, the order of places is lost as well (0.29 at most). Where counts are large, user-day-level noise comes near: on cabs and commuters who knows the crowd finds 1 and 2 of 100, and the order of places is kept at 0.83 and 0.75 (rank correlation; of the cabs' visits one in eleven is counted). A person spends its promise every day again.
#
# (audit-debate)=
# ## A debate for class
#
# *Half an hour, four roles.* A transport office wants to publish hourly counts, those below 10 hidden. **The office**: everybody does it so, and riders gain. **A rider** takes the first train, alone at her stop, every day. **A planner** needs the rarely used stops, which would be hidden. **A journalist** asks for last year's counts, too.
# Five minutes to prepare, with this page only, and two each to speak; then the class votes: as they are, below 10 hidden, user-day-level noise, weekly counts, nothing. Before the vote each role names *one number* of this page that would change her mind.

# %% [markdown]
# ## Exercises
#
# ```{exercise} One in a hundred (★, 5 minutes)
# :label: audit-ex-base
# An attack finds 90 of 100 members, and takes 1 of 100 others for members. In a city of a million, 500 people were counted. She flags whom the attack flags. How many of those are members?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-base
# :class: dropdown
# ````

# %%
members, rest = 0.9 * 500, 0.01 * (1_000_000 - 500)
print(f"{members:.0f} members of {members + rest:.0f} flagged")

# %% [markdown]
# *Learned:* a rate of false accusations is of those who are *not* in. Of those flagged 96 in 100 were never counted; who suspects few to begin with errs less.
#
# ````{solution-end}
# ````
#
# ```{exercise} Two by two (★, 10 minutes)
# :label: audit-ex-totals
# Two places, two hours, all four counts below 3 and hidden, totals published. Which totals give everything away? Guess, then try all tables with `small_counts.recover`.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-totals
# :class: dropdown
# ````

# %%
from itertools import product

secret, n_tables = set(), 0
for table in product(range(3), repeat=4):
    counts = np.array(table).reshape(2, 2)
    totals = counts.sum(axis=1), counts.sum(axis=0)
    found = small_counts.recover(np.zeros((2, 2)), *totals, 3)
    if (found < 0).any():
        n_tables += 1
        secret.add(tuple(tuple(map(int, each)) for each in totals))
print(f"{n_tables} of 81 tables keep a secret. Totals by place, by hour:")
for by_place, by_hour in sorted(secret):
    print(by_place, by_hour)

# %% [markdown]
# *Learned:* wherever a total is as small or as large as it can be, the rest follows; and where 1 and 3 stand against 1 and 3. A hidden count needs company that could be otherwise.
#
# ````{solution-end}
# ````
#
# ```{exercise} What a promise forbids (★★, proof, 15 minutes)
# :label: audit-ex-proof
# Show: if a release is $(\varepsilon, \delta)$-DP for a unit, every test has TPR $\le e^\varepsilon$ FPR $+\ \delta$, and TPR for $k$ units at once, $\delta = 0$, is at most $e^{k\varepsilon}$ FPR. Why does a bound $b$ for $k$ people in one cell give $b / k$ for one visit, and $b c / k$ for a unit of $c$ visits?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-proof
# :class: dropdown
# ````
#
# A test says "in" on a set $R$ of releases. Its rates are $\Pr[R \mid \text{with}]$ and $\Pr[R \mid \text{without}]$, and the definition of differential privacy holds for every set, so for $R$. A test that tosses coins is an average of such sets. For $k$ units change one after the other: each step costs a factor $e^\varepsilon$ at most, so that together it is $e^{k\varepsilon}$.
# If trials show that TPR / FPR is at least $e^b$ for $k$ people, then $b \le k \varepsilon$ for one visit each. Noise that is independent from cell to cell spends as much in each of a unit's $c$ cells, together $c$ times that.
#
# *Learned:* one cell with a crowd in it can test a small $\varepsilon$: with $k = 1/\varepsilon$ people the promise is 1, which trials show well.
#
# ````{solution-end}
# ````
#
# ```{exercise} How high is the ceiling? (★★, 15 minutes)
# :label: audit-ex-ceiling
# How many trials of either kind does it take before Clopper and Pearson could show $\varepsilon = 3$, 5, 8 at all? Why does nobody audit $\varepsilon = 20$ in this way? A bound of 0.4 has a ceiling of 0.5, and 1 is declared: is the promise kept?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-ceiling
# :class: dropdown
# ````

# %%
for wanted in (3, 5, 8):
    n = 4
    while stats.beta.ppf(0.025, n, 1) / stats.beta.ppf(0.975, 1, n) < np.exp(wanted):
        n = int(n * 1.01) + 1
    print(f"epsilon {wanted}: about {n} trials of either, all of them right")

# %% [markdown]
# *Learned:* trials grow as $e^\varepsilon$ (the upper limit of "never" is $3.7 / n$, so that 20 takes $3.7\,e^{20}$, nearly two billion). A large promise cannot be tested, and hardly means anything. The bound of 0.4 says nothing about 1: its test could not have shown more than 0.5.
#
# ````{solution-end}
# ````
#
# ```{exercise} Write this attack yourself (★★, 30 minutes)
# :label: audit-ex-own
# The sum over her cells weighs all cells alike. Write one that weighs a cell the more, the fewer people are usually there. `games = lib.audit.games.Game(group, parse("raw"), seed, quick=True)` has the attacker's own releases in `games.shadow` and those to play on in `games.test`, each with `published` and `members`; `games.targets` are the people; `lib.audit.measures.membership_measures` judges. How far does one weight go from the sum to the likelihood ratio?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-own
# :class: dropdown
# ````

# %%
from lib.audit.games import Game
from lib.audit.measures import membership_measures

games = Game(group, parse("raw"), seed, quick=True)
visits = group.matrix[games.targets].astype(float)
usual = games.shadow.published.mean(axis=1, keepdims=True)
for words, weight in (("sum", usual * 0 + 1), ("rare cells", 1 / (usual + 0.1))):
    judged = [
        (visits @ (weight * played.published), played.members[games.targets])
        for played in (games.test, games.shadow)
    ]
    found = membership_measures(*judged[0], *judged[1])
    print(f"{words:10} AUC {found['AUC'].value:.3f}, ", end="")
    print(f"found {found[experiments.FOUND].value:.3f}")

# %% [markdown]
# *Learned:* most of what the likelihood ratio gains over the sum is this weight. A count where usually nobody is says nearly everything.
#
# ````{solution-end}
# ````
#
# ```{exercise} Published again (★★, 20 minutes)
# :label: audit-ex-again
# The same counts are published ten times, each time with fresh noise of $\varepsilon = 1$ for a person's day. What is that for a person's day in all? Average the ten (`games` as above; without the cap), and attack the average with the sum.
# ```

# %% [markdown]
# ````{solution-start} audit-ex-again
# :class: dropdown
# ````

# %%
some = games.targets[:40]
plan = parse("user-day-epsilon-1").plan(group)
for times in (1, 10, 100):
    rng, aucs = stream(seed, "again", times), []
    for person in some:
        cells = group.matrix[[person]].indices
        counts = games.test.raw[cells].astype(float)
        for _ in range(times):
            counts += rng.laplace(scale=plan.noise.scale, size=counts.shape) / times
        inside = games.test.members[person]
        above = np.greater.outer(*(counts.sum(axis=0)[k] for k in (inside, ~inside)))
        aucs.append(above.mean())
    print(f"{times:3} times, epsilon {times} for a day: AUC {np.mean(aucs):.2f}")

# %% [markdown]
# *Learned:* budgets add up, and noise averages out. The sum over her cells climbs towards its 0.88 on raw counts.
#
# ````{solution-end}
# ````
#
# ```{exercise} The last digits (★★, 20 minutes)
# :label: audit-ex-digits
# Draw Laplace noise around 0 and around 1, nobody and one person, with $\varepsilon = 1$, and score each value by $|x| - |x - 1|$. Outside of [0, 1] the score is $\pm 1$. Bound $\varepsilon$ with the scores as they are, and rounded to six digits. What happened?
# ```

# %% [markdown]
# ````{solution-start} audit-ex-digits
# :class: dropdown
# ````

# %%
from lib.audit.measures import clopper_pearson_epsilon

rng, both = stream(seed, "digits"), []
for count in (0, 1):
    drawn = count + rng.laplace(size=20_000)
    both.append(np.abs(drawn) - np.abs(drawn - 1))
exact = clopper_pearson_epsilon(*both).lower
rounded = clopper_pearson_epsilon(*(each.round(6) for each in both)).lower
print(f"as they are: epsilon at least {exact:.2f}; rounded: {rounded:.2f}")

# %% [markdown]
# *Learned:* all these scores are $\pm 1$ but for the last digit, and it tells which sum of a whole number and noise the computer rounded {cite:p}`mironov2012`. The promise was for real numbers. Who releases in earnest draws whole-number noise, or rounds.
#
# ````{solution-end}
# ````
#
# ```{exercise} Your own release (★★★, an evening)
# :label: audit-ex-project
# Take records of your own, or the cabs, and write the release that you would defend: mechanisms, cap, what else is published. Audit it with `python -m lib audit`. Then change *one* thing for a better verdict, and one for more useful counts. *A good answer* names the threat model of the best attack, shows its control, tells what each change cost, and says what was not tested.
# ```
