"""The certifier: does a claimed radius, index or regret bound hold? By simulation, exactly tested.

A claim is played on reward tapes of a law of its class (or, as a negative control, of a law
outside); failures are counted and compared with the claimed probability by exact limits.
"""

from hbucb.certify.certificate import VERDICTS, Certificate, RegretCertificate
from hbucb.certify.events import event
from hbucb.certify.limits import index
from hbucb.certify.radii import radius
from hbucb.certify.regret import regret_bound

__all__ = [
    "VERDICTS",
    "Certificate",
    "RegretCertificate",
    "event",
    "index",
    "radius",
    "regret_bound",
]
