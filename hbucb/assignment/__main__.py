"""``python -m hbucb.assignment NAME ...``: one fresh notebook for each name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from hbucb.assignment import write


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the notebooks; 1 if one could not be written."""
    parser = argparse.ArgumentParser(
        prog="python -m hbucb.assignment",
        description="Write a fresh assignment notebook for each name; existing files stay.",
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help='such as "Group 7"')
    parser.add_argument("--folder", default=".", help="where to write (default: here)")
    options = parser.parse_args(arguments)
    failed = 0
    for name in options.names:
        try:
            print(f"{name}: {write(name, options.folder)}")
        except (ValueError, OSError) as error:
            print(f"{name}: not written: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
