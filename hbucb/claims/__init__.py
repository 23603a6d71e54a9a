"""The ledger of the papers' claims, and the rule that gives each its verdict.

`import hbucb` does not load this package; `hb.ledger()` does.
"""

from hbucb.claims.claim import KINDS, Claim, Ledger
from hbucb.claims.judge import describe, family, judge, one_number
from hbucb.claims.ledger import ledger
from hbucb.claims.verdicts import Decision, decide, size_verdict
from hbucb.claims.vocabulary import Verdict

__all__ = [
    "KINDS",
    "Claim",
    "Decision",
    "Ledger",
    "Verdict",
    "decide",
    "describe",
    "family",
    "judge",
    "ledger",
    "one_number",
    "size_verdict",
]
