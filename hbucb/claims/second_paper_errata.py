"""Errata of Mukherjee et al. (arXiv 1711.03591) and its public scripts.

Rows of :class:`hbucb.claims.errata.Erratum`, as in :mod:`hbucb.claims.first_paper_errata`.
"""

from __future__ import annotations

_PAPER, _THEORY, _AUDIT = "mukherjee2018", "18-eucbv", "19-second-paper"

SECOND_PAPER: tuple[tuple[str, ...], ...] = (
    (
        "Er1", _PAPER, "Algorithm 1 and the public scripts", "Two radii under one name",
        "ln(psi T eps_m) in the text, ln(psi M eps_m) with M = 7 or 8 in the scripts",
        "the forms play differently; the theorem is about the first, the curves show the second",
        "code differs from text", "as printed nothing is dropped in Experiment 1", "run", _THEORY,
    ),
    (
        "Er2", _PAPER, "public scripts, elimination", "A mean is compared with an arm's number",
        "arms are dropped against the largest lower end",
        "the scripts compare with one reference arm, found by a scan that compares means with "
        "positions",
        "code differs from text", "the order of the arms matters; the regret hardly changes in "
        "Experiment 1", "public code", _AUDIT,
    ),
    (
        "Er3", _PAPER, "Figures of Experiments 2 and 3", "EUCBV was run without noise",
        "all algorithms meet the same noisy rewards",
        "the scripts set the spreads of EUCBV to zero; a run without noise gives the recorded "
        "curves to every digit",
        "experiment design", "the published comparison in these experiments is not one", "run",
        _AUDIT,
    ),
    (
        "Er4", _PAPER, "Experiments 2 to 4 and the public scripts", "Variances used as deviations",
        "the listed numbers are variances",
        "the scripts use them as standard deviations, and some swap two groups of Experiment 2",
        "code differs from text", "the rivals' curves belong to other noise than the text's",
        "public code", _AUDIT,
    ),
    (
        "Er5", _PAPER, "Lemma 6 and Theorem 1", "The variance enters by a false inequality",
        "c1 (4 sigma^2 + 4) <= c2 sigma^2 whenever 20 c1 <= c2",
        "true at sigma^2 = 1/4 only; Theorem 1 is false for small variances, with any constants",
        "false statement", "a bound without the variance replaces it", "run", _THEORY,
    ),
    (
        "Er6", _PAPER, "Lemma 3", "The exponent 3/4 is too large",
        "P(mean too high) <= 2 (psi T eps)^(-3/4)",
        "exact binomial sums exceed it from T = 1e4 on; the exponent 1/2 is proved",
        "false statement", "failures are far more likely than the proof allows", "run", _THEORY,
    ),
    (
        "Er7", _PAPER, "Lemmas 4 and 5", "A typical event is bounded as if it were rare",
        "P(fewer than n_m pulls at the arm's own level) is small",
        "a bad arm is left alone long before: probability 1 in an example without noise",
        "false statement", "the case analysis of Theorem 1 has no ground", "run", _THEORY,
    ),
    (
        "Er8", _PAPER, "proof of Theorem 1, case b2", "A sum over rounds loses its number of terms",
        "the sum over the round in which the best arm goes has a constant",
        "each of up to min(m_i, m_b) + 1 rounds contributes",
        "proof gap", "a factor ln T in the failure term", "text", _THEORY,
    ),
    (
        "Er9", _PAPER, "Theorem 1 and Algorithm 1", "The rounds end before the proof needs them",
        "M = floor(log2(T/e)/2) halvings of eps, and a level eps < gap^2/64 for each arm",
        "eps is a squared gap, so M stops at gaps of 8 sqrt(eps): above 0.35 in all experiments; "
        "and ln(T gap^2/K) may be negative",
        "proof gap", "no arm of the paper's experiments is covered", "run", _THEORY,
    ),
    (
        "Er10", _PAPER, "Table 1", "MOSS has K and not K squared",
        "K^2 ln(T gap^2/K)/gap", "the source has K ln(T gap^2/K)/gap",
        "misprint", "the table makes a rival look worse", "text", _THEORY,
    ),
    (
        "Er11", _PAPER, "text of Experiment 1; Corollary 1", "A win over an algorithm not run",
        "EUCBV does better than UCB-Improved, which is not compared",
        "UCB-Improved plays all arms equally there and loses 1710; the win is real, and unmeasured",
        "experiment design", "none for the verdict", "run", _AUDIT,
    ),
    (
        "Er12", _PAPER, "Experiments 2 to 4", "Normal rewards are not bounded",
        "rewards in [0, 1]", "normal rewards leave every interval",
        "missing assumption", "no theorem of the paper speaks about three of its experiments",
        "text", _AUDIT,
    ),
)  # fmt: skip
