"""The ledger of the papers' claims, and the rule that gives each its verdict.

`import hbucb` does not load this package; `hb.ledger()` does.
"""

from hbucb.claims.claim import KINDS, Claim, Ledger
from hbucb.claims.describe import describe, describe_size, one_number
from hbucb.claims.errata import ERRATA, Erratum, errata, errata_table
from hbucb.claims.judge import family, judge, measured
from hbucb.claims.ledger import ledger
from hbucb.claims.sizes import count_verdict, size_settle, size_verdict
from hbucb.claims.verdicts import Decision, decide, two_sided
from hbucb.claims.vocabulary import Verdict

__all__ = [
    "ERRATA",
    "KINDS",
    "Claim",
    "Decision",
    "Erratum",
    "Ledger",
    "Verdict",
    "count_verdict",
    "decide",
    "describe",
    "describe_size",
    "errata",
    "errata_table",
    "family",
    "judge",
    "ledger",
    "measured",
    "one_number",
    "size_settle",
    "size_verdict",
    "two_sided",
]
