"""First pulls whose features span R^d, in every trial."""

from __future__ import annotations

import numpy as np

#: A feature counts as new if this share of its squared length is outside the span so far.
NEW = 1e-9


class Spanning:
    """Plays, while the features played do not span those of all pairs, the arm that adds most.

    In a context whose arms all lie in the span so far, the policy's own choice stands.

    Attributes
    ----------
    done : bool
        Whether all trials have their span.
    """

    def __init__(self, features: np.ndarray, trials: int) -> None:
        self._features = features
        d = features.shape[2]
        self._rank = np.linalg.matrix_rank(features.reshape(-1, d))
        self._length = np.einsum("xad,xad->xa", features, features)
        # Projection onto what is orthogonal to the features played.
        self._outside = np.tile(np.eye(d), (trials, 1, 1))
        self._found = np.zeros(trials, np.int64)
        self._row = np.arange(trials)
        self.done = False

    def choose(self, context: np.ndarray, arm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The arms (trials,), and which trials (mask) play a first pull."""
        rows = self._features[context]
        rest = np.matmul(rows, self._outside)
        new = np.einsum("tad,tad->ta", rest, rows)
        new[new <= NEW * self._length[context]] = 0
        first = new.argmax(axis=1)
        waiting = (new[self._row, first] > 0) & (self._found < self._rank)
        return np.where(waiting, first, arm), waiting

    def played(self, context: np.ndarray, arm: np.ndarray) -> None:
        """Note the pairs that were played."""
        if self.done:
            return
        phi = self._features[context, arm]
        rest = np.einsum("tde,te->td", self._outside, phi)
        square = np.einsum("td,td->t", rest, rest)
        fresh = np.flatnonzero(square > NEW * self._length[context, arm])
        unit = rest[fresh] / np.sqrt(square[fresh])[:, None]
        self._outside[fresh] -= unit[:, :, None] * unit[:, None, :]
        self._found[fresh] += 1
        self.done = bool((self._found >= self._rank).all())
