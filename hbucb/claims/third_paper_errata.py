"""Errata of Tirinzoni et al. (NeurIPS 2020, arXiv 2010.12247).

Rows of :class:`hbucb.claims.errata.Erratum`, as in :mod:`hbucb.claims.first_paper_errata`. The
text at hand has the prose of the paper and its appendices A to G; displayed formulas are missing
and are known where the prose or a proof fixes them.
"""

from __future__ import annotations

_PAPER, _LINEAR, _HERE = "tirinzoni2020", "20-linear-bandits", "errata"
_REGRET = "23-regret-of-solid"

THIRD_PAPER: tuple[tuple[str, ...], ...] = (
    (
        "Et1", _PAPER, "section 3, on z lower", "A sample complexity is called its own inverse",
        "z lower is the inverse of the sample complexity",
        "by its definition 1 / z lower is a largest rate of information; z lower itself counts "
        "samples",
        "misprint", "none for the theorems; a reader takes the wrong side of a fraction", "run",
        _HERE,
    ),
    (
        "Et2", _PAPER, "appendix C against section 3", "Pulls with and without the contexts",
        "eta = z omega in the appendix, eta = z rho omega in the main text",
        "the formula for z upper needs the second",
        "misprint", "with the first, z upper is wrong by the probability of a context", "run",
        _HERE,
    ),
    (
        "Et3", _PAPER, "section 6, choice of beta and gamma",
        "The thresholds of the experiments lack a factor 2",
        "beta_t = sigma^2 (log t + d log log n) for a test that fails with probability 1/n",
        "such a test needs 2 sigma^2 log n; the region is left in more than one game in ten",
        "experiment design",
        "SOLID explores less than its theory says, and is compared with rivals that keep theirs",
        "run", _LINEAR,
    ),
    (
        "Et4", _PAPER, "section 6, the multiplier", "The multiplier stays near 0",
        "a primal-dual method in which the constraint is priced by lambda",
        "with the bonus in the constraint lambda is near 0 at the sizes run: a test with "
        "optimistic exponentiated weights",
        "experiment design", "what the figures show is not the effect of the constraint", "run",
        _HERE,
    ),
    (
        "Et5", _PAPER, "Assumption 2", "The ceiling of the multiplier is short by a factor 2",
        "lambda_max >= 2 B L z lower is enough for all z",
        "the interior-point argument gives 4 B L z lower at z = 2 z lower, and the printed number "
        "only as z grows",
        "wrong constant", "where the true multiplier is smaller, none", "run", _HERE,
    ),
    (
        "Et6", _PAPER, "appendix F", "The norm of a feature is bounded by L / nu",
        "the norm of phi in the inverse of V is at most L / nu",
        "it is at most L / sqrt(nu)",
        "wrong constant", "none for nu >= L^2, where both are at most 1 or the proof uses 1",
        "run", _HERE,
    ),
    (
        "Et7", _PAPER, "Lemma 5", "Azuma's inequality with half the range",
        "b sqrt((S/2) log(m S^2)) for functions with values in [-b, b]",
        "b sqrt(2 S log(m S^2)); the printed width is for values in [0, b]",
        "wrong constant", "a factor 2 where the lemma is used for matrices", "run", _HERE,
    ),
    (
        "Et8", _PAPER, "proof of Theorem 2, sums over phases", "K phases are K + 1",
        "sum over k = 0..K of sqrt(p_k) <= sqrt(K sum p_k)",
        "sqrt((K + 1) sum p_k); and the last phase may be unfinished, so that the sum of p_k "
        "bounds the explorations from above",
        "misprint", "constants only", "run", _HERE,
    ),
    (
        "Et9", _PAPER, "Algorithm 1 and Theorem 2", "Phases of a length that is no integer",
        "p_k = z_k e^(2k), and f_t from the frequencies before round t",
        "round up; in the first round there are no frequencies, take equal ones",
        "misprint", "an implementation has to choose", "text", _HERE,
    ),
    (
        "Et10", _PAPER, "Lemma 1", "The bias is 1/z on the toy, not 1/sqrt(z)",
        "u*(z) - v* is of order 1/sqrt(z)",
        "true as a bound; on the paper's toy z (u* - v*) tends to a constant",
        "wrong constant", "the rate of the second term of Theorem 2 may be improvable", "run",
        _HERE,
    ),
    (
        "Et11", _PAPER, "section 4 against appendix D", "Which programme is relaxed",
        "(P_lambda) is the Lagrangian of (P_z) in the text, of (P_z) in values in appendix D",
        "the two have the same solutions; their values differ by an affine map",
        "misprint", "multipliers of one are not those of the other before division by z", "run",
        _HERE,
    ),
    (
        "Et12", _PAPER, "section 4, on the accuracy test, and Lemma 4",
        "The test of the experiments is not that of Lemma 4",
        "the experiments test alternatives in the last context only, and all results follow for "
        "this test with minor changes",
        "then a round explores because of its context, and is no stopping time of the past: "
        "Lemma 4 is false for this test with rho omega, and true with the contexts that came",
        "missing assumption",
        "counts follow other proportions than rho omega; a regret proof has to do without them",
        "proof", _REGRET,
    ),
)  # fmt: skip
