"""Bad input of every kind to every public call: a documented result or a documented error.

    python tests/fuzz.py [CALLS] [SEED]

plays CALLS calls (100 000 by default) and prints how often each outcome was seen. Each call is
good but for one or two arguments. Documented outcomes are a result (checked to hold no object that
was left half made: no nan where none came in) and ValueError; TypeError is allowed where Python
itself refuses the call, or where an argument is of a type that no value of it could have.
"""

from __future__ import annotations

import inspect
import math
import os
import random
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import hbucb as hb
from hbucb import (
    bounds,
    estimators,
    noise,
    optimizers,
    plotting,
    statistics,
    theory,
)

SECONDS = 10
#: Where the package lies: the folder of a checkout may have any name, that of the package too.
PACKAGE = os.path.dirname(hb.__file__) + os.sep


class Hang(Exception):
    """A call took longer than SECONDS."""


#: A good value for a parameter of this name, unless the call's own list says otherwise.
BANDIT = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy())
GOOD: dict[str, Any] = {
    "gaps": [0.0, 0.5, 1.0],
    "horizon": 50,
    "bandit": BANDIT,
    "bandits": {"a": BANDIT},
    "policy": hb.UCB(),
    "policies": {"UCB": hb.UCB()},
    "trials": 3,
    "seed": 1,
    "n": 40,
    "k": 40,
    "delta": 0.1,
    "eps": 0.5,
    "v": 2.0,
    "u": 2.0,
    "sigma": 1.0,
    "scale": 1.0,
    "rewards": [1.0, 2.0, 0.5, 3.0],
    "x": 0.3,
    "q": 0.3,
    "p": 0.3,
    "alpha": 0.5,
    "loc": [0.0, 1.0],
    "noise": hb.noise.Gaussian(),
    "rounds": 5,
    "law": hb.noise.Gaussian(),
    "successes": 3,
    "failures": 3,
    "make": hb.UCB,
    "optimizer": hb.optimizers.MeanSGD(),
    "estimator": hb.estimators.MedianOfMeans(),
}

NASTY: list[Any] = [
    None, True, False, "", "x", b"x", [], (), {}, set(), object(), type, int, lambda: 0, ...,
    math.nan, math.inf, -math.inf, 0, -1, 1, 2, -0.0, 0.5, 1.0, -1.0, 1e300, -1e300, 5e-324, 1e-320,
    2**31, 2**63, -(2**63), 10**30, 1j, Fraction(1, 3), np.float64("nan"), np.float32(0.1),
    np.float16(0.1), np.int8(-1), np.uint8(200), np.bool_(True), np.datetime64("2020-01-01"),
    np.array([]), np.array(0.5), np.array([0.5]), np.array([[0.5]]), np.zeros((2, 0)),
    np.zeros((2, 2, 2)), np.array([math.nan, 1.0]), np.array([math.inf, 1.0]),
    np.array([1e300, -1e300]), np.array([5e-324, 0.0]), np.array([1, 2, 3], dtype=object),
    np.array([1.0, None], dtype=object), np.array(["a", "b"]), np.array([True, False]),
    np.array([1 + 1j, 2.0]), np.arange(10.0)[::-2], np.asfortranarray(np.ones((3, 2))),
    np.arange(6, dtype=np.int16), np.array([-1, 2]), np.array([2**63 - 1]), [1, "a"], [[1], [1, 2]],
    [None], ["x"], [math.nan], [math.inf], [-math.inf, 1.0], range(3), iter([1.0]), "0.5", b"",
    {"a": 1}, {0: hb.UCB()}, {"": hb.UCB()}, {"a": hb.UCB}, hb.UCB(), hb.noise.Cauchy(), BANDIT,
    [hb.noise.Cauchy()], [hb.noise.Cauchy(), 3], np.ma.masked_array([1.0, 2.0], [True, False]),
]  # fmt: skip
_LOCKED = np.array([0.5, 0.25, 1.0])
_LOCKED.flags.writeable = False
NASTY.append(_LOCKED)

#: Sizes that would only make a good call long.
_LONG = {"horizon", "trials", "rounds", "n", "k", "size", "steps", "samples", "pulls"}


def parameters(call: Callable[..., Any]) -> dict[str, Any] | None:
    """Good arguments for a call, or None where a required one has no good value here."""
    chosen = {}
    for name, parameter in inspect.signature(call).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in GOOD and parameter.default is parameter.empty:
            chosen[name] = GOOD[name]
        elif parameter.default is parameter.empty:
            return None
    return chosen


def calls() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Every public call with good arguments: functions, classes, methods of their objects."""
    modules = [hb, noise, estimators, optimizers, theory, statistics, plotting, hb.policies]
    seen: set[Any] = set()
    things = [
        (f"{m.__name__}.{n}", getattr(m, n)) for m in modules for n in getattr(m, "__all__", ())
    ]
    things += [(f"bounds.{f.__name__}", f) for f in bounds.BOUNDS]
    for name, thing in things:
        if not callable(thing) or inspect.ismodule(thing) or thing in seen:
            continue
        seen.add(thing)
        if isinstance(thing, type) and (
            issubclass(thing, BaseException) or getattr(thing, "_is_protocol", False)
        ):
            continue
        try:
            good = parameters(thing)
        except (ValueError, TypeError):
            continue
        if good is None:
            yield name, thing, {}
            continue
        yield name, thing, good
        if isinstance(thing, type):
            try:
                made = thing(**good)
            except Exception:
                continue
            for method in dir(made):
                if method.startswith("_") or method in SKIPPED:
                    continue
                try:
                    bound = getattr(made, method)
                except NotImplementedError:  # a base class
                    continue
                if inspect.ismethod(bound):
                    own = parameters(bound)
                    if own is not None:
                        yield f"{name}.{method}", bound, own


#: Not for users: the inner protocol between the engine and states.
SKIPPED = {
    "start",
    "stream",
    "push",
    "fill",
    "of_arm",
    "bind",
    "save",
    "index",
    "rule",
    "bytes_per_trial",
}


def outcome(call: Callable[..., Any], arguments: dict[str, Any]) -> str:
    """The kind of what came out; a name in capitals is not documented."""

    def late(*_: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = call(**arguments)
            if inspect.isgenerator(result):
                list(zip(range(5), result, strict=False))
    except Hang:
        return "HANG"
    except ValueError as error:
        text = str(error)
        return "ValueError" if text and not _foreign(error) else "FOREIGN ValueError"
    except TypeError as error:
        return "TypeError" if not _inside(error) else "INNER TypeError"
    except (ImportError, FileNotFoundError, KeyError) as error:
        return type(error).__name__
    except Warning as warning:
        return f"WARNING {type(warning).__name__}"
    except BaseException as error:
        return f"RAISED {type(error).__name__}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return "result"


def _frames(error: BaseException) -> list[str]:
    trace, files = error.__traceback__, []
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return files


def _foreign(error: BaseException) -> bool:
    """Whether the message comes from another library: it cannot name our argument."""
    return not _frames(error)[-1].startswith(PACKAGE)


def _inside(error: BaseException) -> bool:
    """Whether Python let the call begin: a signature that does not fit is refused before that."""
    return len(_frames(error)) > 2


def play(number: int, seed: int) -> tuple[Counter[str], dict[str, str]]:
    """Outcomes of ``number`` bad calls, and one example of each that is not documented."""
    rng = random.Random(seed)
    pool = list(calls())
    seen: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for _ in range(number):
        name, call, good = rng.choice(pool)
        arguments = dict(good)
        names = [
            n
            for n, p in inspect.signature(call).parameters.items()
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        ]
        if not names:
            continue
        for chosen in rng.sample(names, min(len(names), rng.choice([1, 1, 2]))):
            value = rng.choice(NASTY)
            if chosen in _LONG and isinstance(value, int) and value > 100:
                value = 7
            arguments[chosen] = value
        try:
            inspect.signature(call).bind(**arguments)
        except TypeError:
            continue
        kind = outcome(call, arguments)
        seen[kind] += 1
        if kind[0:2].isupper():
            changed = {k: v for k, v in arguments.items() if good.get(k) is not v}
            examples.setdefault(f"{kind}: {name}({', '.join(changed)})", repr(changed)[:200])
    return seen, examples


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found, bad = play(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for kind, times in found.most_common():
        print(f"{times:8d}  {kind}")
    for where, example in sorted(bad.items()):
        print(where, example)
    sys.exit(bool(bad))
