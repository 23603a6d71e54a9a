"""Calling a reader's code: nothing it does may end the notebook or spoil the check.

Arguments are copies, what it prints is dropped, what it raises becomes a sentence, and a loop
without end stops after a number of lines. The limit counts lines and not seconds, so that a
verdict does not depend on the machine.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import io
import sys
import warnings
from collections.abc import Callable
from typing import Any

LINES = 400_000
_IMPORT = "<frozen importlib._bootstrap>"
_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


class Fault(Exception):
    """A check is not passed; the text is what the reader is told."""


class _TooLong(BaseException):
    """Raised inside the reader's code; not an Exception, so that no `except` there stops it."""


def call(function: Callable[..., Any], *arguments: Any, what: str = "", lines: int = LINES) -> Any:
    """`function(*arguments)` on copies; Fault with a sentence if it does not return.

    Parameters
    ----------
    what : str
        What is called, for the sentence: "radius(200, 0.1)".
    lines : int
        Lines of Python that the call may run; those of modules that it imports do not count.
    """
    left, loading = lines, False

    def loads(frame: Any, event: str, argument: Any) -> Any:
        nonlocal loading
        loading = event != "return"
        return loads

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left, loading
        if event == "call":
            if loading:
                return None
            if frame.f_code.co_filename == _IMPORT:
                loading = True
                return loads
        elif event == "line":
            left -= 1
            if left < 0:
                raise _TooLong
        return count

    before = sys.gettrace()
    what = what or getattr(function, "__name__", "your code")
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = copy.deepcopy(arguments)
            sys.settrace(count)
            try:
                return function(*given)
            finally:
                sys.settrace(before)
    except _TooLong:
        raise Fault(f"{what} does not come to an end: is there a loop that never stops?") from None
    except RecursionError:
        raise Fault(f"{what} calls itself without end.") from None
    except Exception as error:
        line = _line(error, function)
        raise Fault(f"{what} raises {type(error).__name__}{line}: {error}") from None


def _line(error: BaseException, function: Callable[..., Any]) -> str:
    """ " in line 3 of your code", if the reader's own file is on the traceback."""
    code = getattr(function, "__code__", None)
    found = ""
    trace = error.__traceback__
    while trace is not None:
        if code is not None and trace.tb_frame.f_code.co_filename == code.co_filename:
            found = f" in line {trace.tb_lineno} of its cell"
        trace = trace.tb_next
    return found


def is_empty(function: Any) -> bool:
    """Whether a function's body is still only `...` (or pass, or a docstring)."""
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    constants = [i.argval for i in dis.get_instructions(code) if "CONST" in i.opname]
    names = {i.opname for i in dis.get_instructions(code)}
    return names <= _NOTHING and all(value in (None, ...) for value in constants)
