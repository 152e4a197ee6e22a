"""Computes the reference numbers in src/lab/study/fit/synthetic.rs.

Needs numpy, scipy and statsmodels. It repeats the random numbers of src/support/random.rs
(SplitMix64), fits the same simulated moves, and prints the constants.
"""

import numpy as np
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.special import expit

MASK = (1 << 64) - 1
PLAYERS, MOVES, INTERCEPT, X, Z, DEVIATION = 30, 12, -1.0, 0.8, -0.5, 0.7


class Random:
    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
        return bits ^ (bits >> 31)

    def unit(self):
        return (self.bits() >> 32) / 2**32

    def normal(self):
        return sum(self.unit() for _ in range(12)) - 6


def simulated(seed, outcome):
    random = Random(seed)
    rows, outcomes, players = [], [], []
    for player in range(PLAYERS):
        own = DEVIATION * random.normal()
        for _ in range(MOVES):
            x = random.normal()
            z = random.unit()
            odds = INTERCEPT + X * x + Z * z + own
            outcomes.append(outcome(odds, random))
            rows.append([1.0, x, z])
            players.append(player)
    return np.array(rows), np.array(outcomes), np.array(players)


def correction(groups, rows, width):
    return groups / (groups - 1) * (rows - 1) / (rows - width)


def mixed(rows, outcomes, players):
    """Maximises the likelihood with a random intercept, and returns a sandwich covariance."""
    places, weights = np.polynomial.hermite_e.hermegauss(61)
    weights = weights / weights.sum()

    def each(at):
        odds = (rows @ at[:-1])[:, None] + at[-1] * places[None, :]
        terms = outcomes[:, None] * odds - np.logaddexp(0, odds)
        joint = np.array([terms[players == p].sum(axis=0) for p in range(PLAYERS)])
        top = joint.max(axis=1)
        return top + np.log(np.exp(joint - top[:, None]) @ weights)

    start = np.array([0.0, 0.0, 0.0, 0.4])
    best = minimize(lambda at: -each(at).sum(), start, method="BFGS", options={"gtol": 1e-9})
    at, width = best.x, len(best.x)
    step = 1e-4

    def score(at):
        return np.array([(each(at + d) - each(at - d)) / (2 * step) for d in step * np.eye(width)]).T

    hessian = np.array([(score(at + d) - score(at - d)).sum(axis=0) / (2 * step) for d in step * np.eye(width)])
    bread = np.linalg.inv(-hessian)
    scores = score(at)
    cov = bread @ scores.T @ scores @ bread * correction(PLAYERS, len(outcomes), width)
    return at, np.sqrt(np.diag(cov)), each(at).sum()


def main():
    rows, outcomes, players = simulated(11, lambda odds, random: float(random.unit() < expit(odds)))
    plain = sm.Logit(outcomes, rows).fit(disp=0, tol=1e-12)
    print("LOGIT", [f"{v:.9f}" for v in plain.params], f"{plain.llf:.9f}")
    at, errors, likelihood = mixed(rows, outcomes, players)
    print("MIXED", [(f"{v:.6f}", f"{e:.6f}") for v, e in zip(at[:-1], errors)])
    print("MIXED_DEVIATION", f"{abs(at[-1]):.6f}", "MIXED_LIKELIHOOD", f"{likelihood:.6f}")
    rows, outcomes, players = simulated(12, lambda odds, random: odds + random.normal())
    rows, outcomes = rows[:, 1:].copy(), outcomes.copy()
    for player in range(PLAYERS):
        rows[players == player] -= rows[players == player].mean(axis=0)
        outcomes[players == player] -= outcomes[players == player].mean()
    within = sm.OLS(outcomes, rows).fit(cov_type="cluster", cov_kwds={"groups": players})
    print("WITHIN", [(f"{v:.9f}", f"{e:.9f}") for v, e in zip(within.params, within.bse)])


main()
