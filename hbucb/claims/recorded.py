"""Verdicts and numbers of the ledger, as ``python -m hbucb.replay`` wrote them from stored runs."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).with_name("recorded.json")

# Claim id -> (verdict, one number, numbers).
RECORDED: dict[str, tuple[str, str, str]] = {
    id: (verdict, short, numbers)
    for id, (verdict, short, numbers) in json.loads(FILE.read_text(encoding="utf-8")).items()
}
