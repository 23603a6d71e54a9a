"""Write the local inventories (*.inv): names of other projects that code in the book links to.

    python book/_inv/make.py

The build reads these files and never the network. Add a name here when a chapter's code uses it.
"""

import zlib
from pathlib import Path

NUMPY = """abs add all any arange argmax argmin argsort array array_equal asarray average bincount
broadcast_to ceil clip column_stack concatenate cos count_nonzero cumsum diff divide dot empty exp
expand_dims eye flatnonzero floor full full_like geomspace histogram inf interp isclose isfinite
isinf isnan linspace log log10 log1p log2 logspace max maximum mean median meshgrid min minimum nan
nanmean ones outer partition percentile pi prod quantile repeat reshape round searchsorted sign sin
sort sqrt stack std sum take tan tanh tile transpose unique var where zeros zeros_like""".split()
GENERATOR = """beta binomial choice exponential integers laplace normal pareto permutation random
shuffle standard_cauchy standard_exponential standard_normal standard_t uniform weibull""".split()
BUILTIN = """abs all any dict enumerate float int len list max min print range round set sorted str
sum tuple zip""".split()
ERRORS = ["ArithmeticError", "IndexError", "KeyError", "RuntimeError", "TypeError", "ValueError"]
STATS = {
    "continuous": "cauchy expon gennorm laplace levy levy_stable lomax norm pareto t uniform",
    "discrete": "bernoulli binom",
    "function": "binomtest kstest ks_2samp ttest_rel trim_mean median_abs_deviation",
}
PYPLOT = "axes axhline axvline figure plot savefig show subplots title xlabel ylabel".split()
AXES = """axhline axvline bar errorbar fill_between hist legend plot scatter set_title set_xlabel
set_xlim set_xscale set_ylabel set_ylim set_yscale step text""".split()
FUNCTION, CLASS, METHOD, DATA = "py:function", "py:class", "py:method", "py:data"


def numpy_rows():
    for name in NUMPY:
        kind = "py:data" if name in ("inf", "nan", "pi") else FUNCTION
        page = "constants" if kind == "py:data" else f"generated/numpy.{name}"
        yield f"numpy.{name}", kind, f"reference/{page}.html#$"
    yield "numpy.ndarray", CLASS, "reference/generated/numpy.ndarray.html#$"
    yield "numpy.random.Generator", CLASS, "reference/random/generator.html#$"
    yield "numpy.random.default_rng", FUNCTION, "reference/random/generator.html#$"
    sequence = "reference/random/bit_generators/generated/numpy.random.SeedSequence.html#$"
    yield "numpy.random.SeedSequence", CLASS, sequence
    for name in GENERATOR:
        full = f"numpy.random.Generator.{name}"
        yield full, METHOD, f"reference/random/generated/{full}.html#$"


def python_rows():
    for name in BUILTIN:
        kind = (
            CLASS if name in {"dict", "float", "int", "list", "set", "str", "tuple"} else FUNCTION
        )
        page = (
            "stdtypes" if name in {"dict", "list", "range", "set", "str", "tuple"} else "functions"
        )
        yield name, kind, f"library/{page}.html#$"
    for name in ERRORS:
        yield name, "py:exception", "library/exceptions.html#$"
    yield "inspect.getsource", FUNCTION, "library/inspect.html#$"
    for name in ("inf", "log", "nan", "pi", "sqrt", "exp", "ceil", "floor"):
        kind = DATA if name in ("inf", "nan", "pi") else FUNCTION
        yield f"math.{name}", kind, "library/math.html#$"


def scipy_rows():
    for kind, listed in STATS.items():
        for name in listed.split():
            role = FUNCTION if kind == "function" else DATA
            yield f"scipy.stats.{name}", role, f"reference/generated/scipy.stats.{name}.html#$"
    full = "scipy.integrate.quad"
    yield full, FUNCTION, f"reference/generated/{full}.html#$"


def matplotlib_rows():
    for name in PYPLOT:
        full = f"matplotlib.pyplot.{name}"
        yield full, FUNCTION, f"api/_as_gen/{full}.html#$"
    for name in AXES:
        full = f"matplotlib.axes.Axes.{name}"
        yield full, METHOD, f"api/_as_gen/{full}.html#$"
    yield "matplotlib.axes.Axes", CLASS, "api/_as_gen/matplotlib.axes.Axes.html#$"
    yield "matplotlib.figure.Figure", CLASS, "api/_as_gen/matplotlib.figure.Figure.html#$"


def write(project, rows):
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {project}\n# Version: \n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    body = "".join(f"{name} {kind} 1 {page} -\n" for name, kind, page in sorted(rows))
    path = Path(__file__).with_name(f"{project}.inv")
    path.write_bytes(head.encode() + zlib.compress(body.encode(), 9))


if __name__ == "__main__":
    write("python", python_rows())
    write("numpy", numpy_rows())
    write("scipy", scipy_rows())
    write("matplotlib", matplotlib_rows())
