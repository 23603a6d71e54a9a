"""Seal the answers of the checked exercises.

    python -m hbucb.checks            write sealed.json from the questions
    python -m hbucb.checks --check    compare only: is every sealed record the one of its question?

Sealing is deterministic: the same questions give the same bytes. Nobody edits the file.
"""

import argparse
import json
import sys
from pathlib import Path

from hbucb.checks.questions import all_questions

PATH = Path(__file__).with_name("sealed.json")


def text() -> str:
    """The file as its questions give it."""
    records = {name: question.record() for name, question in sorted(all_questions().items())}
    return json.dumps(records, indent=1, sort_keys=True) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 1 if --check finds a record that is not the one of its question."""
    parser = argparse.ArgumentParser(prog="python -m hbucb.checks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    options = parser.parse_args(arguments)
    new = text()
    if not options.check:
        PATH.write_text(new, encoding="utf-8")
        print(f"{len(json.loads(new))} records sealed, {len(new) // 1024} kB")
        return 0
    old = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    fresh = json.loads(new)
    stale = sorted(name for name in {*old, *fresh} if old.get(name) != fresh.get(name))
    for name in stale:
        print(f"{name}: the sealed record is not the one of the question")
    if not stale:
        print(f"{len(fresh)} sealed records match their questions")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
