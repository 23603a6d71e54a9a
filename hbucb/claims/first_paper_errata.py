"""Errata of Dorn et al. (arXiv 2402.07062), its public code, and two statements it builds on.

Rows of :class:`hbucb.claims.errata.Erratum`: id, paper, place, title, printed, true, kind,
consequence, shown by, chapter.
"""

from __future__ import annotations

from typing import Any

DORN, BUBECK = "dorn2024", "bubeck2013"
_FO, _CSGD, _AUDIT = "06-fo-ucb-zo-ucb", "07-clipped-sgd", "R1-figure-1"

FIRST_PAPER: tuple[tuple[Any, ...], ...] = (
    (
        "E1", DORN, "Theorem 2 in section 2.3 and in appendix A",
        "Theorem 2 has two constants, and one is false",
        "pulls at most the real inverse of g, plus 2 at delta = 1/T^2 (section) or plus 1 at "
        "1/(T(T+1)) (appendix)",
        "the integer inverse, strict, plus 1/2 + 1/(2T); with the real inverse +2 holds for a "
        "continuous decreasing g, +1 does not",
        "false statement", "the bound of the appendix is exceeded by almost half a pull",
        "run", _FO,
    ),
    (
        "E2", DORN, "appendix A, proof of Theorem 2",
        "The union is over rounds, the guarantee is for fixed counts",
        "P(mu* > index in round s) <= delta for each round s, whose count is random",
        "the guarantee says nothing at a count that depends on the data; the union must run over "
        "the counts 1, ..., T - 1; and the ties need a strict inverse",
        "proof gap", "the conclusion survives, with half the failure term", "run", _FO,
    ),
    (
        "E3", DORN, "Theorem 8, Corollary 9 and appendix C",
        "Clipped SGD tuned to K updates has no guarantee before the last",
        "f(x_k) - f* <= C ln(4(K+1)/delta) ln^2((K+1)R^2)/(k+1) for all k <= K with one step",
        "false for every constant; the quoted theorem speaks of the last iterate only, asks for a "
        "smaller step, and its logarithm needs a unit",
        "false statement", "Clipped-SGD-UCB has no index that covers", "proof", _CSGD,
    ),
    (
        "E4", DORN, "Theorem 10",
        "The regret of Clipped-SGD-UCB exceeds the printed bound",
        "regret of order sqrt(KT) times ln^(3/2) T, and ln^3 T for fixed gaps",
        "with the step it names the regret grows like T^(2/3) up to logarithms",
        "false statement", "the algorithm as printed has no such bound; restarted it has", "proof",
        "08-clipped-sgd-ucb",
    ),
    (
        "E5", DORN, "Theorem 10, section 2.5.2 and appendix D",
        "K is the number of arms and the number of updates",
        "step and clip levels of Theorem 10 contain K; the appendix leaves them blank",
        "K must be the number of updates there, T",
        "misprint", "the step read literally is that of a run of ten updates", "text",
    ),
    (
        "E6", DORN, "Assumption 6 and Theorem 10",
        "No algorithm of the experiments meets the variance assumption on Cauchy noise",
        "symmetric noise is enough for Theorem 10",
        "a gradient needs a variance: (m + 1) times the tail index above 2, so m >= 2 for Cauchy",
        "missing assumption", "Theorem 10 speaks of none of the replayed runs", "proof", _CSGD,
    ),
    (
        "E7", DORN, "Theorem 8; public code, class ClippedSGD",
        "With the constant 400 the start is never forgotten",
        "step min(1/(400 ln(4(K+1)/delta)), ln((K+1)R^2)/(K+1)), clip level with the constant 120",
        "at T = 10^4 half of the start is left after 8045 updates; the code has 1 for 400 and "
        "for 120, and no decay of the clip level",
        "code differs from text", "the replayed algorithm is another one than the analysed one",
        "run", _CSGD,
    ),
    (
        "E8", DORN, "Theorem 10, bound with the root, and appendix D",
        "The constant 4 of the worst-case bound",
        "4 ln((T+1)T R^2) sqrt(C ln(4T(T+1)^2) T K)",
        "the printed split gives 4 sqrt(2); Jensen's inequality 2 sqrt(2)",
        "wrong constant", "the inequality follows from the first bound, by another argument",
        "proof",
    ),
    (
        "E9", DORN, "appendix D, display before the choice of Delta",
        "A stray factor log T",
        "T Delta + 8 C L l^2 K log T / Delta",
        "no log T: it is in neither the line before nor the choice of Delta",
        "misprint", "with it the rate would be worse by sqrt(ln T)", "proof",
    ),
    (
        "E10", DORN, "Theorem 10 and appendix D",
        "Brackets and a factor T in the logarithms",
        "4T(T + 1^2), log^2(T+1)R^2, log((T+1)TR^2)",
        "4T(T+1)^2, log^2((T+1)R^2); the factor T in the last is not needed",
        "misprint", "at most a factor 4", "run",
    ),
    (
        "E11", DORN, "Algorithm 1",
        "Five slips in Algorithm 1",
        "first index with sqrt(g), then sqrt(2g); the old iterate with the new count; the "
        "algorithm runs itself; n_i(K) for the start; T rounds of b pulls",
        "sqrt(2g) throughout, iterate and count of one update, K b first pulls, b(K + T) in all",
        "misprint", "an index with sqrt(g) covers 83 % instead of 95 %", "run", _FO,
    ),
    (
        "E12", DORN, "Remark 11",
        "Batches are not free",
        "a batch of b changes only the fixed part of the bound",
        "the adaptive part becomes b times the inverse of the batch's g: unchanged only if a "
        "batch of b is b times as good",
        "false statement", "on Cauchy rewards a mean of two buys nothing and costs twice",
        "proof", _FO,
    ),
    (
        "E13", DORN, "Theorem 3 and section 2.2",
        "Theorem 3 and its oracle",
        "an equality, summed over all arms, for a first-order method; |x - X| as the oracle of "
        "|x - mu|",
        "an inequality over arms with a gap; E|x - X| is another function, infinite for Cauchy "
        "rewards, and the theorem never uses it",
        "misprint", "the theorem stands, and is Theorem 2 again", "run", _FO,
    ),
    (
        "E14", DORN, "abstract and introduction",
        "Exponents",
        "Robust UCB's radius with v^(1/alpha); alpha < 0 for rewards without a mean",
        "v^(1/(1+alpha)), by units; 1 + alpha in (0, 1), that is alpha in (-1, 0)",
        "misprint", "none for the theorems", "run", "04-robust-ucb",
    ),
    (
        "E15", DORN, "abstract and section 1.2",
        "The rate of the abstract",
        "O(log T sqrt(KT log T)) is proved for symmetric noise, with or without a mean",
        "the argument fails (E3, E4); restarts reach it, another method a better one",
        "proof gap", "the rate stands, the proof and the algorithm do not", "proof",
        "08-clipped-sgd-ucb",
    ),
    (
        "E16", DORN, "appendix C; Definition 5",
        "Numbers and indices",
        "Theorem 9 in the appendix beside Corollary 9 in the text; groups 0..2m beside 1..2m+1",
        "two statements with one number; the groups are 2m + 1 in both countings",
        "misprint", "none", "text",
    ),
    (
        "E17", DORN, "section 3; public code, class RobustUCBMedian",
        "The baseline RUCB-Median is greedy",
        "Robust UCB with the median of means, compared at its best hyper-parameters",
        "it runs with eps = 0: the bonus is 12 R for every arm at every count",
        "code differs from text", "its mean regret is that of stuck runs", "public code", _AUDIT,
    ),
    (
        "E18", DORN, "section 3.3; public code, class NormalDistributionEnv",
        "The normal noise is uniform",
        "noise from the standard normal distribution",
        "the code draws uniform numbers from [0, 1)",
        "code differs from text", "the noise is bounded, with a twelfth of the variance",
        "public code",
    ),
    (
        "E19", DORN, "section 3.1; public code, class CauchyPlusParetoEnv",
        "The Pareto mixture, and densities called CDFs",
        "a CDF with the part 3/(x + 1.5)^4 from -1.5 on",
        "it is a density, and it has no finite integral; from -0.5 on it is the Pareto law of "
        "mean 0; the code draws from (-1, 0]",
        "code differs from text", "three different noises under one name", "public code",
    ),
    (
        "E20", DORN, "section 3.1",
        "Asymmetry is not tested",
        "asymmetric mixtures and Frechet noise as tests beyond the theory",
        "all arms share the noise: any bias of a location is the same for all and cancels",
        "experiment design", "the runs say nothing about arms of different asymmetry", "run",
        "02-heavy-tails",
    ),
    (
        "E21", BUBECK, "Proposition 1, used for comparison",
        "The constant of Robust UCB's regret",
        "2c (v/Delta)^(1/eps) ln T + 5 Delta an arm",
        "a factor 2^((1+eps)/eps) is missing",
        "wrong constant", "the printed bound is exceeded", "run", "04-robust-ucb",
    ),
    (
        "E22", BUBECK, "Lemma 2, used as the baseline",
        "The median of means needs enough samples",
        "a radius for every number of samples",
        "for n >= 16 ln(e^(1/8)/delta) only; false for two samples",
        "missing assumption", "the radius is infinite below that count in the package", "run",
        "bounds",
    ),
    (
        "E23", DORN, "section 3; public code",
        "The clip level knows the answer",
        "a clip level as a hyper-parameter",
        "it is set to max |mu|, and in Figure 4 to the gap itself; constants are picked on the "
        "curve that is shown",
        "experiment design", "the SGD family is tuned by the unknown", "public code", _AUDIT,
    ),
    (
        "E24", DORN, "section 3.4; public code, delta_light_tail.py and delta_heavy_tail.py",
        "Figure 4 was drawn on another grid and another scale",
        "steps of 0.04 and 0.4, Cauchy noise of scale 1, 300 trials",
        "25 points, so steps of 1/24 and 10/24; scale 2; 300 trials in one version, 30 in the next",
        "code differs from text", "Figure 4 (right) is replayed in both scales", "public code",
    ),
    (
        "E25", DORN, "Table 1",
        "Table 1 measures the cost of a step",
        "90 % quantile of the time to reach a mean regret of 0.1 and of 0.05",
        "with more than 10 failures in 100 the quantile is the time of the whole budget",
        "experiment design", "both columns of three rows show one number", "run",
    ),
    (
        "E26", DORN, "section 3; public code, class ClippedSGD",
        "The step that is run does not converge",
        "iterates that converge to the location",
        "with the constant step 1/ln(4(T+1)T^2) the iterate keeps a spread of .1 to .45",
        "experiment design", "gaps of .1 stay below the noise of the index", "run",
    ),
    (
        "E27", DORN, "public code",
        "Seeds, and two rival algorithms",
        "a fixed seed; rivals as published",
        "trials run in workers that are not seeded; the influence of APE has the wrong sign for "
        "negative rewards; two adversarial rivals never play the first arm of their warm-up",
        "code differs from text", "runs cannot be repeated; rivals are not judged", "public code",
    ),
)
