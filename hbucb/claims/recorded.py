"""Verdicts and numbers of the ledger, written down from the run that the chapter repeats."""

from __future__ import annotations

# Claim id -> (verdict, one number, numbers).
RECORDED: dict[str, tuple[str, str, str]] = {
    "F1a/SGD-UCB<UCB": (
        "CONFIRMED",
        "SGD-UCB 0.078, UCB 1.054",
        "mean difference -0.977 [-1.133, -0.821] (for); stuck: only the rival 367, only "
        "this one 16 (for); pairs: better in 465, worse in 135 (for); 600 trials",
    ),
    "F1a/SGD-UCB<RUCB-Median": (
        "DEPENDS ON READING",
        "SGD-UCB 0.078, RUCB-Median 0.362; ahead in 172 of 600 trials; fair rival 0.098",
        "mean difference -0.284 [-0.396, -0.170] (for); stuck: only the rival 138, only "
        "this one 31 (for); pairs: better in 172, worse in 428 (against); 600 trials; "
        "against the fair baseline: OPEN",
    ),
    "F1a/SGD-UCB-Median<UCB": (
        "CONFIRMED",
        "SGD-UCB-Median 0.094, UCB 1.054",
        "mean difference -0.960 [-1.119, -0.803] (for); stuck: only the rival 381, only "
        "this one 14 (for); pairs: better in 472, worse in 127 (for); 600 trials",
    ),
    "F1a/SGD-UCB-Median<RUCB-Median": (
        "DEPENDS ON READING",
        "SGD-UCB-Median 0.094, RUCB-Median 0.362; ahead in 165 of 600 trials; fair rival 0.098",
        "mean difference -0.268 [-0.380, -0.154] (for); stuck: only the rival 135, only "
        "this one 12 (for); pairs: better in 165, worse in 435 (against); 600 trials; "
        "against the fair baseline: OPEN",
    ),
    "F1a/SGD-UCB-SMoM<UCB": (
        "CONFIRMED",
        "SGD-UCB-SMoM 0.103, UCB 1.054",
        "mean difference -0.951 [-1.110, -0.794] (for); stuck: only the rival 369, only "
        "this one 22 (for); pairs: better in 464, worse in 135 (for); 600 trials",
    ),
    "F1a/SGD-UCB-SMoM<RUCB-Median": (
        "DEPENDS ON READING",
        "SGD-UCB-SMoM 0.103, RUCB-Median 0.362; ahead in 165 of 600 trials; fair rival 0.098",
        "mean difference -0.259 [-0.371, -0.145] (for); stuck: only the rival 129, only "
        "this one 26 (for); pairs: better in 165, worse in 435 (against); 600 trials; "
        "against the fair baseline: OPEN",
    ),
    "F1a/SGD-UCB (theory)<UCB": (
        "REFUTED",
        "SGD-UCB (theory) 4.495, UCB 1.054",
        "mean difference 3.440 [3.263, 3.583] (against); stuck: only the rival 0, only this"
        " one 183 (against); pairs: better in 4, worse in 596 (against); 600 trials",
    ),
    "F1a/SGD-UCB (theory)<RUCB-Median": (
        "REFUTED",
        "SGD-UCB (theory) 4.495, RUCB-Median 0.362",
        "mean difference 4.133 [3.979, 4.217] (against); stuck: only the rival 0, only this"
        " one 427 (against); pairs: better in 0, worse in 600 (against); 600 trials",
    ),
    "F1b/SGD-UCB<UCB": (
        "CONFIRMED",
        "SGD-UCB 0.083, UCB 0.344",
        "mean difference -0.261 [-0.297, -0.229] (for); stuck: only the rival 371, only "
        "this one 18 (for); pairs: better in 539, worse in 61 (for); 600 trials",
    ),
    "F1b/SGD-UCB<RUCB-Median": (
        "CONFIRMED, NOT AGAINST A FAIR BASELINE",
        "SGD-UCB 0.083, RUCB-Median 0.158; fair rival 0.068",
        "mean difference -0.075 [-0.102, -0.054] (for); stuck: only the rival 230, only "
        "this one 26 (for); pairs: better in 339, worse in 261 (not shown); 600 trials; "
        "against the fair baseline: OPEN",
    ),
    "F1b/SGD-UCB-Median<UCB": (
        "CONFIRMED",
        "SGD-UCB-Median 0.095, UCB 0.344",
        "mean difference -0.248 [-0.286, -0.216] (for); stuck: only the rival 337, only "
        "this one 27 (for); pairs: better in 523, worse in 77 (for); 600 trials",
    ),
    "F1b/SGD-UCB-Median<RUCB-Median": (
        "CONFIRMED, NOT AGAINST A FAIR BASELINE",
        "SGD-UCB-Median 0.095, RUCB-Median 0.158; fair rival 0.068",
        "mean difference -0.063 [-0.089, -0.042] (for); stuck: only the rival 198, only "
        "this one 37 (for); pairs: better in 322, worse in 278 (not shown); 600 trials; "
        "against the fair baseline: REFUTED",
    ),
    "F1b/SGD-UCB-SMoM<UCB": (
        "CONFIRMED",
        "SGD-UCB-SMoM 0.126, UCB 0.344",
        "mean difference -0.217 [-0.255, -0.184] (for); stuck: only the rival 230, only "
        "this one 34 (for); pairs: better in 494, worse in 106 (for); 600 trials",
    ),
    "F1b/SGD-UCB-SMoM<RUCB-Median": (
        "CONFIRMED, NOT AGAINST A FAIR BASELINE",
        "SGD-UCB-SMoM 0.126, RUCB-Median 0.158; fair rival 0.068",
        "mean difference -0.032 [-0.059, -0.011] (for); stuck: only the rival 124, only "
        "this one 77 (not shown); pairs: better in 274, worse in 326 (not shown); 600 "
        "trials; against the fair baseline: REFUTED",
    ),
    "F1b/SGD-UCB (theory)<UCB": (
        "REFUTED",
        "SGD-UCB (theory) 0.450, UCB 0.344",
        "mean difference 0.106 [0.073, 0.140] (against); stuck: only the rival 0, only this"
        " one 69 (against); pairs: better in 179, worse in 421 (against); 600 trials",
    ),
    "F1b/SGD-UCB (theory)<RUCB-Median": (
        "REFUTED",
        "SGD-UCB (theory) 0.450, RUCB-Median 0.158",
        "mean difference 0.292 [0.267, 0.315] (against); stuck: only the rival 0, only this"
        " one 218 (against); pairs: better in 37, worse in 563 (against); 600 trials",
    ),
    "F1c/RUCB-Median<SGD-UCB": (
        "CONFIRMED",
        "RUCB-Median 0.107, SGD-UCB 0.192",
        "mean difference -0.085 [-0.107, -0.063] (for); stuck: only the rival 319, only "
        "this one 0 (for); pairs: better in 532, worse in 68 (for); 600 trials",
    ),
    "F1c/RUCB-Median<SGD-UCB-Median": (
        "CONFIRMED",
        "RUCB-Median 0.107, SGD-UCB-Median 0.230",
        "mean difference -0.123 [-0.144, -0.099] (for); stuck: only the rival 319, only "
        "this one 0 (for); pairs: better in 560, worse in 40 (for); 600 trials",
    ),
    "F1c/RUCB-Median<SGD-UCB-SMoM": (
        "CONFIRMED",
        "RUCB-Median 0.107, SGD-UCB-SMoM 0.326",
        "mean difference -0.220 [-0.241, -0.194] (for); stuck: only the rival 319, only "
        "this one 0 (for); pairs: better in 593, worse in 7 (for); 600 trials",
    ),
    "F1c/size:SGD-UCB": (
        "OTHER SIZE",
        "SGD-UCB has 1.80 times the mean",
        "SGD-UCB has 1.80 times the mean of RUCB-Median at T; 600 trials",
    ),
    "F1c/size:SGD-UCB-Median": (
        "OTHER SIZE",
        "SGD-UCB-Median has 2.15 times the mean",
        "SGD-UCB-Median has 2.15 times the mean of RUCB-Median at T; 600 trials",
    ),
    "F1c/size:SGD-UCB-SMoM": (
        "OTHER SIZE",
        "SGD-UCB-SMoM has 3.06 times the mean",
        "SGD-UCB-SMoM has 3.06 times the mean of RUCB-Median at T; 600 trials",
    ),
}
