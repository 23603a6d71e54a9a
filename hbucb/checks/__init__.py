"""Exercises that check themselves: ``hb.check("ex-09-1", answer)``.

A check prints one sentence and never raises, so a notebook with open answers runs through.
Numbers are compared with sealed records (:mod:`hbucb.checks.sealing`), which recognise known
mistakes and hide the answer from a glance; functions and policies climb a ladder of properties
(:mod:`hbucb.checks.ladders`) and have nothing to hide.

``python -m hbucb.checks`` seals the answers anew, ``python -m hbucb.checks --check`` proves that
the sealed records are those of the questions.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from hbucb.checks.verdicts import Verdict

if TYPE_CHECKING:
    from hbucb.checks.variants import Variant

__all__ = ["Check", "Verdict", "check"]


class Check:
    """Checks an answer to an exercise of the book and prints what there is to say.

    Examples
    --------
    >>> import hbucb as hb
    >>> hb.check("ex-09-1", ...)
    ex-09-1: not answered yet.
    >>> hb.check("ex-09-1", "0.5")
    ex-09-1: '0.5' is text; give the number itself, without quotes.
    """

    def __call__(self, id: str | Variant, answer: Any = ...) -> None:
        """Print the verdict on an answer; never raises.

        Parameters
        ----------
        id : str or Variant
            Of the exercise, as printed on its page ("ex-09-1"), or what :meth:`variant` returned.
        answer : number, str, list of str, function or class
            What the exercise asks for; three dots say "not answered yet".
        """
        print(self.verdict(id, answer))

    def verdict(self, id: str | Variant, answer: Any = ...) -> Verdict:
        """The verdict as an object, for those who mark: ``.right``, ``.state``, ``.text``.

        Parameters
        ----------
        id, answer
            As in :meth:`__call__`.

        Examples
        --------
        >>> import hbucb as hb
        >>> hb.check.verdict("ex-09-2", 1520).state
        'wrong'
        """
        try:
            return self._judge(id, answer)
        except Exception as error:  # a fault of the check itself must not stop a notebook
            text = f"the check itself failed ({type(error).__name__}: {error}); please report it."
            return Verdict(str(id), "unknown", text)

    def _judge(self, id: str | Variant, answer: Any) -> Verdict:
        from hbucb.checks import sealed

        if not isinstance(id, str):
            from hbucb.checks.variants import Variant

            if isinstance(id, Variant):
                return id.judge(answer)
            text = 'give the id of the exercise first, as text: hb.check("ex-09-1", answer).'
            return Verdict(repr(id)[:40], "unknown", text)
        name = id.strip().lower()
        if name in sealed.records():
            return sealed.judge(name, sealed.records()[name], answer)
        from hbucb.checks import code

        if name in code.LADDERS:
            return code.LADDERS[name].judge(name, answer)
        near = difflib.get_close_matches(name, self.ids(), 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        return Verdict(id, "unknown", f"no check has this id{hint}")

    def ids(self) -> list[str]:
        """The ids of all exercises that have a check.

        Examples
        --------
        >>> import hbucb as hb
        >>> "ex-09-1" in hb.check.ids()
        True
        """
        from hbucb.checks import code, sealed

        return sorted([*sealed.records(), *code.LADDERS])

    def variant(self, id: str, *, seed: int | str) -> Variant:
        """The same question with other numbers, for coursework.

        Parameters
        ----------
        id : str
            Of an exercise that asks for a number.
        seed : int or str
            A student's number or name, say; the same seed gives the same question.

        Returns
        -------
        Variant
            Print it to read the question; ``hb.check(variant, answer)`` checks an answer.

        Raises
        ------
        ValueError
            If the exercise has no variants; the message names those that have.

        Examples
        --------
        >>> import hbucb as hb
        >>> mine = hb.check.variant("ex-09-1", seed="Emmy")
        >>> mine.given["k"] == hb.check.variant("ex-09-1", seed="Emmy").given["k"]
        True
        >>> hb.check(mine, ...)
        ex-09-1, seed Emmy: not answered yet.
        """
        from hbucb.checks.variants import variant

        return variant(id, seed)


#: Checks an answer to an exercise and prints one sentence: a :class:`hbucb.checks.Check`.
check = Check()
