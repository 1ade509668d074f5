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
# # Fano loss, replicated
#
# This page repeats every figure, example and theorem of *Measuring Privacy Loss in Distributed Spatio-Temporal Data* {cite:p}`fanoloss`, in its own order, from stored results. What successes and bounds are is explained in
# [](../fano.ipynb), what can be made better in [](../fano_bounds.ipynb).
#
# ## Does it reproduce?
#
# **Theory and the simulated person: yes. People: cannot be known.** The paper prints one number about its results; the rest are figures. So each sentence about them became a test, written down in code before the rows were read. Words such as "almost matches" are read on the axis of the figures,
# which goes from 0 to 1: what is within 0.05 cannot be told apart there.

# %% tags=["remove-cell"]
import pandas as pd
from lib.papers import figures as plots
from lib.papers import scoreboard
from lib.papers import verdicts as findings
from lib.papers.fano_loss import experiments as fano
from lib.papers.fano_loss import figures

plots.use_style()
judged = findings.judged_with_pages("fano")

# %% tags=["remove-input"]
scoreboard.show_conclusions(
    judged,
    {
        "Fano's inequality and the tight bound limit every attack on one person.": [
            "fano-bounds-above-estimators",
            "fano-fig5-tight-below-loose",
            "fano-eq4-bound",
        ],
        "The most probable path is the best guess of a whole path, and both it and the ball are computed exactly.": [
            "fano-map-optimal-s0",
            "fano-ball-s0",
            "fano-eq3-reduces",
        ],
        "For the simulated person the loss falls with the number of places and of steps asked for.": [
            "fano-fig5-m-decreasing",
            "fano-fig5-steps-decreasing",
            "fano-fig5-T-minus-2",
        ],
        "The tight bound almost matches the best attack when few errors are allowed; attacks stay level when half of the steps may be wrong.": [
            "fano-fig5-tight-at-small-s",
            "fano-fig5-T-half",
        ],
        "Noise lowers the bounds and hardly changes the attack.": [
            "fano-fig7-bounds",
            "fano-fig7-map-flat",
        ],
        "For real people the bounds follow how often they are counted and how slowly they move, and attacks succeed more often.": [
            "fano-fig3-foursquare",
            "fano-fig4-foursquare",
            "fano-fig6-foursquare-above-simulated",
            "fano-fig3-gowalla",
            "fano-fig4-gowalla",
            "fano-fig6-gowalla-above-simulated",
        ],
    },
)

# %% [markdown]
# The same claims, counted by the data of the paper and ours. The verdicts and the rule are explained on the [scoreboard](../scoreboard.md).

# %% tags=["remove-input"]
scoreboard.show_by_data(judged)

# %% [markdown]
# What is behind these verdicts:
#
# - *The one printed number*, MAP near 0.3 in the smallest map, proves nothing: the paper does not say how small that map is, and we chose ten places because MAP is near 0.3 there (`fano-fig5-map-small-m` *input*).
# - *The axis.* `fano-fig5-tight-at-small-s` *supported* and `fano-fig5-T-half` *supported* are true on the paper's axis. On a logarithmic one, as below, the values are powers of ten apart.
# - *Noise.* `fano-fig7-map-flat` *supported* shows little: with a hundred places the attack has next to nothing to lose. With ten it falls to the prior's success.
# - *People.* The paper has 9,760 users of Foursquare and 318 of Gowalla. We have a cut of each service, with 429 and 42 users who are active enough. The substitute verdicts are on these cuts; flights by tail stand beside them. On Gowalla's cut every bound is the same, so that the correlation of Fig. 4 does not exist there.
# - *Unseen transitions.* Fig. 3 and 4 hang on what is done about transitions that were never seen, which the paper does not say; [below](fano-replicated-unseen) is what another choice does.
# - *Cost.* That the most probable path needs $T M^2$ operations was counted (`fano-prop1` *supported*). The cost of Eq. 5 was not (`fano-thm1` *not tested*); that its recursion finds what enumeration finds is shown below.
#
# The paper's figures have no printed values, so there is nothing to draw into ours.

# %% [markdown]
# ## Everything that has a label
#
# | in the paper | what it is | here |
# |---|---|---|
# | Def. 1 | differential privacy | {prf:ref}`def-release` |
# | Example 1, Fig. 1 | one count, New York and Paris | [below](fano-replicated-examples), and {numref}`fig-fano-bit` |
# | Example 2, Fig. 2 | two counts, slow and fast | [below](fano-replicated-examples) |
# | Adv (Sec. 2.2.2), Eq. 1 | advantage; Fano's inequality | {prf:ref}`thm-fano-advantage`, {numref}`fig-fano-sides` |
# | Eq. 2 | privacy loss | {prf:ref}`def-fano-loss` |
# | MAP and prior estimator (Sec. 3.2.2) | two guesses | {prf:ref}`alg-fano-map`; `viterbi_trajectory`, `prior_trajectory` |
# | Prop. 1 (Proposition 1), App. A recursion | MAP by dynamic programming | {prf:ref}`alg-fano-map`; [checked below](fano-replicated-truth) |
# | Prop. 2 (Proposition 2), App. B recursion | the same for the prior | `prior_trajectory`; [checked below](fano-replicated-truth) |
# | Eq. 3 | loose bound | {prf:ref}`thm-fano-loose`; `loose_bound` |
# | Eq. 4, App. C | information of noisy counts | [below](fano-replicated-eq4); `mutual_information` |
# | Han-Verdú inequality (Sec. 3.3.2) | tight bound | {prf:ref}`thm-fano-tight`, with an exercise that proves it; `tight_bound` |
# | Eq. 5 | the ball's chance | {prf:ref}`thm-fano-tight`; `ball_terms` |
# | Theorem 1, App. D recursion | Eq. 5 in polynomial time | {prf:ref}`alg-fano-theorem-1` |
# | Fig. 3 | who is often counted | [below](fano-replicated-fig3) |
# | Fig. 4 | who moves slowly | [below](fano-replicated-fig4) |
# | Fig. 5 | the simulated person | [below](fano-replicated-fig5) |
# | Fig. 6 | steps asked for, people | [below](fano-replicated-fig6) |
# | Fig. 7 | noise, simulated person | [below](fano-replicated-fig7) |
# | Fig. 8 | noise, people | [below](fano-replicated-fig8) |
#
# Functions are in `lib.reconstruction`.

# %% [markdown]
# (fano-replicated-examples)=
# ## Examples 1 and 2 (Fig. 1 and 2)
#
# One raw count of the same person, with a sensor where she is likely to be and where she is not; the best attacker, the loose bound, and the advantage over guessing that the bound leaves (Adv). Then the chance that the best guess of two steps is right, for two people of whom one stays, both seen in the
# first step and not in the second.

# %% tags=["hide-input"]
one_count = fano.one_count.stored().set_index("sensor").drop(columns="data")
columns = ["I", "h(p)", "best possible", "loose bound", "advantage, loose bound"]
plots.show_table(one_count[columns], "fig-1")
two_counts = fano.two_counts.stored().set_index("person")[["success"]]
plots.show_table(two_counts, "fig-2")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-examples")

# %% [markdown]
# (fano-replicated-eq4)=
# ## Eq. 4 and App. C
#
# What one noisy count says of one step, by the closed form and itself, in nats; `raw` is the binary entropy, what an exact count says. (App. C: the noise of each step is its own, so what the counts say is at most the sum of what each says of its own step. A noisy count is a mixture of two normal distributions, one user apart, with weights
# $p_t$ and $1 - p_t$. By Jensen's inequality the entropy of a mixture is bounded through the divergence of its parts, which is $1 / 2\sigma^2$.)

# %% tags=["hide-input"]
one_step = figures.with_raw(fano.eq_4.stored().set_index("σ"))
columns = {
    f"p = {p:g}, {name}": each[name]
    for p, each in one_step.groupby("p")
    for name in ("Eq. 4", "itself")
    if p > 0.05
}
plots.show_table(pd.DataFrame(columns), "eq-4")

# %% [markdown]
# A chance of 0.01 too:

# %% tags=["hide-cell"]
rare = one_step[one_step["p"] == 0.01]
plots.show_table(rare[["Eq. 4", "itself"]], "eq-4-rare")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-eq4")

# %% [markdown]
# (fano-replicated-truth)=
# ## Propositions 1 and 2, Theorem 1, Eq. 1, 3 and 5
#
# ````{prf:algorithm} Theorem 1 (App. D of the paper)
# :label: alg-fano-theorem-1
# $g(m, k, x)$: the largest probability of being at $m$ places in $m$ steps, the last at $x$, $k$ steps after the first, for a stationary chain, with
# $P^{\Delta}(x', x)$ the probability of going from $x'$ to $x$ in $\Delta$ steps.
# 1. $g(1, 0, x) = \pi(x)$.
# 2. $g(m, k, x) = \max_{\Delta} \max_{x'} P^{\Delta}(x', x)\, g(m-1, k-\Delta, x')$.
# 3. The term of Eq. 5 with $l$ free steps is $\max_{k < T} \max_x g(T-l, k, x)$.
# ````
#
# Only terms with $l \le s$ are needed, so at most $s$ steps are free in all: $T s^2 M^2$ in place of the paper's $T^3 M^2$. Checked on random chains of up to five places and steps, against all paths, up to 300 of them:

# %% tags=["hide-input"]
cases = fano.enumerated_chains.stored()
names = ["prior is best", "Theorem 1", "ball at s = 0", "Eq. 3 is Eq. 1"]
counted = cases[names].agg(["count", "sum"]).T.astype(int)
plots.show_table(counted.set_axis(["cases", "true"], axis=1), "identities")

# %% [markdown]
# And against the best possible success, over two hundred chains:

# %% tags=["hide-input"]
plots.show_table(figures.case_table(cases), "truth")

# %% [markdown]
# What the recursion costs, for $T$ steps and $M$ places: numbers that numpy computed, and numbers held. Twice the steps take twice the operations, twice the places four times as many.

# %% tags=["hide-input"]
costs = fano.costs.stored().drop(columns="data")
plots.show_table(costs.pivot(index="T", columns="M", values="operations"), "costs")
held = costs.pivot(index="T", columns="M", values="numbers held")
plots.show_table(held, "numbers-held")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-truth")

# %% [markdown]
# (fano-replicated-data)=
# ## The check-ins (Sec. 4.1)
#
# First as read, in days; then windows of 20 days of the users who are active enough. Flights, in days, stand beside them. The last column is the share of the attacked steps *somewhere else*, at none of the hundred places.

# %% tags=["hide-input"]
print(fano.dataset_sizes.source())
sizes = fano.dataset_sizes.stored().set_index(["data", "stage"])
shown = sizes.drop("drawn", level="stage")
columns = ["users", "time steps", "locations", "the same, last steps"]
columns = shown[columns].astype(object).fillna("")
columns = columns.rename(columns={"the same, last steps": "somewhere else, last"})
plots.show_table(columns, "prepared")

# %% tags=["hide-cell"]
plots.show_table(sizes, "prepared-whole")

# %% [markdown]
# What the paper leaves open, decided: visits are counted over the whole period; of several places in a window the most frequent counts, of equals the latest; a place that was never left in training keeps the user for ever; where the chain then has no
# unique law, transitions between her places are mixed with a millionth of the uniform ones. A success is $d \le s$ everywhere (once, in Sec. 4.1, the paper writes $d < s$). On real steps MAP treats raw counts as if they had noise of $\sigma = 0.05$, so that it never has to give up when somebody
# is where she never was.

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-data")

# %% [markdown]
# (fano-replicated-fig3)=
# ## Fig. 3: who is often counted
#
# The tight bound with one sensor, at the most visited place, in every step, $s = 1$.

# %% mystnb={"figure": {"name": "fig-fano-r3", "caption": "Figure 3 of the paper, on cuts of its data and on flights; a point a user. Whoever was at the sensor's place in training has a bound near 1, and so have most of those who never were."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: each user's tight bound against her visits to the sensor's place in training. Users with visits are at one; those without are between about 0.4 and one, on Gowalla all at one."}} tags=["hide-input"]
habits = fano.habits.stored()
figures.users(habits, "visits", "training steps at the sensor's place", "fixed")

# %% tags=["hide-input"]
print(fano.habits.source())
by_visits = figures.visits_table(fano.bounds_by_visits(habits))
plots.show_parts(by_visits.xs("as decided", level="chains"), "fig-3")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig3")

# %% [markdown]
# (fano-replicated-fig4)=
# ## Fig. 4: who moves slowly
#
# The same users, sensors at random. *Settled only* leaves out whose chain had no unique law.

# %% mystnb={"figure": {"name": "fig-fano-r4", "caption": "Figure 4 of the paper, on cuts of its data and on flights; a point a user. Most bounds are near 1 whatever the speed."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: each user's tight bound against the spectral gap of her chain. Most points are at one, at every gap."}} tags=["hide-input"]
figures.users(habits, "gap", "spectral gap of the user's chain", "random")

# %% tags=["hide-input"]
correlations = fano.correlations(habits)
told = figures.correlation_table(correlations)["correlation [95%]"]
plots.show_table(told.unstack("chains", sort=False), "fig-4")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig4")

# %% [markdown]
# (fano-replicated-unseen)=
# ### Sensitivity to transitions that were never seen
#
# With one added to each transition between places that a user visited, the correlation of Fig. 4 is there on all three (the table above, last column). Fig. 3 changes in part:

# %% tags=["hide-input"]
plots.show_parts(by_visits.xs("one added", level="chains"), "fig-3-added")

# %% [markdown]
# The never seen are spread as the paper describes it on Foursquare and on the flights, less so on Gowalla, where only one user is often at the sensor. But on the flights the often seen are then no longer near 1. So neither way gives all that the paper describes on all data. We
# keep relative frequencies, since these are what the paper names, and tell both.

# %% [markdown]
# (fano-replicated-fig5)=
# ## Fig. 5: the simulated person
#
# A hundred sequences of sensors for each point, successes exact for each. The axis is logarithmic; on the paper's, from 0 to 1, nearly all attacks lie on 0.

# %% mystnb={"figure": {"name": "fig-fano-r5a", "caption": "Figure 5 of the paper, upper panels. Everything falls with the number of places and with the steps asked for. The bounds lie far above the attacks."}, "image": {"alt": "Two panels on a logarithmic axis, simulated person. Above, against the number of places; below, against the number of right steps asked for: four attacks fall over many powers of ten, both bounds little."}} tags=["hide-input"]
sweeps = fano.sweeps.stored()
means, errors = fano.sweep_means(sweeps), fano.sweep_means(sweeps, "sem")
figures.sweeps(means, {"M": "places M", "T - s": "right steps asked for, T − s"})

# %% tags=["hide-input"]
print(fano.sweeps.source(), "(points), means and 95% intervals over sequences")
lines = ["MAP", "prior", "tight", "loose"]
for swept, name in (("M", "places M"), ("T - s", "steps asked for")):
    of_one = sweeps[sweeps["swept"] == swept]
    plots.show_table(figures.swept_table(of_one, lines, name), f"fig-5-{name[:5]}")

# %% mystnb={"figure": {"name": "fig-fano-r5b", "caption": "Figure 5 of the paper, lower panels. With half of the steps asked for the bounds are level and the attacks fall with every step; with two steps asked for everything rises."}, "image": {"alt": "Two panels on a logarithmic axis, simulated person, against up to twenty time steps. Above, half of the steps may be wrong: bounds level, attacks fall. Below, two steps must be right: all lines rise."}} tags=["hide-input"]
panels = {fano.HALF: "time steps T, s = T/2", fano.MINUS_2: "time steps T, s = T − 2"}
figures.sweeps(means, panels)

# %% tags=["hide-input"]
for swept, name in ((fano.HALF, "T, s = T/2"), (fano.MINUS_2, "T, s = T - 2")):
    of_one = sweeps[sweeps["swept"] == swept]
    table = figures.swept_table(of_one, lines, name)
    plots.show_table(table, f"fig-5-T-{'half' if swept == fano.HALF else 'minus-2'}")

# %% [markdown]
# Every point, with the modes and the lucky constant, and the largest standard error as a share of its value:

# %% tags=["hide-cell"]
SHOWN = ["MAP", "marginal", "prior", "constant", "loose", "tight"]
share = (errors[SHOWN] / means[SHOWN]).max(axis=1)
plots.show_table(means[SHOWN].assign(**{"standard error, at most": share}), "fig-5")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig5")

# %% [markdown]
# (fano-replicated-fig6)=
# ## Fig. 6: how many steps must be right, people
#
# Means over users, all attacked under the same sequences of sensors. The constant says one place, not somewhere else, for everybody.

# %% mystnb={"figure": {"name": "fig-fano-r6", "caption": "Figure 6 of the paper, on cuts of its data. Both bounds of the paper are near 1 for all but the hardest tasks, and MAP is hardly above the prior."}, "image": {"alt": "Two panels, cuts of Gowalla and Foursquare: mean privacy loss against the number of right steps asked for. The paper's bounds are near one, the moment bound and the attacks fall."}} tags=["hide-input"]
attacked = fano.attack_people.stored()
step_means, step_errors = fano.step_means(attacked, fano.constant_guesses.stored())
figures.steps(step_means, ["gowalla", "foursquare"])

# %% tags=["hide-input"]
print(fano.attack_people.source())
all_but_one = attacked[(attacked["σ"] == 0) & (attacked["T - s"] == 4)]
lines = {
    "loose": "loose bound",
    "tight": "tight bound",
    "moments": "moment bound",
    "MAP": "MAP",
    "MAP, places": "MAP, right at real places only",
    "prior": "prior",
}
plots.show_table(figures.people_table(all_but_one, lines), "fig-6-all-but-one")

# %% [markdown]
# The table has four of five steps asked for. On Gowalla most of MAP's successes are left if only right steps at real places count; on the other two next to none are: there MAP is right about *somewhere else*, which is no discovery. All numbers, then standard errors over users:

# %% tags=["hide-cell"]
plots.show_table(step_means, "fig-6")
plots.show_table(step_errors, "fig-6-errors")

# %% [markdown]
# Are attacks on real people more successful than on the simulated person with as many steps? She, at $T = 5$:

# %% tags=["hide-input"]
simulated = means.loc[fano.SHORT, ["MAP", "constant"]]
plots.show_table(simulated.rename_axis("T - s"), "short")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig6")

# %% [markdown]
# (fano-replicated-fig7)=
# ## Fig. 7: noise, simulated person
#
# MAP with noise is simulated, eleven runs for each sequence of sensors, with an interval *over runs*; raw, it is exact, with an interval *over sequences*. The two are not of one kind: that MAP at $\sigma = 0.1$ stands a little below raw is within the runs' interval, and on the same runs
# [the difference is nothing](fano-fig7). "Smaller I" takes the smaller of Eq. 4 and of what raw counts would say, which is allowed.

# %% mystnb={"figure": {"name": "fig-fano-r7", "caption": "Figure 7 of the paper, with ten and with a hundred places. With a hundred MAP has nothing to lose, and with ten it falls while both bounds stay at 1."}, "image": {"alt": "Two panels, simulated person with ten and with a hundred places: privacy loss against the noise's standard deviation. With ten places MAP falls with noise while both bounds stay at 1; with a hundred MAP is level near 0 and the tight bound falls."}} tags=["hide-input"]
by_noise = fano.noise_means(fano.noise.stored())
lines = ["loose", "tight", "moments", "MAP"]
figures.noise(by_noise, lines, "M = {}")

# %% tags=["hide-input"]
print(fano.noise.source())
few = figures.map_table(by_noise)
plots.show_table(few.loc[10], "fig-7-ten")
plots.show_table(few.loc[100], "fig-7-hundred")

# %% tags=["hide-cell"]
plots.show_table(figures.with_raw(by_noise), "fig-7")

# %% [markdown]
# The formula of differential privacy, for $\sigma = 1$ and $\delta = 10^{-5}$, by the number of counts. It is proven for results below 1 only.

# %% tags=["hide-cell"]
plots.show_table(fano.epsilon.stored().set_index("T").drop(columns="data"), "epsilon")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig7")

# %% [markdown]
# (fano-replicated-fig8)=
# ## Fig. 8: noise, people
#
# Means over users, four of five steps asked for.

# %% mystnb={"figure": {"name": "fig-fano-r8", "caption": "Figure 8 of the paper, on cuts of its data and on flights. MAP hardly feels the noise, and the bounds hardly more."}, "image": {"alt": "Three panels, Gowalla, Foursquare and flights by tail: mean privacy loss against the noise's standard deviation; bounds near one, MAP level."}} tags=["hide-input"]
real_noise = fano.people_noise_means(attacked)
figures.noise(real_noise, ["loose", "tight", "MAP"])

# %% [markdown]
# Foursquare, then Gowalla: the tight bound, MAP and its standard error, and the share of users whose tight bound is *higher* with noise than without. Noise tells nobody more: Eq. 4 is looser than the bound for raw counts.

# %% tags=["hide-input"]
for name in ("foursquare", "gowalla"):
    own = figures.with_raw(real_noise.loc[[name]]).loc[name]
    columns = ["tight", "tight, one added", "MAP", "MAP error", "above raw"]
    plots.show_table(own[columns], f"fig-8-{name}")

# %% tags=["hide-cell"]
plots.show_table(figures.with_raw(real_noise), "fig-8")

# %% tags=["remove-input"]
scoreboard.show(judged, "fano-replicated-fig8")

# %% [markdown]
# ## Beyond the paper, at its size
#
# From the best attack to the bounds, for each point of Fig. 5, and the tight bound for other $Q$ than that of Eq. 5 ([](../fano_bounds.ipynb) says what for):

# %% tags=["hide-cell"]
gaps = fano.bound_gaps(means.drop(fano.SHORT, level="swept"))
plots.show_table(gaps, "gaps")

# %% tags=["hide-input"]
plots.show_table(figures.ball_table(fano.balls.stored()), "balls")

# %% [markdown]
# (fano-replicated-adaptive)=
# ### Sensors that follow their counts
#
# Five thousand runs each, beside sensors at random (Sec. 3.1 leaves them to future work); then what following adds to the success of MAP.

# %% tags=["hide-input"]
adaptive = fano.adaptive.stored()
plots.show_table(figures.adaptive_table(adaptive), "adaptive")
plots.show_table(fano.greedy_gain(adaptive), "greedy")

# %% mystnb={"figure": {"name": "fig-fano-adaptive", "caption": "Success of MAP under sensors at random and under sensors that follow their counts, 95% intervals over 5,000 simulated runs. A sensor that may choose costs the person more where the map is small enough to find her."}, "image": {"alt": "Success of MAP with intervals against the number of places for random and greedy sensors; greedy is higher in the smallest maps, and both are near zero in the largest."}} tags=["hide-input"]
figures.show_adaptive(adaptive, "s = 5 of 10")

# %% [markdown]
# With 10 and 20 places success rises by the factors printed, five standard errors apart and more; with 50, where a place nearest to 1/2 is still an unlikely one, success is too rare to tell.

# %% [markdown]
# ### The modes
#
# Four places, four steps, every fifth of the sequences of sensors; exact for these.

# %% tags=["hide-input"]
modes = fano.modes.stored().set_index("s").drop(columns="data")
plots.show_table(modes.rename(columns=figures.WORDS), "modes")
