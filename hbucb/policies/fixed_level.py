"""Index policies with one failure probability for the whole game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from hbucb.policies.index import IndexPolicy
from hbucb.validate import whole_number

_Self = TypeVar("_Self", bound="FixedLevelPolicy")


class FixedLevelPolicy(IndexPolicy):
    """An index policy that is a frozen dataclass with a field ``delta``, which may be None."""

    delta: float | None

    def level(self, horizon: int) -> float:
        """The failure probability at one count: ``delta``, or 1/T^2 if it is not given."""
        return 1 / max(horizon, 2) ** 2 if self.delta is None else self.delta

    def tuned(self: _Self, horizon: int) -> _Self:
        policy: Any = self
        found: _Self = replace(policy, delta=self.level(whole_number(horizon, "horizon", 1)))
        return found
