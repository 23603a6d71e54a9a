"""The third paper's claims: complete, with evidence, and with numbers that follow again."""

import importlib
import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import linear
from hbucb.claims.errata import errata
from hbucb.claims.third_paper import solid_theory
from hbucb.claims.vocabulary import Verdict

ROWS = {claim.id.partition("/")[2]: claim for claim in solid_theory()}


def _exists(name):
    module, _, attribute = name.rpartition(".")
    return callable(getattr(importlib.import_module(module), attribute, None))


def test_every_decided_claim_has_evidence():
    ids = {entry.id for entry in errata("tirinzoni2020")}
    assert ids == {f"Et{i}" for i in range(1, 13)}
    used = set()
    for claim in ROWS.values():
        assert claim.evidence and all(n in ids or _exists(n) for n in claim.evidence), claim.id
        if claim.verdict in (Verdict.REFUTED, Verdict.CORRECTED):
            assert ids & set(claim.evidence), claim.id
        used |= ids & set(claim.evidence)
    assert used == {"Et2", "Et3", "Et5", "Et6", "Et7", "Et10", "Et12"}
    assert {claim.id for claim in ROWS.values()} <= {claim.id for claim in hb.ledger()}
    status = {info.name: info.status for info in hb.bounds.catalogue()}
    assert status["solid_problem_regret"] == "stated" and status["solid_worst_case"] == "proved"


@pytest.mark.parametrize("xi", [0.01, 0.05, 0.2])
def test_the_toys_allocation(xi):
    found = linear.programme.solve(linear.toy(xi, sigma=1.0))
    assert found.value == pytest.approx(10.0, rel=1e-5) and found.gap <= 1e-5
    pulls = np.where(np.isinf(found.allocation), 0.0, found.allocation)
    assert pulls[1, 0] == pytest.approx(50.0, rel=1e-4)
    pulls[1, 0] = 0.0
    assert pulls.max() < 1e-3
    assert "v* = 10 sigma^2 and 50 sigma^2" in ROWS["toy-allocation"].numbers


def test_the_bias_on_the_toy():
    toy = linear.toy(sigma=1.0)
    value = linear.programme.solve(toy).value
    bias = {z: linear.budget.solve(toy, z).value - value for z in (1e4, 1e5)}
    assert 1e5 * bias[1e5] == pytest.approx(1000, rel=0.01)
    assert bias[1e4] / bias[1e5] == pytest.approx(10, rel=0.05)
    assert "1000/z" in ROWS["lemma-1"].numbers


def test_the_coin_of_lemma_5():
    width = math.sqrt(50 * math.log(100**2))
    p = 2 * stats.binom.sf(math.floor((100 + width) / 2), 100, 0.5)
    assert round(p, 3) == 0.035 and "0.035" in ROWS["lemma-5"].numbers


def test_the_ceiling_of_the_multiplier():
    toy = linear.toy(sigma=0.5)
    low = linear.budget.z_lower(toy).z
    for k in (1.5, 2.0, 10.0):
        allowed = 2 * math.sqrt(2) * low * k / (k - 1)
        assert linear.budget.solve(toy, k * low).multiplier <= allowed
