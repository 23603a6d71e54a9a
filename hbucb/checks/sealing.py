"""Sealed answers: a reader can test a guess, and sees nothing by looking.

A number is put into a bucket as wide as twice the tolerance, a word into its normal form. The
bucket is the password of a row: PBKDF2-HMAC-SHA256 makes a key of it, the row stores a
fingerprint of the key and a message that only the key opens. Known mistakes are rows like the
right answer, so a hint appears only to the reader who made that mistake. This is no secrecy, only
a curtain: solutions are public. All of it exists in WebCrypto too (book/_static/js/answer.js).

Each row has its own offset, chosen so that its value lies in the middle of its bucket: accepted
is the interval of plus or minus the tolerance, and the offset shows digits below the tolerance
only. (A hash of a rounded number would refuse right answers next to a rounding boundary.)
"""

from __future__ import annotations

import base64
import functools
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ROUNDS = 200_000
BLOCK = 32  # bytes of a SHA-256 digest; messages are padded to a multiple


@dataclass(frozen=True)
class Anchor:
    """An answer with what is said to it: the right one, or a known mistake.

    Parameters
    ----------
    value : float or str
        A number, or a word in its normal form.
    message : str
        A remark worth reading for the right answer, a hint for a mistake.
    right : bool
    """

    value: float | str
    message: str
    right: bool = False


def place(value: float, scale: str, width: float) -> float:
    """Where `value` lies, in widths of a bucket: of its logarithm on the scale "log"."""
    return (math.log(abs(value)) if scale == "log" else value) / width


def offset(value: float, scale: str, width: float) -> float:
    """The shift in [0, 1] that puts `value` into the middle of its bucket, to four digits."""
    middle = place(value, scale, width) - 0.5
    return round(middle - math.floor(middle), 4)


def bucket(value: float, scale: str, width: float, shift: float) -> str:
    """The bucket of `value`, as text; on the scale "log" the sign is part of it.

    Examples
    --------
    >>> bucket(0.2, "linear", 0.1, 0.5), bucket(-math.e, "log", 0.1, 0.5)
    ('1', '-9')
    """
    if scale == "log":
        if value == 0:
            return "0"
        sign = "-" if value < 0 else "+"
        return f"{sign}{math.floor(place(value, scale, width) - shift)}"
    return str(math.floor(place(value, scale, width) - shift))


@functools.lru_cache(maxsize=4096)
def key(text: str, salt: str) -> bytes:
    """The key of 32 bytes that `text` opens a row with."""
    return hashlib.pbkdf2_hmac("sha256", text.encode(), salt.encode(), ROUNDS)


def fingerprint(secret: bytes) -> str:
    """16 hexadecimal digits by which a row knows its key."""
    return hashlib.sha256(secret + b"id").hexdigest()[:16]


def _stream(secret: bytes, length: int) -> bytes:
    blocks = (
        hashlib.sha256(secret + b"message" + bytes([number])).digest()
        for number in range(-(-length // BLOCK))
    )
    return b"".join(blocks)[:length]


def _mask(data: bytes, secret: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, _stream(secret, len(data)), strict=True))


def seal(salt: str, anchors: Sequence[Anchor], scale: str = "", width: float = 0.0) -> list[Any]:
    """Rows for the anchors, in an order that tells nothing, with messages of one length.

    Parameters
    ----------
    salt : str
        The id of the exercise, and what tells its parts apart.
    anchors : sequence of Anchor
        One of them right; several, if an exercise has right answers of several forms.
    scale : {"log", "linear", ""}
        Of numbers; empty for words.
    width : float
        Of a bucket: twice the tolerance, relative on the scale "log".

    Returns
    -------
    list of dict
        Each with "fingerprint", "message" and, for numbers, "offset".

    Raises
    ------
    ValueError
        If no anchor is right, or two anchors are closer than five tolerances: a
        reader who made the mistake would be told "right".
    """
    if not any(anchor.right for anchor in anchors):
        raise ValueError(f"{salt} has no right answer")
    _refuse_neighbours(salt, anchors, scale, width)
    mixed = sorted(anchors, key=lambda a: hashlib.sha256(f"{salt}/{a.value}".encode()).digest())
    texts = [("+" if anchor.right else "-") + anchor.message for anchor in mixed]
    length = BLOCK * max(-(-len(text.encode()) // BLOCK) for text in texts)
    if length > 256 * BLOCK:
        raise ValueError(f"a message of {salt} is longer than {256 * BLOCK} bytes")
    rows = []
    for number, (anchor, text) in enumerate(zip(mixed, texts, strict=True)):
        row: dict[str, Any] = {}
        if scale:
            row["offset"] = offset(float(anchor.value), scale, width)
            password = bucket(float(anchor.value), scale, width, row["offset"])
        else:
            password = str(anchor.value)
        secret = key(password, f"hbucb/{salt}/{number}")
        row["fingerprint"] = fingerprint(secret)
        row["message"] = base64.b64encode(_mask(text.encode().ljust(length), secret)).decode()
        rows.append(row)
    return rows


def _refuse_neighbours(salt: str, anchors: Sequence[Anchor], scale: str, width: float) -> None:
    seen: list[float | str] = []
    for anchor in anchors:
        value = anchor.value
        for other in seen:
            if scale:
                if not separate(float(value), float(other), scale, width, 2.5):
                    raise ValueError(
                        f"{salt}: the answers {value!r} and {other!r} are closer than five "
                        "tolerances; choose numbers at which they differ"
                    )
            elif value == other:
                raise ValueError(f"{salt}: the answer {value!r} stands twice")
        seen.append(value)


def separate(one: float, other: float, scale: str, width: float, widths: float) -> bool:
    """Whether two values lie more than `widths` buckets apart."""
    if scale == "log" and (one > 0) != (other > 0):
        return True
    return abs(place(one, scale, width) - place(other, scale, width)) > widths


def unseal(
    salt: str, rows: Sequence[Any], value: float | str, scale: str = "", width: float = 0.0
) -> tuple[bool, str] | None:
    """(right or not, message) of the row that `value` opens; None if it opens none."""
    for number, row in enumerate(rows):
        text = bucket(float(value), scale, width, row["offset"]) if scale else str(value)
        secret = key(text, f"hbucb/{salt}/{number}")
        if fingerprint(secret) == row["fingerprint"]:
            plain = _mask(base64.b64decode(row["message"]), secret).decode().rstrip()
            return plain[0] == "+", plain[1:]
    return None
