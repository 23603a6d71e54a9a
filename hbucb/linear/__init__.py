"""Linear contextual bandits: least squares, the lower-bound programme and its solution."""

from hbucb.linear import alternatives, programme

__all__ = ["alternatives", "programme"]
