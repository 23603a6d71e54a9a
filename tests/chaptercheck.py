"""What can be decided about a chapter without running it: its notebook and its text.

Each function returns a list of faults; tests/test_notebooks.py plants every fault once.
"""

import json
import re
from pathlib import Path

import yaml

LIMIT_KB = 3000
CODE_WIDTH = 76
BANNED = ("clearly", "obviously", "trivially", "it is easy to see")
# In a numbered chapter a comment <!-- block 3 --> stands before each part of the template.
BLOCKS = list(range(10))
WORDS = (2500, 4000)
BLOCK_0_WORDS = 140


def pages(root):
    """Names of all pages of the table of contents, in order, such as book/index."""
    toc = yaml.safe_load((Path(root) / "_toc.yml").read_text())
    names = [toc["root"]]
    for part in toc["parts"]:
        for entry in part["chapters"]:
            names += [entry["file"], *(below["file"] for below in entry.get("sections", ()))]
    return names


def text_of(source):
    return source if isinstance(source, str) else "".join(source)


def notebook_faults(notebook):
    """Faults of an executed notebook as stored (a dict)."""
    faults = []
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    counts = [cell["execution_count"] for cell in code]
    if counts != list(range(1, len(code) + 1)):
        faults.append(f"execution counts are {counts}, not 1 to {len(code)}")
    for cell in code:
        faults += [f"cell {cell['id']}: {fault}" for fault in _cell_faults(cell)]
    size = len(json.dumps(notebook)) / 1024
    if size > LIMIT_KB:
        faults.append(f"{size:.0f} kB, {LIMIT_KB} kB at most")
    return faults


def _cell_faults(cell):
    tags = cell["metadata"].get("tags", [])
    source = text_of(cell["source"])
    if source.rstrip().endswith(";"):
        yield "ends in a semicolon (its output would differ in a test): end plots with plt.show()"
    for line in source.splitlines():
        if len(line) > CODE_WIDTH:
            yield f"line of {len(line)} characters, {CODE_WIDTH} at most: {line[:40]}…"
    pictures = 0
    for output in cell["outputs"]:
        if output["output_type"] == "stream" and output["name"] == "stderr":
            yield f"writes to stderr: {text_of(output['text'])[:60]!r}"
        if output["output_type"] == "error" and "raises-exception" not in tags:
            yield f"raises {output['ename']} without the tag raises-exception"
        data = output.get("data", {})
        plain = text_of(data.get("text/plain", output.get("text", "")))
        if re.search(r" at 0x[0-9a-f]{6,}|(^|[\s'\"(])/[\w.-]+/[\w.-]+", plain):
            yield f"prints an address or a path of one machine: {plain[:60]!r}"
        if "<Figure size" in plain and "image/png" not in data:
            yield "has a figure without its picture"
        pictures += "image/png" in data
    alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
    if pictures and not alt.strip():
        yield "shows a figure without `mystnb: image: alt:` in its metadata"
    if pictures > 1:
        yield "shows two figures under one alternative text: one figure a cell"


def prose(text):
    """A chapter without its code cells, comments, directives' options and inline code."""
    text = re.sub(r"^(`{3,}).*?^\1\s*$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->|`[^`\n]*`", "", text, flags=re.S)
    return re.sub(r"^:[\w-]+:.*$", "", text, flags=re.M)


def words(text):
    """Number of words of prose, formulas counted as one word each."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$", " formula ", prose(text), flags=re.S)
    return len(re.findall(r"[A-Za-zÀ-ÿ][\w'’–-]*", text))


def source_faults(text):
    """Faults of any page's text."""
    faults = []
    plain = re.sub(r"\s+", " ", prose(text).lower())
    for phrase in BANNED:
        if re.search(rf"\b{phrase}\b", plain):
            faults.append(f"says “{phrase}”")
    faults += _fence_faults(text)
    faults += _bet_faults(text)
    return faults


def _bet_faults(text):
    """A reply that begins with Yes or Right stands at the choice that `:right:` names."""
    for name, right, replies in re.findall(
        r"^:::\{bet-answer\} (\S+)\n:right: (\d+)\n(.*?)^:::$", text, flags=re.M | re.S
    ):
        starts = re.findall(r"^- (.*)", replies, flags=re.M)
        said = [place for place, s in enumerate(starts, 1) if re.match(r"(Yes|Right)\b", s)]
        if said and said != [int(right)]:
            yield f"bet {name}: the reply at {said} says yes, `:right:` is {right} (counted from 1)"


def _fence_faults(text):
    """Colon fences must close: an inner fence needs fewer colons than the one around it."""
    stack, in_code = [], None
    for number, line in enumerate(text.splitlines(), 1):
        tick = re.match(r"\s*(`{3,})", line)
        if tick:
            if in_code is None:
                in_code = tick.group(1)
            elif line.strip() == in_code:
                in_code = None
            continue
        match = re.match(r"\s*(:{3,})\s*(\{.*)?$", line)
        if in_code is not None or match is None:
            continue
        colons, name = match.groups()
        if name:
            if stack and len(colons) >= stack[-1][0]:
                outer = stack[-1][1]
                yield f"line {number}: {name} needs fewer colons than the fence of line {outer}"
            stack.append((len(colons), number))
        elif not stack:
            yield f"line {number}: {colons} closes nothing (it opens a box instead)"
        elif len(colons) != stack[-1][0]:
            yield f"line {number}: {colons} does not close the fence of line {stack[-1][1]}"
        else:
            stack.pop()
    for _, number in stack:
        yield f"line {number}: the fence is never closed"


def template_faults(text):
    """Faults of a numbered theory chapter against the template of ten blocks."""
    parts = re.split(r"^<!-- block (\d) -->\s*$", text, flags=re.M)
    found = [int(number) for number in parts[1::2]]
    faults = []
    if found != BLOCKS:
        return [f"blocks are {found}, not 0 to 9 once each and in order"]
    blocks = dict(zip(found, parts[2::2], strict=True))
    for phrase in ("You need", "You will be able to", "●"):
        if phrase not in blocks[0]:
            faults.append(f"block 0 has no “{phrase}”")
    first = next((p for p in re.split(r"\n\s*\n", blocks[0]) if p.strip()), "")
    if "?" not in first:
        faults.append("block 0 does not begin with a question")
    if words(blocks[0]) > BLOCK_0_WORDS:
        faults.append(f"block 0 has {words(blocks[0])} words, {BLOCK_0_WORDS} at most")
    for number in BLOCKS[1:]:
        if not re.search(r"^##+ ", blocks[number], flags=re.M):
            faults.append(f"block {number} has no heading")
    bets = text.count("{bet} ")
    if not 1 <= bets <= 2:
        faults.append(f"{bets} bets, 1 or 2 are wanted")
    if ":::{prf:theorem}" not in blocks[4] and "{prf:theorem}" not in blocks[4]:
        faults.append("block 4 has no theorem")
    if "{prf:proof}" not in blocks[5]:
        faults.append("block 5 has no proof")
    if "getsource" not in blocks[6]:
        faults.append("block 6 does not print the package's code (inspect.getsource)")
    exercises = len(re.findall(r"\{exercise(-start)?\}", text))
    if exercises < 6:
        faults.append(f"{exercises} exercises, at least 6 are wanted")
    before_last = sum(len(re.findall(r"\{exercise(-start)?\}", blocks[n])) for n in BLOCKS[:9])
    if not before_last:
        faults.append("no exercise stands in the middle of the text")
    count = words(text)
    if not WORDS[0] <= count <= WORDS[1]:
        faults.append(f"{count} words, {WORDS[0]} to {WORDS[1]} are wanted")
    return faults
